import { forwardRef } from "react";
import type { AddressType } from "~/lib/assets";
import { TextArea } from "~/ui/text-area";

type Props = {
  /** Null while the visitor has not chosen one yet. */
  type: AddressType | null;
  name: string;
  label: string;
  /** Precedes the hint about the form of an address. */
  advice?: string | undefined;
  /** The exchange looks up names such as alice.eth. */
  ensNames?: boolean | undefined;
  required?: boolean;
  defaultValue?: string | undefined;
  /** Why the server refused the address. */
  error?: string | undefined;
  onInput?: () => void;
  onBlur?: () => void;
};

const hints: Record<AddressType, string> = {
  MOB: "106 to 254 letters and digits. In Signal, go to Settings > Payments > Add funds and tap Copy.",
  ETH: "Starts with 0x and has 42 characters. An exchange's address works only if it takes deposits without a memo.",
};

function toHint(type: AddressType, ensNames = false): string {
  return type === "ETH" && ensNames ? `${hints.ETH} A name such as alice.eth works too.` : hints[type];
}

/** A field that shows a whole address, to compare it with the wallet's. Spaces and line breaks don't count. */
export const AddressField = forwardRef<HTMLTextAreaElement, Props>(function AddressField(props, ref) {
  const { type, advice = "", ensNames, ...area } = props;
  return (
    <TextArea
      {...area}
      ref={ref}
      code
      oneValue
      rows={type === "ETH" ? 1 : 3}
      maxLength={700}
      autoComplete="off"
      autoCapitalize="off"
      autoCorrect="off"
      spellCheck={false}
      hint={type ? advice + toHint(type, ensNames) : "Paste the whole address."}
    />
  );
});

/** Puts an address into the field as if it had been typed, so that an error for the old one disappears. */
export function fillAddress(field: HTMLTextAreaElement, address: string): void {
  field.value = address;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  field.focus();
}

import type { EnsName } from "~/api/contract";
import * as styles from "~/components/addresses/addresses.css";
import type { AddressType } from "~/lib/assets";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { type AddressName, type AddressOptions, toAddressName } from "~/swaps/saved-address";
import { Button } from "~/ui/button";
import { Select } from "~/ui/select";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { AddressEntry } from "./address-entry";
import type { AddressSettings } from "./address-settings.server";

export type AddressPickerProps = AddressOptions & {
  label: string;
  name: AddressName;
  type: AddressType;
  /** What was typed into the field, and why it was refused. */
  typed?: string | undefined;
  error?: string | undefined;
  /** The name that was typed, and its address, which is in `typed` now. */
  resolved?: EnsName | undefined;
  result: object | undefined;
  settings: AddressSettings;
};

/**
 * Chooses one of the saved addresses. "Add" posts the whole form, so that typed amounts are kept. Without saved
 * addresses it is a field for a new one, so that nothing is missing once the price's countdown starts.
 */
export function AddressPicker({ label, name, type, addresses, chosen, ...entry }: AddressPickerProps) {
  const intent = `add-${name}`;
  const isSending = useIsSending();
  if (addresses.length === 0) {
    return (
      <AddressEntry
        {...entry}
        type={type}
        name={`new_${name}`}
        label={label}
        advice={name === "refund" ? "Use an address in your own wallet if you can. " : undefined}
        submitLabel="Get exact price"
      />
    );
  }
  return (
    <div className={styles.selectWithAdd}>
      <Select
        label={label}
        name={name}
        defaultValue={chosen ?? undefined}
        options={[
          ...(chosen ? [] : [{ value: "", label: "Choose an address" }]),
          ...addresses.map((address) => ({ value: address.id, label: toAddressName(address) })),
        ]}
      />
      <Button
        size="large"
        className={styles.add}
        name="intent"
        value={intent}
        formNoValidate
        pending={isSending({ intent }) && "Opening…"}
      >
        Add<VisuallyHidden> an address for {name === "refund" ? "refunds" : "the payout"}</VisuallyHidden>
      </Button>
    </div>
  );
}

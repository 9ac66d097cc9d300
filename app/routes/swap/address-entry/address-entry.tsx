import { useRef, useState } from "react";
import type { EnsName } from "~/api/contract";
import { AddressField, fillAddress } from "~/components/addresses/address-field";
import { ScanButton } from "~/components/scan/scan-button";
import type { AddressType } from "~/lib/assets";
import { useHasSandbox } from "~/loaded-data/root-data";
import { Row, Stack } from "~/ui/layout";
import { AddressFromWallet } from "./address-from-wallet";
import type { AddressSettings } from "./address-settings.server";
import { ResolvedName } from "./resolved-name";
import { SandboxAddressButton } from "./sandbox-address";
import { useKeptAddress } from "./use-kept-address";

type Props = {
  /** Null while the visitor has not chosen one yet. */
  type: AddressType | null;
  name: string;
  label: string;
  /** Precedes the hint about the form of an address. */
  advice?: string | undefined;
  required?: boolean;
  typed?: string | undefined;
  /** Why it was refused. Shown until the address is changed. */
  error?: string | undefined;
  /** The name that was typed, and its address, which `typed` then contains. Shown until the address is changed. */
  resolved?: EnsName | undefined;
  /** The result that these belong to: a second refusal with the same text is shown again. */
  result: object | undefined;
  settings: AddressSettings;
  /** The label of the button that sends the form. */
  submitLabel: string;
};

/** A field for a new address, which the camera, a wallet or the sandbox can fill in. */
export function AddressEntry(props: Props) {
  const { type, name, typed, error, resolved, result, settings, submitLabel, ...text } = props;
  const hasSandbox = useHasSandbox();
  const field = useRef<HTMLTextAreaElement>(null);
  const keepers = useKeptAddress(field, name);
  const [changedSince, setChangedSince] = useState<object>();
  const isChanged = result !== undefined && changedSince === result;
  function fill(address: string) {
    if (field.current) fillAddress(field.current, address);
  }
  return (
    <Stack gap={2}>
      <AddressField
        // Remounts the field, so that it shows the resolved address instead of the typed name.
        key={resolved?.address}
        ref={field}
        type={type}
        name={name}
        ensNames={settings.ensNames}
        defaultValue={typed}
        error={isChanged ? undefined : error}
        {...text}
        {...keepers}
        onInput={() => {
          setChangedSince(result);
          keepers.onInput();
        }}
      />
      <Row gap={2}>
        <ScanButton type={type} onAddress={fill} />
        {type === "ETH" ? <AddressFromWallet onAddress={fill} rpc={settings.walletRpc} /> : null}
        {hasSandbox && type !== "ETH" ? <SandboxAddressButton onAddress={fill} /> : null}
      </Row>
      {resolved && !isChanged ? <ResolvedName resolved={resolved} next={submitLabel} /> : null}
    </Stack>
  );
}

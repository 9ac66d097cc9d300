import { useRef } from "react";
import type { EnsName } from "~/api/contract";
import { AddressField, fillAddress } from "~/components/addresses/address-field";
import * as styles from "~/components/addresses/addresses.css";
import { ScanButton } from "~/components/scan/scan-button";
import type { AddressType } from "~/lib/assets";
import { useHasSandbox } from "~/loaded-data/root-data";
import { useIsSending } from "~/loaded-data/use-is-sending";
import { type AddressName, type AddressOptions, toAddressName } from "~/swaps/saved-address";
import { Button } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";
import { Select } from "~/ui/select";
import { VisuallyHidden } from "~/ui/visually-hidden";
import { AddressFromWallet } from "./address-from-wallet";
import type { AddressSettings } from "./address-settings.server";
import { ResolvedName } from "./resolved-name";
import { SandboxAddressButton } from "./sandbox-address";
import { useKeptAddress } from "./use-kept-address";

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
export function AddressPicker(props: AddressPickerProps) {
  const { label, name, addresses, chosen } = props;
  const intent = `add-${name}`;
  const isSending = useIsSending();
  if (addresses.length === 0) return <AddressEntry {...props} />;
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

function AddressEntry(props: AddressPickerProps) {
  const { label, name, type, typed, error, resolved, result, settings } = props;
  const hasSandbox = useHasSandbox();
  const field = useRef<HTMLTextAreaElement>(null);
  const keepers = useKeptAddress(field, name);
  function fill(address: string) {
    if (field.current) fillAddress(field.current, address);
  }
  return (
    <Stack gap={2}>
      <AddressField
        // Remounts the field, so that it shows the resolved address instead of the typed name.
        key={resolved?.address}
        ref={field}
        ensNames={settings.ensNames}
        type={type}
        label={label}
        advice={name === "refund" ? "Use an address in your own wallet if you can. " : undefined}
        name={`new_${name}`}
        defaultValue={typed}
        error={error}
        result={result}
        {...keepers}
      />
      <Row gap={2}>
        <ScanButton type={type} onAddress={fill} />
        {type === "ETH" ? <AddressFromWallet onAddress={fill} rpc={settings.walletRpc} /> : null}
        {hasSandbox && type === "MOB" ? <SandboxAddressButton onAddress={fill} /> : null}
      </Row>
      {resolved ? <ResolvedName resolved={resolved} next="Get exact price" /> : null}
    </Stack>
  );
}

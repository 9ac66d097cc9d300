import { type RefObject, useEffect, useState } from "react";
import { fillAddress } from "~/components/addresses/address-field";
import type { AddressType } from "~/lib/assets";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { onDemand } from "~/ui/on-demand";
import type { WalletRpc } from "~/wallet/chains";
import { readSandboxAddress } from "./sandbox-address";

const WalletAddressButton = onDemand(() => import("~/wallet/wallet-address-button"), "Opening the wallet…");

type Props = {
  rpc: WalletRpc;
  form: RefObject<HTMLFormElement>;
  /** The form's fields for each type of address. */
  names: Record<AddressType, string>;
};

/** For the sandbox: connects the test wallet, and fills in its address and the address of the sandbox's MOB wallet. */
export default function TestAddresses({ rpc, form, names: { MOB, ETH } }: Props) {
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    readSandboxAddress().then(
      (address) => fill(form.current, MOB, address),
      () => setFailed(true),
    );
  }, [form, MOB]);
  return (
    <Stack gap={3}>
      <WalletAddressButton onAddress={(address) => fill(form.current, ETH, address)} rpc={rpc} connectTestWallet />
      {hasFailed ? (
        <Note tone="danger" live>
          The sandbox isn't responding. Try again in a moment.
        </Note>
      ) : null}
    </Stack>
  );
}

function fill(form: HTMLFormElement | null, name: string, address: string): void {
  const field = form?.elements.namedItem(name);
  if (field instanceof HTMLTextAreaElement) fillAddress(field, address);
}

import { useState } from "react";
import { useConnection } from "wagmi";
import { Button } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import type { WalletRpc } from "./chains";
import { connectionWords, toShortAddress } from "./connection-words";
import { WalletChoices } from "./wallet-choices";
import { WalletProvider } from "./wallet-provider";

export type WalletAddressButtonProps = {
  /** Called with the account's address in its checksummed form (EIP-55). */
  onAddress(address: `0x${string}`): void;
  rpc: WalletRpc;
  sandbox: boolean;
};

/** Fills an ETH address from a wallet. Only behind `lazy(() => import("~/wallet/wallet-address-button"))`. */
export default function WalletAddressButton({ onAddress, rpc, sandbox }: WalletAddressButtonProps) {
  return (
    <WalletProvider rpc={rpc} sandbox={sandbox}>
      <AddressButton onAddress={onAddress} />
    </WalletProvider>
  );
}

function AddressButton({ onAddress }: Pick<WalletAddressButtonProps, "onAddress">) {
  const { status, address, connector } = useConnection();
  const [said, setSaid] = useState("");
  const take = (taken: `0x${string}`) => {
    onAddress(taken);
    setSaid(`The address ${taken} was filled in.`);
  };
  return (
    <Stack gap={3}>
      <LiveRegion>{said || connectionWords[status].spoken}</LiveRegion>
      {address && status === "connected" ? (
        <Row>
          <Button type="button" onClick={() => take(address)}>
            Use {toShortAddress(address)} from {connector.name}
          </Button>
        </Row>
      ) : (
        <WalletChoices isReconnecting={status === "reconnecting"} onConnected={take} />
      )}
    </Stack>
  );
}

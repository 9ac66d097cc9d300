import { useState } from "react";
import { useConnection } from "wagmi";
import { Button } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import type { WalletRpc } from "./chains";
import { connectionLabels, toShortAddress } from "./connection-labels";
import { WalletChoices } from "./wallet-choices";
import { WalletProvider } from "./wallet-provider";

export type WalletAddressButtonProps = {
  /** Called with the account's address in its checksummed form (EIP-55). */
  onAddress(address: `0x${string}`): void;
  rpc: WalletRpc;
  sandbox: boolean;
};

/** Fills in an Ethereum address from a wallet. Load it only with `lazy`, to keep wagmi out of the first page load. */
export default function WalletAddressButton({ onAddress, rpc, sandbox }: WalletAddressButtonProps) {
  return (
    <WalletProvider rpc={rpc} sandbox={sandbox}>
      <AddressButton onAddress={onAddress} />
    </WalletProvider>
  );
}

function AddressButton({ onAddress }: Pick<WalletAddressButtonProps, "onAddress">) {
  const { status, address, connector } = useConnection();
  const [announcement, setAnnouncement] = useState("");
  const fill = (chosen: `0x${string}`) => {
    onAddress(chosen);
    setAnnouncement(`The address ${chosen} was filled in.`);
  };
  return (
    <Stack gap={3}>
      <LiveRegion>{announcement || connectionLabels[status].spoken}</LiveRegion>
      {address && status === "connected" ? (
        <Row>
          <Button type="button" onClick={() => fill(address)}>
            Use {toShortAddress(address)} from {connector.name}
          </Button>
        </Row>
      ) : (
        <WalletChoices isReconnecting={status === "reconnecting"} onConnected={fill} />
      )}
    </Stack>
  );
}

import { useEffect, useRef, useState } from "react";
import { useConnect, useConnection, useConnectors } from "wagmi";
import { toShortAddress } from "~/swaps/saved-address";
import { Button } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import type { WalletRpc } from "./chains";
import { connectionLabels } from "./connection-labels";
import { useConnectionState } from "./use-connection-state";
import { WalletChoices } from "./wallet-choices";
import { listWallets, toWalletName } from "./wallet-list";
import { WalletProvider } from "./wallet-provider";

export type WalletAddressButtonProps = {
  /** Called with the account's address in its checksummed form (EIP-55). */
  onAddress(address: `0x${string}`): void;
  rpc: WalletRpc;
  /** Connects the sandbox's test wallet without asking which wallet to use. */
  connectTestWallet?: boolean;
};

/**
 * Fills in an Ethereum address from a wallet. Load it only with `onDemand`, to keep wagmi out of the first page load.
 */
export default function WalletAddressButton({ rpc, ...button }: WalletAddressButtonProps) {
  return (
    <WalletProvider rpc={rpc}>
      <AddressButton {...button} />
    </WalletProvider>
  );
}

type ButtonProps = Pick<WalletAddressButtonProps, "onAddress" | "connectTestWallet">;

function AddressButton({ onAddress, connectTestWallet = false }: ButtonProps) {
  const { status, address, connector } = useConnection();
  const state = useConnectionState();
  const [announcement, setAnnouncement] = useState("");
  const fill = (chosen: `0x${string}`) => {
    onAddress(chosen);
    setAnnouncement(`The address ${chosen} was filled in.`);
  };
  useFirstAddress(connectTestWallet, fill);
  return (
    <Stack gap={3}>
      <LiveRegion>{announcement || connectionLabels[state].spoken}</LiveRegion>
      {address && status === "connected" ? (
        <Row>
          <Button type="button" onClick={() => fill(address)}>
            Use {toShortAddress(address)} from {toWalletName(connector.name)}
          </Button>
        </Row>
      ) : (
        <WalletChoices isReconnecting={status === "reconnecting"} onConnected={fill} />
      )}
    </Stack>
  );
}

/** Fills in the address once, without a click, if a wallet is already connected or the test wallet should be. */
function useFirstAddress(connectTestWallet: boolean, fill: (address: `0x${string}`) => void): void {
  const { status, address } = useConnection();
  const connectors = useConnectors();
  const connect = useConnect();
  const isDone = useRef(false);
  useEffect(() => {
    if (isDone.current) return;
    const testWallet = connectTestWallet && listWallets(connectors).find(({ isTestWallet }) => isTestWallet);
    if (status === "connected" && address) {
      isDone.current = true;
      fill(address);
    } else if (status === "disconnected" && testWallet) {
      isDone.current = true;
      connect.mutate({ connector: testWallet.connector }, { onSuccess: ({ accounts }) => fill(accounts[0]) });
    }
  });
}

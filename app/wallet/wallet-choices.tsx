import { useEffect, useRef } from "react";
import { useConfig, useConnect, useConnectors } from "wagmi";
import { disconnect } from "wagmi/actions";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { onDemand } from "~/ui/on-demand";
import { PlainList } from "~/ui/plain-list";
import { toWalletErrorMessage } from "./error-messages";
import * as styles from "./wallet.css";
import { usePairing } from "./wallet-connect/use-pairing";
import { WalletErrorNote } from "./wallet-error-note";
import { listWallets, type WalletChoice } from "./wallet-list";

const PairingPanel = onDemand(() => import("./wallet-connect/pairing-panel"), "Drawing the code…");

type Props = {
  isReconnecting: boolean;
  /** The chain to pay on. */
  chainId?: number;
  /** Whether a payment may arrive that the customer has dropped. */
  hasEarlier?: boolean;
  /** Set for a form that needs only the address. Otherwise, the wallet is used to pay. */
  onConnected?(address: `0x${string}`): void;
};

/** One button per wallet. The first is primary, unless the surrounding form has its own primary button. */
export function WalletChoices({ isReconnecting, chainId, hasEarlier, onConnected }: Props) {
  const wallets = listWallets(useConnectors());
  const connect = useConnectOne();
  const pairing = usePairing();
  const remoteItem = useRef<HTMLLIElement>(null);
  const chosen = connect.isPending ? connect.variables?.connector : null;

  function choose({ connector, isRemote }: WalletChoice) {
    // Its button is pending. Another wallet can still be chosen, because this one may never respond.
    if (chosen === connector) return;
    // A wallet in the browser would ask to switch to this chain, and declining that must not decline the connection.
    // A remote wallet is not asked.
    const target = isRemote && chainId !== undefined ? { connector, chainId } : { connector };
    connect.mutate(target, { onSuccess: ({ accounts }) => onConnected?.(accounts[0]) });
  }

  // The code replaces the list and takes the focus, which later returns to the button that asked for it.
  const code = pairing?.uri ?? null;
  const hadCode = useRef(false);
  useEffect(() => {
    if (hadCode.current && code === null) remoteItem.current?.querySelector("button")?.focus();
    hadCode.current = code !== null;
  }, [code]);

  if (pairing && code) {
    const cancel = () => {
      pairing.cancel();
      connect.reset();
    };
    return <PairingPanel uri={code} onCancel={cancel} />;
  }
  return (
    <Stack gap={3}>
      <WalletErrorNote
        message={
          connect.error ? toWalletErrorMessage(connect.error, onConnected ? "address" : "connect", hasEarlier) : null
        }
      />
      <PlainList className={styles.choices} aria-label="Wallets">
        {wallets.map((wallet, index) => (
          <li key={wallet.key} ref={wallet.isRemote ? remoteItem : undefined}>
            <Button
              type="button"
              kind={index === 0 && !onConnected ? "primary" : "secondary"}
              full
              pending={
                chosen === wallet.connector ? toPendingLabel(wallet) : isReconnecting && index === 0 && "Reconnecting…"
              }
              onClick={() => choose(wallet)}
            >
              {wallet.icon ? <img className={styles.picture} src={wallet.icon} alt="" width={24} height={24} /> : null}
              {toLabel(wallet)}
            </Button>
          </li>
        ))}
      </PlainList>
    </Stack>
  );
}

/** Connects one wallet. A wallet that responds after another was connected does not replace it. */
function useConnectOne() {
  const config = useConfig();
  return useConnect({
    mutation: {
      async onSuccess(_, { connector }) {
        // A stored connection that has not responded yet has a different uid from its connector on this page.
        const connected = [...config.state.connections.values()].filter((one) =>
          config.connectors.some(({ uid }) => uid === one.connector.uid),
        );
        if (connected.length > 1 && "uid" in connector) await disconnect(config, { connector });
      },
    },
  });
}

function toPendingLabel({ isRemote }: WalletChoice): string {
  return isRemote ? "Getting a code…" : "Confirm in your wallet…";
}

function toLabel({ name, isRemote }: WalletChoice): string {
  if (isRemote) return `Connect with ${name}`;
  const isDescription = name.startsWith("The ") || name.startsWith("Another ");
  return `Connect ${isDescription ? name.slice(0, 1).toLowerCase() + name.slice(1) : name}`;
}

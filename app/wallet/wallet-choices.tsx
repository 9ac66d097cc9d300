import { type Connector, useConnect, useConnectors } from "wagmi";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { toWalletErrorMessage } from "./error-messages";
import * as styles from "./wallet.css";
import { WalletErrorNote } from "./wallet-error-note";
import { listWallets } from "./wallet-list";

type Props = {
  isReconnecting: boolean;
  /** For a form that needs only the address; without it, the wallet is to pay. */
  onConnected?(address: `0x${string}`): void;
};

/** One button per wallet. The first is primary, unless the surrounding form has its own primary button. */
export function WalletChoices({ isReconnecting, onConnected }: Props) {
  const wallets = listWallets(useConnectors());
  const connect = useConnect();
  const chosen = connect.isPending ? connect.variables?.connector : null;

  function choose(connector: Connector) {
    if (connect.isPending) return;
    // Without a chain ID: declining a network switch must not decline the connection.
    connect.mutate({ connector }, { onSuccess: ({ accounts }) => onConnected?.(accounts[0]) });
  }

  return (
    <Stack gap={3}>
      <WalletErrorNote
        message={connect.error ? toWalletErrorMessage(connect.error, onConnected ? "address" : "connect") : null}
      />
      <ul className={styles.choices} aria-label="Wallets in this browser">
        {wallets.map(({ key, name, icon, connector }, index) => (
          <li key={key}>
            <Button
              type="button"
              kind={index === 0 && !onConnected ? "primary" : "secondary"}
              full
              pending={
                chosen === connector
                  ? "Confirm in your wallet…"
                  : isReconnecting && index === 0
                    ? "Reconnecting…"
                    : false
              }
              onClick={() => choose(connector)}
            >
              {icon ? <img className={styles.picture} src={icon} alt="" width={24} height={24} /> : null}
              Connect {name.startsWith("The ") || name.startsWith("Another ") ? toLower(name) : name}
            </Button>
          </li>
        ))}
      </ul>
    </Stack>
  );
}

function toLower(name: string): string {
  return name.slice(0, 1).toLowerCase() + name.slice(1);
}

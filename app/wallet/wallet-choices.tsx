import { type Connector, useConnect, useConnectors } from "wagmi";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { toWalletErrorWords } from "./error-words";
import * as styles from "./wallet.css";
import { listWallets } from "./wallet-list";
import { WalletTroubleNote } from "./wallet-trouble";

type Props = {
  isReconnecting: boolean;
  onConnected?(address: `0x${string}`): void;
};

/** One button a wallet. The first is the next thing to do, unless a form around it has its own. */
export function WalletChoices({ isReconnecting, onConnected }: Props) {
  const wallets = listWallets(useConnectors());
  const connect = useConnect();
  const chosen = connect.isPending ? connect.variables?.connector : null;

  function choose(connector: Connector) {
    if (connect.isPending) return;
    // Its network is a question of its own: who declines that one has not declined the connection.
    connect.mutate({ connector }, { onSuccess: ({ accounts }) => onConnected?.(accounts[0]) });
  }

  return (
    <Stack gap={3}>
      <WalletTroubleNote words={connect.error ? toWalletErrorWords(connect.error, "connect") : null} />
      <ul className={styles.choices} aria-label="Wallets in this browser">
        {wallets.map(({ key, name, icon, connector }, at) => (
          <li key={key}>
            <Button
              type="button"
              kind={at === 0 && !onConnected ? "primary" : "secondary"}
              full
              pending={
                chosen === connector ? "Confirm in the wallet…" : isReconnecting && at === 0 ? "Reconnecting…" : false
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

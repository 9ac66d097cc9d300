import { useDisconnect } from "wagmi";
import { useLocale } from "~/components/locale/use-locale";
import { formatAmount, formatDecimal } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { formatExactly } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { toShortAddress } from "~/swaps/saved-address";
import { Button } from "~/ui/button";
import { DataList } from "~/ui/data-list";
import { Row, Stack } from "~/ui/layout";
import { toWalletErrorMessage } from "./error-messages";
import type { Funds } from "./use-funds";
import * as styles from "./wallet.css";
import { WalletErrorNote } from "./wallet-error-note";

type Props = {
  address: `0x${string}`;
  walletName: string;
  networkName: string;
  funds: Funds;
  /** An earlier payment may have been sent, so errors must not say that no money has moved. */
  hasEarlier: boolean;
};

/** The connected account and its balances. */
export function ConnectedWallet({ address, walletName, networkName, funds, hasEarlier }: Props) {
  const disconnect = useDisconnect();
  const { numbers } = useLocale();
  return (
    <Stack gap={3}>
      <DataList
        rows={[
          {
            term: walletName,
            value: (
              <code className={text.code} translate="no">
                {toShortAddress(address)}
              </code>
            ),
          },
          { term: "Network", value: networkName },
          {
            term: "USDT",
            value: funds.usdt === undefined ? "…" : formatExactly(formatAmount(funds.usdt, "USDT"), numbers),
          },
          { term: "ETH for fees", value: funds.eth === undefined ? "…" : toRoundedEther(funds.eth, numbers) },
        ]}
      />
      <WalletErrorNote message={funds.error ? toWalletErrorMessage(funds.error, "read", hasEarlier) : null} />
      <Row justify="end">
        <Button
          type="button"
          kind="quiet"
          size="small"
          className={styles.disconnect}
          onClick={() => disconnect.mutate({})}
        >
          Disconnect
        </Button>
      </Row>
    </Stack>
  );
}

/** Ether rounded down to five decimals. */
function toRoundedEther(wei: bigint, numbers: NumberStyle): string {
  const rounded = wei / 10n ** 13n;
  return rounded === 0n && wei > 0n
    ? `less than ${formatDecimalText("0.00001", numbers)}`
    : formatDecimalText(formatDecimal(rounded, 5), numbers);
}

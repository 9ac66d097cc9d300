import { useDisconnect } from "wagmi";
import { useLocale } from "~/components/locale/use-locale";
import { formatAmount, formatDecimal } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { showExactly } from "~/lib/shown-amount";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { DataList } from "~/ui/data-list";
import { Row, Stack } from "~/ui/layout";
import { toShortAddress } from "./connection-words";
import { toWalletErrorWords } from "./error-words";
import type { Funds } from "./use-funds";
import { WalletTroubleNote } from "./wallet-trouble";

type Props = { address: `0x${string}`; walletName: string; networkName: string; funds: Funds };

/** Who pays and from what. */
export function ConnectedWallet({ address, walletName, networkName, funds }: Props) {
  const disconnect = useDisconnect();
  const { numbers } = useLocale();
  return (
    <Stack gap={3}>
      <DataList
        rows={[
          { term: walletName, value: <code className={text.code}>{toShortAddress(address)}</code> },
          { term: "Network", value: networkName },
          {
            term: "USDT",
            value: funds.usdt === undefined ? "…" : showExactly(formatAmount(funds.usdt, "USDT"), numbers),
          },
          { term: "ETH for the fee", value: funds.eth === undefined ? "…" : toRoundedEther(funds.eth, numbers) },
        ]}
      />
      <WalletTroubleNote words={funds.error ? toWalletErrorWords(funds.error, "read") : null} />
      <Row justify="end">
        <Button type="button" kind="quiet" size="small" onClick={() => disconnect.mutate({})}>
          Disconnect
        </Button>
      </Row>
    </Stack>
  );
}

/** Ether to five decimals, cut: enough to see whether there is some. */
function toRoundedEther(wei: bigint, numbers: NumberStyle): string {
  const cut = wei / 10n ** 13n;
  return cut === 0n && wei > 0n ? "very little" : formatDecimalText(formatDecimal(cut, 5), numbers);
}

import { useSwitchChain } from "wagmi";
import { useLocale } from "~/components/locale/use-locale";
import { showExactly } from "~/lib/shown-amount";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { toWalletErrorWords } from "./error-words";
import type { WalletFunding } from "./funding";
import type { Funds } from "./use-funds";
import type { Payment } from "./use-payment";
import { WalletTroubleNote } from "./wallet-trouble";

type Props = {
  funding: WalletFunding;
  account: `0x${string}`;
  connectedChainId: number;
  networkName: string;
  payment: Payment;
  funds: Funds;
};

const pendingWords = {
  ready: false,
  checking: "Checking the payment…",
  confirming: "Confirm in the wallet…",
  sent: false,
};

/** The one click. On another network it first becomes the switch to the right one. */
export function PayButton({ funding, account, connectedChainId, networkName, payment, funds }: Props) {
  const change = useSwitchChain();
  const { numbers } = useLocale();
  if (connectedChainId !== funding.chainId) {
    return (
      <Stack gap={3}>
        {change.error ? (
          <WalletTroubleNote words={toWalletErrorWords(change.error, "switch")} />
        ) : (
          <Note tone="waiting" title="The wallet is on another network" live>
            <p>USDT sent there would not arrive. Switch it to {networkName} first.</p>
          </Note>
        )}
        <Button
          type="button"
          kind="primary"
          size="large"
          full
          pending={change.isPending && "Confirm in the wallet…"}
          onClick={() => change.mutate({ chainId: funding.chainId })}
        >
          Switch to {networkName}
        </Button>
      </Stack>
    );
  }
  // What was mended since is not said any more.
  const mended = payment.trouble?.trouble === "balanceTooLow" && funds.usdt !== undefined && !funds.isShort;
  const trouble = mended ? null : payment.trouble;
  const amount = `${showExactly(funding.amount, numbers)} USDT`;
  return (
    <Stack gap={3}>
      <WalletTroubleNote words={trouble} />
      {funds.isShort && !trouble ? (
        <Note tone="waiting" live>
          This account holds less than {amount}.
        </Note>
      ) : null}
      {funds.hasNoGas && !trouble ? (
        <Note tone="waiting" live>
          This account has no ETH for the network's fee.
        </Note>
      ) : null}
      <Button
        type="button"
        kind={funds.isShort ? "secondary" : "primary"}
        size="large"
        full
        pending={pendingWords[payment.step]}
        onClick={() => void payment.pay(account)}
      >
        Pay {amount}
      </Button>
    </Stack>
  );
}

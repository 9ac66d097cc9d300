import { useSwitchChain } from "wagmi";
import { useLocale } from "~/components/locale/use-locale";
import { formatExactly } from "~/lib/shown-amount";
import { Button } from "~/ui/button";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { toWalletErrorMessage } from "./error-messages";
import type { WalletFunding } from "./funding";
import type { Funds } from "./use-funds";
import type { Payment } from "./use-payment";
import { WalletErrorNote } from "./wallet-error-note";

type Props = {
  funding: WalletFunding;
  account: `0x${string}`;
  connectedChainId: number;
  networkName: string;
  payment: Payment;
  funds: Funds;
};

const pendingLabels = {
  ready: false,
  checking: "Checking the payment…",
  confirming: "Confirm in your wallet…",
  sent: false,
};

/** Pays with one click. If the wallet is on another network, the button switches the network first. */
export function PayButton({ funding, account, connectedChainId, networkName, payment, funds }: Props) {
  const switchChain = useSwitchChain();
  const { numbers } = useLocale();
  if (connectedChainId !== funding.chainId) {
    return (
      <Stack gap={3}>
        {switchChain.error ? (
          <WalletErrorNote message={toWalletErrorMessage(switchChain.error, "switch", payment.hasEarlier)} />
        ) : (
          <Note tone="waiting" title="The wallet is on another network" live>
            <p>USDT sent there won't arrive. Switch to {networkName} first.</p>
          </Note>
        )}
        <Button
          type="button"
          kind="primary"
          size="large"
          full
          pending={switchChain.isPending && "Confirm in your wallet…"}
          onClick={() => switchChain.mutate({ chainId: funding.chainId })}
        >
          {`Switch to ${networkName}`}
        </Button>
      </Stack>
    );
  }
  // Hide the error once the account has been topped up.
  const isResolved = payment.error?.kind === "balanceTooLow" && funds.usdt !== undefined && !funds.isShort;
  const error = isResolved ? null : payment.error;
  const isReading = funds.usdt === undefined && !funds.error;
  const amount = `${formatExactly(funding.amount, numbers)} USDT`;
  return (
    <Stack gap={3}>
      <WalletErrorNote message={error} />
      {funds.isShort && !error ? (
        <Note tone="waiting" live>
          This account holds less than {amount}.
        </Note>
      ) : null}
      {funds.hasNoGas && !error ? (
        <Note tone="waiting" live>
          This account has no ETH for the network fee.
        </Note>
      ) : null}
      <Button
        type="button"
        kind={funds.isShort ? "secondary" : "primary"}
        size="large"
        full
        pending={pendingLabels[payment.step] || (isReading && "Reading the balance…")}
        onClick={() => void payment.pay(account)}
      >
        {`Pay ${amount}`}
      </Button>
    </Stack>
  );
}

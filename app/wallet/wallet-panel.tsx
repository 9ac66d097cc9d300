import { useChains, useConnection } from "wagmi";
import { useHasSandbox } from "~/loaded-data/root-data";
import { text } from "~/styles/text.css";
import { Badge } from "~/ui/badge";
import { Disclosure } from "~/ui/disclosure";
import { Row, Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { onDemand } from "~/ui/on-demand";
import type { WalletRpc } from "./chains";
import { ConnectedWallet } from "./connected-wallet";
import { connectionLabels } from "./connection-labels";
import type { WalletFunding } from "./funding";
import { PayButton } from "./pay-button";
import { PaymentProgress, stateLabels } from "./payment-progress";
import type { StoredPayment } from "./stored-payment";
import { testWalletRdns } from "./test-wallet/identity";
import { UnansweredPayment } from "./unanswered-payment";
import { useConnectionState } from "./use-connection-state";
import { type Funds, useFunds } from "./use-funds";
import { type Payment, usePayment } from "./use-payment";
import * as styles from "./wallet.css";
import { WalletChoices } from "./wallet-choices";
import { toWalletName } from "./wallet-list";
import { WalletProvider } from "./wallet-provider";

const TestFunds = onDemand(() => import("./test-wallet/test-funds"), "Sending test USDT…");

export type WalletPanelProps = {
  funding: WalletFunding;
  /** A payment of this browser that the exchange has not seen yet. */
  underWay: StoredPayment | null;
  /** Whether the customer may pay now. If not, the panel only follows the payment that was under way. */
  canPay: boolean;
  /** Called when the customer drops a payment to make another. */
  onPayAgain?: (() => void) | undefined;
  rpc: WalletRpc;
  /** The number of confirmations the exchange requires, shown while the payment is followed. */
  requiredConfirmations: number;
};

/** Pays the exact amount from a wallet. Load it only with `onDemand`, to keep wagmi out of the first page load. */
export default function WalletPanel({ rpc, ...panel }: WalletPanelProps) {
  return (
    <WalletProvider rpc={rpc}>
      <Panel {...panel} />
    </WalletProvider>
  );
}

function Panel(props: Omit<WalletPanelProps, "rpc">) {
  const { funding, underWay, canPay, onPayAgain, requiredConfirmations } = props;
  const hasSandbox = useHasSandbox();
  const { status, address } = useConnection();
  const payment = usePayment(funding, { underWay, confirmations: requiredConfirmations, canPay });
  const { followed } = payment;
  const state = useConnectionState();
  const labels = connectionLabels[state];
  const isUnanswered = underWay?.state === "asked" && payment.step === "ready";
  if (!canPay && !followed && !isUnanswered) return null;
  function payAgain() {
    payment.drop();
    onPayAgain?.();
  }
  return (
    <Stack gap={4} className={styles.panel}>
      <Row justify="between">
        {/* Once the wallet has been asked for a payment, the heading must not invite the customer to pay again. */}
        <h2 className={text.heading}>{followed || isUnanswered ? "Your wallet" : "Pay with a wallet"}</h2>
        <Badge tone={state === "connected" ? "good" : state === "disconnected" ? "info" : "waiting"}>
          {labels.badge}
        </Badge>
      </Row>
      <LiveRegion>{followed ? stateLabels[followed.state] : isUnanswered ? "" : labels.spoken}</LiveRegion>
      {followed ? (
        <PaymentProgress followed={followed} required={requiredConfirmations} onPayAgain={canPay ? payAgain : null} />
      ) : isUnanswered ? (
        <UnansweredPayment error={payment.error} onPayAgain={payAgain} />
      ) : address && status !== "connecting" ? (
        <>
          <Connected address={address} funding={funding} payment={payment} />
          {underWay?.state === "asked" ? (
            <Disclosure summary="No request in your wallet?">
              <UnansweredPayment error={null} onPayAgain={payAgain} />
            </Disclosure>
          ) : null}
        </>
      ) : (
        <>
          <p className={text.muted}>
            {hasSandbox
              ? "The test wallet is built into this page and holds play money. To use any other wallet, add the sandbox's network to it first."
              : "Your wallet asks you before anything is sent."}
          </p>
          <WalletChoices
            isReconnecting={status === "reconnecting"}
            chainId={funding.chainId}
            hasEarlier={payment.hasEarlier}
          />
        </>
      )}
    </Stack>
  );
}

type ConnectedProps = { address: `0x${string}`; funding: WalletFunding; payment: Payment };

function Connected({ address, funding, payment }: ConnectedProps) {
  const hasSandbox = useHasSandbox();
  const { chainId, chain, connector } = useConnection();
  const funds: Funds = useFunds(address, funding);
  const networkName = useChains().find(({ id }) => id === funding.chainId)?.name ?? `chain ${funding.chainId}`;
  return (
    <Stack gap={4}>
      <ConnectedWallet
        address={address}
        walletName={toWalletName(connector?.name ?? "Wallet")}
        networkName={chain?.name ?? `Chain ${chainId}`}
        funds={funds}
        hasEarlier={payment.hasEarlier || payment.step === "confirming"}
      />
      {hasSandbox && connector?.id === testWalletRdns && funds.isShort ? (
        <TestFunds address={address} amount={funding.amount} onFunded={funds.refetch} />
      ) : (
        <PayButton
          funding={funding}
          account={address}
          connectedChainId={chainId ?? 0}
          networkName={networkName}
          payment={payment}
          funds={funds}
        />
      )}
    </Stack>
  );
}

import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { Note } from "~/ui/note";
import { Timeline, type TimelineStep } from "~/ui/timeline";
import { PayAgain } from "./pay-again";
import { type Followed, type FollowedState, hasEnded } from "./use-followed-transaction";
import { WalletErrorNote } from "./wallet-error-note";

type Props = {
  followed: Followed;
  required: number;
  /** Starts another payment. Null if it is too late to pay. */
  onPayAgain: (() => void) | null;
};

export const stateLabels: Record<FollowedState, string> = {
  sent: "The payment was sent and is waiting for a block.",
  "in-block": "The payment is in a block.",
  confirmed: "The payment is confirmed.",
  cancelled: "The payment was cancelled in the wallet.",
  other: "The wallet sent another transaction in its place.",
  failed: "The payment failed.",
};

/** A payment from sent to confirmed, and what to do if it fails or is replaced. */
export function PaymentProgress({ followed, required, onPayAgain }: Props) {
  const { state, error, wasReplaced, hash } = followed;
  return (
    <Stack gap={3}>
      {hasEnded(followed) ? (
        <Ended state={state} onPayAgain={onPayAgain} />
      ) : (
        <Timeline label="Your payment" steps={toSteps(followed, required)} />
      )}
      {wasReplaced ? <Note>You sped up the payment in your wallet. This is the new transaction.</Note> : null}
      <p className={text.small}>
        Transaction{" "}
        <code className={text.code} translate="no">
          {hash}
        </code>
      </p>
      <WalletErrorNote message={error} />
      {error ? (
        <Button type="button" onClick={followed.retry}>
          Try again
        </Button>
      ) : null}
      {state === "sent" && onPayAgain ? (
        <Disclosure summary="Cancelled, failed or missing in your wallet?">
          <Stack gap={3}>
            <p>
              If your wallet's transaction history doesn't list this payment, or shows it as cancelled or failed, it
              won't arrive, and you can pay again. Otherwise, wait: don't pay twice.
            </p>
            <Button type="button" onClick={onPayAgain}>
              Pay again
            </Button>
          </Stack>
        </Disclosure>
      ) : null}
    </Stack>
  );
}

function Ended({ state, onPayAgain }: { state: FollowedState; onPayAgain: Props["onPayAgain"] }) {
  const title = stateLabels[state];
  const [status, advice] =
    state === "other"
      ? ["If it pays the exact amount to this swap's address, this page shows it.", "Otherwise, pay again."]
      : ["Your USDT hasn't moved. Only the network fee was spent.", "You can pay again while the price is locked."];
  return (
    <PayAgain tone={state === "failed" ? "danger" : "waiting"} title={title} onPayAgain={onPayAgain}>
      <p>{onPayAgain ? `${status} ${advice}` : status}</p>
    </PayAgain>
  );
}

function toSteps({ state, confirmations }: Followed, required: number): TimelineStep[] {
  const inBlock = state !== "sent";
  const confirmed = state === "confirmed";
  return [
    { key: "sent", state: "done", title: "Sent" },
    { key: "block", state: inBlock ? "done" : "current", title: inBlock ? "In a block" : "Waiting for a block" },
    {
      key: "confirmed",
      state: confirmed ? "done" : inBlock ? "current" : "todo",
      title: inBlock
        ? `${Math.min(confirmations, required)} of ${required} confirmations`
        : `${required} confirmations`,
    },
  ];
}

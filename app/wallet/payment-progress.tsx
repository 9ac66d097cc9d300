import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Disclosure } from "~/ui/disclosure";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { Note } from "~/ui/note";
import { Timeline, type TimelineStep } from "~/ui/timeline";
import type { WalletFunding } from "./funding";
import { type Followed, type FollowedState, useFollowedTransaction } from "./use-followed-transaction";
import { WalletTroubleNote } from "./wallet-trouble";

type Props = { funding: WalletFunding; sent: `0x${string}`; required: number; onPayAgain(): void };

const spoken: Record<FollowedState, string> = {
  sent: "The payment was sent and waits for a block.",
  "in-block": "The payment is in a block.",
  confirmed: "The payment is confirmed.",
  cancelled: "The payment was cancelled in the wallet.",
  other: "The wallet sent another transaction in its place.",
  failed: "The payment failed in its block.",
};

/** Sent → in a block → confirmations, and what to do where it came otherwise. */
export function PaymentProgress({ funding, sent, required, onPayAgain }: Props) {
  const followed = useFollowedTransaction(sent, funding, required);
  const { state, trouble, wasReplaced, hash } = followed;
  const over = state === "cancelled" || state === "other" || state === "failed";
  return (
    <Stack gap={3}>
      <LiveRegion>{spoken[state]}</LiveRegion>
      {over ? (
        <Ended state={state} onPayAgain={onPayAgain} />
      ) : (
        <Timeline label="Your payment" steps={toSteps(followed, required)} />
      )}
      {wasReplaced ? <Note>The wallet sped the payment up; this is the new one.</Note> : null}
      <p className={text.small}>
        Transaction <code className={text.code}>{hash}</code>
      </p>
      <WalletTroubleNote words={trouble} />
      {trouble ? (
        <Button type="button" onClick={followed.lookAgain}>
          Look again
        </Button>
      ) : null}
      {state === "sent" ? (
        <Disclosure summary="Is it not in your wallet's list of payments?">
          <Stack gap={3}>
            <p>
              Then it never reached the network, and you may pay once more. If it is in the list, only wait: paying
              twice is harder to mend.
            </p>
            <Button type="button" onClick={onPayAgain}>
              Pay once more
            </Button>
          </Stack>
        </Disclosure>
      ) : null}
    </Stack>
  );
}

function Ended({ state, onPayAgain }: { state: FollowedState; onPayAgain(): void }) {
  const title = spoken[state];
  return (
    <Stack gap={3}>
      <Note tone={state === "failed" ? "danger" : "waiting"} title={title}>
        <p>
          {state === "other"
            ? "If that was a payment of the exact amount to this address, all is well: this page will show it. Otherwise pay again."
            : "Your USDT did not move; only the network's fee was spent. You can pay again while the price is locked."}
        </p>
      </Note>
      <Button type="button" onClick={onPayAgain}>
        Pay again
      </Button>
    </Stack>
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

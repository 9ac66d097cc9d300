import type { Order } from "~/api/contract";
import type { AnswerId } from "~/lib/help-topics";
import type { DecisionReason, OrderStatus } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";

type Answer = { id: AnswerId; question: string };

const late: Answer = { id: "late", question: "What if I pay too late?" };
const refunds: Answer = { id: "refunds", question: "How do refunds work?" };
const waiting: Answer = { id: "waiting", question: "I have paid. Why is nothing happening?" };

const answersByStatus: Partial<Record<OrderStatus, Answer>> = {
  confirming: waiting,
  paying_out: waiting,
  on_hold: waiting,
  refunding: refunds,
  refunded: refunds,
  expired: late,
};

const answersByDecision: Record<DecisionReason, Answer> = {
  late,
  underpaid: { id: "too-little", question: "What if I send too little?" },
  below_minimum: { id: "too-little", question: "What if I send too little?" },
  above_maximum: { id: "too-much", question: "What if I send too much?" },
  payout_failed: refunds,
};

/** A link to the answer that customers look for in this state of an order; nothing if there is none. */
export function OrderHelp({ order: { status, decision } }: { order: Order }) {
  const answer = decision ? answersByDecision[decision.reason] : answersByStatus[status];
  if (!answer) return null;
  return (
    <p className={text.small}>
      Help: <a href={paths.answer(answer.id)}>{answer.question}</a>
    </p>
  );
}

import type { Order } from "~/api/contract";
import { type HelpLink, HelpLinks } from "~/components/help/help-links";
import type { AssetSymbol } from "~/lib/assets";
import type { DecisionReason, OrderStatus } from "~/lib/order-states";

const late: HelpLink = { id: "late", question: "What if I pay too late?" };
const refunds: HelpLink = { id: "refunds", question: "How do refunds work?" };
const waiting: HelpLink = { id: "waiting", question: "I have paid. Why is nothing happening?" };

const answersByStatus: Partial<Record<OrderStatus, HelpLink>> = {
  confirming: waiting,
  paying_out: waiting,
  on_hold: { id: "hold", question: "Why is my swap on hold?" },
  refunding: refunds,
  refunded: refunds,
  expired: late,
};

const answersBeforePayment: Record<AssetSymbol, HelpLink> = {
  USDT: { id: "wrong-network", question: "What if I use the wrong network, or send another coin?" },
  MOB: { id: "signal-limits", question: "What are the limits of payments in Signal?" },
};

const answersByDecision: Record<DecisionReason, HelpLink> = {
  late,
  underpaid: { id: "too-little", question: "What if I send too little?" },
  below_minimum: { id: "too-little", question: "What if I send too little?" },
  above_maximum: { id: "too-much", question: "What if I send too much?" },
  payout_failed: refunds,
};

/** A link to the answer that customers look for in this state of an order; nothing if there is none. */
export function OrderHelp({ order }: { order: Order }) {
  const answer = findAnswer(order);
  return answer ? <HelpLinks links={[answer]} /> : null;
}

function findAnswer({ status, decision, source_asset_symbol }: Order): HelpLink | undefined {
  if (decision) return answersByDecision[decision.reason];
  if (status === "awaiting_deposit") return answersBeforePayment[source_asset_symbol];
  return answersByStatus[status];
}

import { type HelpLink, HelpLinks } from "~/components/help/help-links";
import type { AssetSymbol } from "~/lib/assets";
import type { DecisionReason, OrderStatus } from "~/lib/order-states";
import { toReceived } from "~/swaps/order-sums";
import { type OrderView, useOrderView } from "./order-view";

const late: HelpLink = { id: "late", question: "What if I pay too late?" };
const refunds: HelpLink = { id: "refunds", question: "How do refunds work?" };
const waiting: HelpLink = { id: "waiting", question: "I have paid. Why is nothing happening?" };

const wrongNetwork: HelpLink = {
  id: "wrong-network",
  question: "What if I use the wrong network, or send another coin?",
};

const answersByStatus: Partial<Record<OrderStatus, HelpLink>> = {
  confirming: waiting,
  paying_out: waiting,
  on_hold: { id: "hold", question: "Why is my swap on hold?" },
  refunding: refunds,
  refunded: refunds,
};

const answersBeforePayment: Record<AssetSymbol, HelpLink[]> = {
  USDT: [wrongNetwork],
  MOB: [{ id: "signal-limits", question: "What are the limits of payments in Signal?" }],
};

const answersWithoutPayment: Record<AssetSymbol, HelpLink[]> = { USDT: [late, wrongNetwork], MOB: [late] };

const answersByDecision: Record<DecisionReason, HelpLink> = {
  late,
  underpaid: { id: "too-little", question: "What if I send too little?" },
  below_minimum: { id: "too-little", question: "What if I send too little?" },
  above_maximum: { id: "too-much", question: "What if I send too much?" },
  payout_failed: refunds,
};

/** Links to the answers that customers look for in this state of an order; nothing if there is none. */
export function OrderHelp() {
  const answers = listAnswers(useOrderView());
  return answers.length > 0 ? <HelpLinks links={answers} /> : null;
}

function listAnswers({ order, situation: { underWay, isInGrace } }: OrderView): HelpLink[] {
  const { status, decision, source_asset_symbol } = order;
  if (underWay) return [waiting];
  if (isInGrace) return [late];
  if (decision) return [answersByDecision[decision.reason]];
  if (status === "awaiting_deposit") return answersBeforePayment[source_asset_symbol];
  if (status === "expired") return toReceived(order) === "0" ? answersWithoutPayment[source_asset_symbol] : [late];
  const answer = answersByStatus[status];
  return answer ? [answer] : [];
}

import type { DecisionReason } from "../../lib/order-states";
import type { PaymentRow } from "../db/schema/payments";

/**
 * Why an order was filled: at its locked rate, as its owner has decided, or by an operator for a payout that had been
 * made already.
 */
export type FillReason =
  | { rate: "locked" }
  | { choice: "accept" }
  | { choice: "requote"; quote: number }
  | { paid: string };

type Purpose = PaymentRow["purpose"];

/** What is recorded with each kind of event. Amounts are base units as text, because JSON has no bigint. */
type EventData = {
  created: undefined;
  deposit_seen: { deposits: string[]; amount: string; hashes: string[] };
  deposit_credited: { deposits: string[]; amount: string };
  /** `paid` if all or part of it was, or may have been, paid out already. Without data if the order has no deposit left. */
  deposit_reorged: { deposit: string; paid?: true } | undefined;
  deposit_written_off: { deposit: string };
  /** A deposit that was missing after it had been paid out is in a block again. */
  deposit_found: { deposit: string };
  decision_needed: { reason: DecisionReason };
  decided: { choice: "refund"; by: "user" | "clock" | "operator" };
  /** The first offer of a decision. Later offers that replace it have no event. Only an accepted offer is kept. */
  offer_made: { quote: number };
  filled: FillReason & { source: string; target: string };
  payment_planned: { payment: string; purpose: Purpose; amount: string };
  payment_prepared: { payment: string; hash: string };
  payment_sent: { payment: string; hash: string | null };
  payment_confirmed: { payment: string; purpose: Purpose; hash: string; by?: "operator" };
  payment_failed: { payment: string; reason: string };
  payment_parked: { payment: string; reason: string };
  payment_readdressed: { payment: string; from: string; to: string };
  kept_below_cost: { amount: string };
  /** The cost of the refund was not known. Only recorded if the amount would count as set aside otherwise. */
  refund_postponed: { amount: string };
  completed: undefined;
  /** With data if everything received was less than a refund costs. */
  refunded: { nothing_sent: true } | undefined;
  expired: undefined;
  cancelled: undefined;
  held: { reason: string };
  released: undefined;
};

/** An entry of an order's event log. */
export type OrderEvent = {
  [Kind in keyof EventData]: { kind: Kind; at: Date } & (undefined extends EventData[Kind]
    ? { data?: EventData[Kind] }
    : { data: EventData[Kind] });
}[keyof EventData];

import type { Transaction } from "~/api/contract";
import { Badge } from "~/ui/badge";

type Props = { transaction: Omit<Transaction, "id" | "hash"> & { hash?: string | null } };

/**
 * The status of a deposit, payout or refund. `hash` is null until it is sent, and undefined where hashes are not shown.
 */
export function TransactionBadge({ transaction }: Props) {
  const { status } = transaction;
  return (
    <Badge tone={status === "confirmed" ? "good" : status === "failed" ? "danger" : "waiting"}>
      {toLabel(transaction)}
    </Badge>
  );
}

function toLabel({ status, purpose, hash, confirmations, required_confirmations }: Props["transaction"]): string {
  if (status === "confirmed") return "Confirmed";
  if (status === "failed") return purpose === "deposit" ? "Not counted" : "Failed";
  if (hash === null) return "Not sent yet";
  if (required_confirmations <= 1) return "In progress";
  return `${Math.min(confirmations, required_confirmations)} of ${required_confirmations} confirmations`;
}

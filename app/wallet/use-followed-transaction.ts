import { useQuery } from "@tanstack/react-query";
import { waitForTransactionReceipt } from "viem/actions";
import { useClient, useTransactionConfirmations } from "wagmi";
import { toWalletErrorMessage, type WalletErrorMessage } from "./error-messages";
import type { WalletFunding } from "./funding";
import { readStoredPayment, storePayment } from "./stored-payment";

export type FollowedState = "sent" | "in-block" | "confirmed" | "cancelled" | "other" | "failed";

export type Followed = {
  state: FollowedState;
  /** The current transaction, which differs from the one sent if the wallet sped it up. */
  hash: `0x${string}`;
  wasReplaced: boolean;
  confirmations: number;
  /** Why the transaction could not be followed. The payment itself may still succeed. */
  error: WalletErrorMessage | null;
  retry(): void;
};

/** Whether the payment has not been made, and will not be. */
export function hasEnded({ state }: Followed): boolean {
  return state === "cancelled" || state === "other" || state === "failed";
}

/** Why the wallet sent another transaction in place of the payment. */
type Replacement = "cancelled" | "replaced" | "repriced";

/**
 * Follows a transaction on the chain until it has the required confirmations, including replacements by the wallet
 * (sped up, cancelled, or another transaction). For display only: the exchange uses its own node to decide what it
 * received.
 * @param sent null if there is nothing to follow yet
 */
export function useFollowedTransaction(
  sent: `0x${string}` | null,
  funding: WalletFunding,
  required: number,
): Followed | null {
  const { chainId, address } = funding;
  const client = useClient({ chainId });
  const outcome = useQuery({
    queryKey: ["walletReceipt", chainId, sent],
    enabled: client !== undefined && sent !== null,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      if (!client || !sent) throw new Error("There is no transaction, or its chain is not configured.");
      let replacement = null as Replacement | null;
      const receipt = await waitForTransactionReceipt(client, {
        hash: sent,
        // No timeout: a slow network is not an error.
        timeout: 0,
        onReplaced({ reason }) {
          replacement = reason;
        },
      });
      const stored = readStoredPayment(address);
      // Another tab may have sent another payment since.
      if (stored?.state === sent) {
        const isPaid = (replacement === null || replacement === "repriced") && receipt.status === "success";
        // After a reload, nothing would be found by the hash of a transaction that was replaced.
        storePayment(address, isPaid ? { ...stored, state: receipt.transactionHash } : null);
      }
      return { receipt, replacement };
    },
  });
  const { receipt, replacement } = outcome.data ?? { receipt: null, replacement: null };
  const hash = receipt?.transactionHash ?? sent;
  const counted = useTransactionConfirmations({
    hash: hash ?? undefined,
    chainId,
    query: {
      enabled: receipt?.status === "success",
      staleTime: 0,
      refetchInterval: ({ state }) => (Number(state.data ?? 0n) >= required ? false : 1_500),
    },
  });
  // A transaction in a block has at least one confirmation, even before the count is loaded.
  const confirmations = Math.max(Number(counted.data ?? 0n), receipt ? 1 : 0);
  if (!hash) return null;
  return {
    state: toState(replacement, receipt?.status ?? null, confirmations >= required),
    hash,
    wasReplaced: replacement === "repriced",
    confirmations,
    error: outcome.error ? toWalletErrorMessage(outcome.error, "follow") : null,
    retry: () => void outcome.refetch(),
  };
}

/** The reason for a replacement takes precedence over the receipt, which may be the replacement's. */
export function toState(
  replacement: Replacement | null,
  receipt: "success" | "reverted" | null,
  isConfirmed: boolean,
): FollowedState {
  if (replacement === "cancelled") return "cancelled";
  if (replacement === "replaced") return "other";
  if (receipt === null) return "sent";
  if (receipt === "reverted") return "failed";
  return isConfirmed ? "confirmed" : "in-block";
}

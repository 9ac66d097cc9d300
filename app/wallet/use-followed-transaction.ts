import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { waitForTransactionReceipt } from "viem/actions";
import { useClient, useTransactionConfirmations } from "wagmi";
import { toWalletErrorWords, type WalletErrorWords } from "./error-words";
import type { WalletFunding } from "./funding";
import { keepPayment } from "./kept-payment";

export type FollowedState = "sent" | "in-block" | "confirmed" | "cancelled" | "other" | "failed";

export type Followed = {
  state: FollowedState;
  /** The transaction that counts now: a wallet may have sped it up. */
  hash: `0x${string}`;
  wasReplaced: boolean;
  confirmations: number;
  /** Looking failed, which says nothing about the payment. */
  trouble: WalletErrorWords | null;
  lookAgain(): void;
};

type Replacement = { reason: "cancelled" | "replaced" | "repriced"; hash: `0x${string}` };

/**
 * Follows a transaction as the chain sees it: sent, in a block, confirmed so many times; and
 * what a wallet may do to it meanwhile (sped up, cancelled, another in its place). For the
 * eye alone: the exchange decides by its own node what it was paid.
 */
export function useFollowedTransaction(sent: `0x${string}`, funding: WalletFunding, required: number): Followed {
  const { chainId } = funding;
  const client = useClient({ chainId });
  const [replacement, setReplacement] = useState<Replacement | null>(null);
  const receipt = useQuery({
    queryKey: ["walletReceipt", chainId, sent],
    enabled: client !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: () => {
      if (!client) throw new Error("this chain is not configured");
      return waitForTransactionReceipt(client, {
        hash: sent,
        // A quiet network is no failure: there is no end to waiting but leaving the page.
        timeout: 0,
        onReplaced({ reason, transaction }) {
          setReplacement({ reason, hash: transaction.hash });
          if (reason === "repriced") keepPayment(funding, transaction.hash);
        },
      });
    },
  });
  const hash = receipt.data?.transactionHash ?? replacement?.hash ?? sent;
  const counted = useTransactionConfirmations({
    hash,
    chainId,
    query: {
      enabled: receipt.data?.status === "success",
      staleTime: 0,
      refetchInterval: ({ state }) => (Number(state.data ?? 0n) >= required ? false : 1_500),
    },
  });
  // In a block counts as one, also while the count is not known.
  const confirmations = Math.max(Number(counted.data ?? 0n), receipt.data ? 1 : 0);
  return {
    state: toState(replacement, receipt.data?.status ?? null, confirmations >= required),
    hash,
    wasReplaced: replacement?.reason === "repriced",
    confirmations,
    trouble: receipt.error ? toWalletErrorWords(receipt.error, "follow") : null,
    lookAgain: () => void receipt.refetch(),
  };
}

/** A replaced transaction is judged by what took its place before it is judged by its receipt. */
export function toState(
  replacement: Pick<Replacement, "reason"> | null,
  receipt: "success" | "reverted" | null,
  isConfirmed: boolean,
): FollowedState {
  if (replacement?.reason === "cancelled") return "cancelled";
  if (replacement?.reason === "replaced") return "other";
  if (receipt === null) return "sent";
  if (receipt === "reverted") return "failed";
  return isConfirmed ? "confirmed" : "in-block";
}

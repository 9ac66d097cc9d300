import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { isHash } from "viem";
import { useConfig } from "wagmi";
import { writeContract } from "wagmi/actions";
import { parseAmount } from "~/lib/money";
import { checkPayment } from "./check-payment";
import { WalletCheckError } from "./error-kinds";
import { toWalletErrorMessage, type WalletErrorMessage } from "./error-messages";
import type { WalletFunding } from "./funding";
import { onStoredPayment, readStoredPayment, type StoredPayment, storePayment } from "./stored-payment";
import { transferAbi } from "./token";
import { type Followed, hasEnded, useFollowedTransaction } from "./use-followed-transaction";

export type Payment = {
  step: "ready" | "checking" | "confirming" | "sent";
  /** The payment that was sent. */
  followed: Followed | null;
  /** The customer has dropped an earlier payment, which may still arrive. */
  hasEarlier: boolean;
  error: WalletErrorMessage | null;
  pay(account: `0x${string}`): Promise<void>;
  /**
   * Drops a payment that was cancelled, failed or never sent, or a request without a response, to allow another one.
   */
  drop(): void;
};

type PaymentOptions = {
  /** A payment made in this browser that the exchange has not seen yet. */
  underWay: StoredPayment | null;
  /** The number of confirmations until the payment is confirmed. */
  confirmations: number;
  canPay: boolean;
};

/**
 * One payment of the exact amount: checked, confirmed in the wallet, and stored once sent. The request is stored before
 * the wallet gets it, because the wallet may send the payment after the visitor has left this page.
 */
export function usePayment(funding: WalletFunding, { underWay, confirmations, canPay }: PaymentOptions): Payment {
  const { address } = funding;
  const config = useConfig();
  const stored = useSyncExternalStore(onStoredPayment, () => readStoredPayment(address));
  const hasEarlier = stored?.state === "dropped";
  const sent = underWay && underWay.state !== "asked" && underWay.state !== "dropped" ? underWay.state : null;
  // Followed to its end, even though a payment that was cancelled or failed is no longer stored.
  const [hash, setHash] = useState<`0x${string}` | null>(null);
  if (hash === null && sent !== null) setHash(sent);
  if (hash !== null && hasEarlier) setHash(null);
  const followed = useFollowedTransaction(hash, funding, confirmations);
  // Another tab has paid again. The wallet may also have sped up the payment, whose hash then changes.
  if (followed && hasEnded(followed) && underWay && underWay.state !== hash) setHash(null);
  const [step, setStep] = useState<"ready" | "checking" | "confirming">("ready");
  const [error, setError] = useState<WalletErrorMessage | null>(null);
  /** Counts the requests, because one that was dropped may still get a response. */
  const request = useRef(0);
  /** False once it is too late to pay, another amount is due, or the visitor has left the page. */
  const isOffered = useRef(false);
  useEffect(() => {
    isOffered.current = canPay;
    return () => {
      isOffered.current = false;
    };
  }, [canPay]);

  async function pay(account: `0x${string}`) {
    request.current += 1;
    const own = request.current;
    setError(null);
    setStep("checking");
    const units = parseAmount(funding.amount, "USDT");
    const { tokenAddress, chainId } = funding;
    const askedAt = Date.now();
    let isAsked = false;
    try {
      await checkPayment(config, { ...funding, account, units });
      // With a slow node, this check takes up to a minute.
      if (!isOffered.current) return;
      // Another tab has asked its wallet in the meantime. The page says so once it has been notified.
      if (readStoredPayment(address) !== stored) return;
      storePayment(address, { ...funding, state: "asked", askedAt });
      isAsked = true;
      setStep("confirming");
      const state = await writeContract(config, {
        abi: transferAbi,
        address: tokenAddress,
        functionName: "transfer",
        args: [address, units],
        account,
        chainId,
      });
      // The request stays stored, so that the page doesn't offer to pay a second time.
      if (!isHash(state)) throw new WalletCheckError("maybeSent");
      storePayment(address, { ...funding, state });
    } catch (thrown) {
      if (own !== request.current) return;
      const message = toWalletErrorMessage(thrown, isAsked ? "pay" : "read", hasEarlier);
      const isSettled = isAsked && !message.mayHaveSent;
      const current = readStoredPayment(address);
      // In another tab, the customer may have dropped this request and made another.
      const isCurrent = current?.state === "asked" && current.askedAt === askedAt;
      if (isSettled && isCurrent) storePayment(address, stored);
      setError(message);
    } finally {
      if (own === request.current) setStep("ready");
    }
  }

  return {
    step: hash ? "sent" : step,
    followed,
    hasEarlier,
    error,
    pay,
    drop() {
      const current = readStoredPayment(address);
      if (current?.state === (hash ?? "asked")) storePayment(address, { ...current, state: "dropped" });
      request.current += 1;
      setStep("ready");
      setHash(null);
      setError(null);
    },
  };
}

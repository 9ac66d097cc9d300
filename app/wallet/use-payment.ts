import { useState, useSyncExternalStore } from "react";
import { useConfig } from "wagmi";
import { writeContract } from "wagmi/actions";
import { parseAmount } from "~/lib/money";
import { checkPayment } from "./check-payment";
import { mayHaveSent, toWalletErrorMessage, type WalletErrorMessage } from "./error-messages";
import type { WalletFunding } from "./funding";
import { onStoredPayment, readStoredPayment, storePayment } from "./stored-payment";
import { transferAbi } from "./token";

export type Payment = {
  step: "ready" | "checking" | "confirming" | "sent";
  hash: `0x${string}` | null;
  /** A wallet was asked for the payment, here or in another tab, and has not responded. */
  isAsked: boolean;
  error: WalletErrorMessage | null;
  pay(account: `0x${string}`): Promise<void>;
  /** Forgets a payment that was cancelled or failed, so that another can be made. */
  reset(): void;
};

/**
 * One payment of the exact amount: checked, confirmed in the wallet, and stored once sent. Before it asks
 * the wallet, it stores that it does so, because the payment may be sent after the visitor leaves this page.
 */
export function usePayment(funding: WalletFunding): Payment {
  const config = useConfig();
  const stored = useSyncExternalStore(onStoredPayment, () => readStoredPayment(funding));
  // Followed to its end, even though a payment that was cancelled or failed is no longer stored.
  const [hash, setHash] = useState<`0x${string}` | null>(null);
  if (hash === null && stored !== null && stored !== "asked") setHash(stored);
  const [step, setStep] = useState<"ready" | "checking" | "confirming">("ready");
  const [error, setError] = useState<WalletErrorMessage | null>(null);

  async function pay(account: `0x${string}`) {
    setError(null);
    setStep("checking");
    const units = parseAmount(funding.amount, "USDT");
    const { tokenAddress, chainId, address } = funding;
    let isAsked = false;
    try {
      await checkPayment(config, { ...funding, account, units });
      // Another tab has asked its wallet in the meantime, and the page now says so.
      if (readStoredPayment(funding) !== stored) return;
      storePayment(funding, "asked");
      isAsked = true;
      setStep("confirming");
      const sent = await writeContract(config, {
        abi: transferAbi,
        address: tokenAddress,
        functionName: "transfer",
        args: [address, units],
        account,
        chainId,
      });
      storePayment(funding, sent);
    } catch (thrown) {
      const message = toWalletErrorMessage(thrown, isAsked ? "pay" : "read");
      const isSettled = isAsked && !mayHaveSent(message.kind);
      if (isSettled && readStoredPayment(funding) === "asked") storePayment(funding, stored);
      setError(message);
    } finally {
      setStep("ready");
    }
  }

  return {
    step: hash ? "sent" : step,
    hash,
    isAsked: stored === "asked",
    error,
    pay,
    reset() {
      if (readStoredPayment(funding) === hash) storePayment(funding, null);
      setHash(null);
    },
  };
}

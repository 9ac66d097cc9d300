import { useState } from "react";
import { useConfig } from "wagmi";
import { writeContract } from "wagmi/actions";
import { parseAmount } from "~/lib/money";
import { checkPayment } from "./check-payment";
import { toWalletErrorMessage, type WalletErrorMessage } from "./error-messages";
import type { WalletFunding } from "./funding";
import { clearStoredPayment, readStoredPayment, storePayment } from "./stored-payment";
import { transferAbi } from "./token";

export type Payment = {
  step: "ready" | "checking" | "confirming" | "sent";
  hash: `0x${string}` | null;
  error: WalletErrorMessage | null;
  pay(account: `0x${string}`): Promise<void>;
  /** Clears a payment that was cancelled or failed, so that another can be made. */
  reset(): void;
};

/** One payment of the exact amount: checked, confirmed in the wallet, and stored once sent. */
export function usePayment(funding: WalletFunding): Payment {
  const config = useConfig();
  const [hash, setHash] = useState(() => readStoredPayment(funding));
  const [step, setStep] = useState<"ready" | "checking" | "confirming">("ready");
  const [error, setError] = useState<WalletErrorMessage | null>(null);

  async function pay(account: `0x${string}`) {
    setError(null);
    setStep("checking");
    const units = parseAmount(funding.amount, "USDT");
    const { tokenAddress, chainId, address } = funding;
    try {
      await checkPayment(config, { ...funding, account, units });
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
      setHash(sent);
    } catch (thrown) {
      setError(toWalletErrorMessage(thrown, "pay"));
    } finally {
      setStep("ready");
    }
  }

  return {
    step: hash ? "sent" : step,
    hash,
    error,
    pay,
    reset() {
      clearStoredPayment(funding);
      setHash(null);
    },
  };
}

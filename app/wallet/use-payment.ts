import { useState } from "react";
import { useConfig } from "wagmi";
import { writeContract } from "wagmi/actions";
import { parseAmount } from "~/lib/money";
import { checkPayment } from "./check-payment";
import { toWalletErrorWords, type WalletErrorWords } from "./error-words";
import type { WalletFunding } from "./funding";
import { forgetPayment, keepPayment, readKeptPayment } from "./kept-payment";
import { transferAbi } from "./token";

export type Payment = {
  step: "ready" | "checking" | "confirming" | "sent";
  hash: `0x${string}` | null;
  trouble: WalletErrorWords | null;
  pay(account: `0x${string}`): Promise<void>;
  /** The sent one came to nothing (it was cancelled, or it failed): another may be made. */
  reset(): void;
};

/** One payment of exactly the amount asked for: looked at first, confirmed in the wallet, remembered once sent. */
export function usePayment(funding: WalletFunding): Payment {
  const config = useConfig();
  const [hash, setHash] = useState(() => readKeptPayment(funding));
  const [step, setStep] = useState<"ready" | "checking" | "confirming">("ready");
  const [trouble, setTrouble] = useState<WalletErrorWords | null>(null);

  async function pay(account: `0x${string}`) {
    setTrouble(null);
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
      keepPayment(funding, sent);
      setHash(sent);
    } catch (error) {
      setTrouble(toWalletErrorWords(error, "pay"));
    } finally {
      setStep("ready");
    }
  }

  return {
    step: hash ? "sent" : step,
    hash,
    trouble,
    pay,
    reset() {
      forgetPayment(funding);
      setHash(null);
    },
  };
}

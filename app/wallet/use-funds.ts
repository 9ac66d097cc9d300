import { useBalance, useReadContract } from "wagmi";
import { parseAmount } from "~/lib/money";
import type { WalletFunding } from "./funding";
import { tokenAbi } from "./token";

/** Balances refresh every 8 s. The transport retries (K10), so the query does not. */
const query = { refetchInterval: 8_000, staleTime: 0, retry: false } as const;

export type Funds = {
  /** In micro-USDT and wei; undefined until loaded. */
  usdt: bigint | undefined;
  eth: bigint | undefined;
  /** The account holds less than the amount to pay. */
  isShort: boolean;
  /** The account has no ETH for network fees. */
  hasNoGas: boolean;
  error: Error | null;
  refetch(): void;
};

/** An account's USDT and ETH on the chain of the payment. */
export function useFunds(account: `0x${string}`, { tokenAddress, chainId, amount }: WalletFunding): Funds {
  const eth = useBalance({ address: account, chainId, query });
  const usdt = useReadContract({
    abi: tokenAbi,
    address: tokenAddress,
    functionName: "balanceOf",
    args: [account],
    chainId,
    query,
  });
  return {
    usdt: usdt.data,
    eth: eth.data?.value,
    isShort: usdt.data !== undefined && usdt.data < parseAmount(amount, "USDT"),
    hasNoGas: eth.data?.value === 0n,
    error: usdt.error ?? eth.error,
    refetch() {
      void usdt.refetch();
      void eth.refetch();
    },
  };
}

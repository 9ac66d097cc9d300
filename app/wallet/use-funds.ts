import { useBalance, useReadContract } from "wagmi";
import { parseAmount } from "~/lib/money";
import type { WalletFunding } from "./funding";
import { tokenAbi } from "./token";

/** Fresh enough to press a button by; the transport repeats what fails (K10), so the query does not. */
const query = { refetchInterval: 8_000, staleTime: 0, retry: false } as const;

export type Funds = {
  /** micro-USDT and wei; undefined while not known. */
  usdt: bigint | undefined;
  eth: bigint | undefined;
  /** The account holds less than is to be paid. */
  isShort: boolean;
  /** There is no ETH at all for the fee. */
  hasNoGas: boolean;
  error: Error | null;
  refetch(): void;
};

/** USDT and ETH of an account on the chain that is to be paid on. */
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

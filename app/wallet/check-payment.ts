import { encodeFunctionData } from "viem";
import { getCode } from "viem/actions";
import type { Config } from "wagmi";
import { estimateGas, getConnectorClient, readContract, simulateContract } from "wagmi/actions";
import { toWalletErrorKind, WalletCheckError } from "./error-kinds";
import type { WalletFunding } from "./funding";
import { tokenAbi, transferAbi } from "./token";

export type PlannedPayment = WalletFunding & { account: `0x${string}`; units: bigint };

/**
 * Checks a payment before the wallet is asked to make it: the wallet's chain must have the token, and a simulated
 * transfer must succeed. If the node cannot respond, the payment goes ahead, because the wallet checks it too.
 * @throws WalletCheckError if the payment would fail
 */
export async function checkPayment(config: Config, payment: PlannedPayment): Promise<void> {
  if (await isTokenAbsent(config, payment)) throw new WalletCheckError("tokenAbsent");
  const { tokenAddress, chainId, account, address, units } = payment;
  const args = [address, units] as const;
  try {
    await simulateContract(config, {
      abi: transferAbi,
      address: tokenAddress,
      functionName: "transfer",
      args,
      account,
      chainId,
    });
    const data = encodeFunctionData({ abi: transferAbi, args });
    await estimateGas(config, { account, chainId, to: tokenAddress, data });
  } catch (error) {
    const kind = toWalletErrorKind(error);
    if (kind === "gasMissing" || kind === "balanceTooLow" || kind === "paused" || kind === "blacklisted") {
      throw new WalletCheckError(kind, { cause: error });
    }
    if (kind === "reverted") throw new WalletCheckError(await findRevertReason(config, payment), { cause: error });
  }
}

/** Tether's contract reverts without a reason, so the reason is worked out from its state. */
async function findRevertReason(config: Config, payment: PlannedPayment) {
  const { tokenAddress, chainId, account, units } = payment;
  const token = { abi: tokenAbi, address: tokenAddress, chainId } as const;
  const orNull = <T>(read: Promise<T>) => read.catch(() => null);
  const [paused, blacklisted, balance] = await Promise.all([
    orNull(readContract(config, { ...token, functionName: "paused" })),
    orNull(readContract(config, { ...token, functionName: "isBlackListed", args: [account] })),
    orNull(readContract(config, { ...token, functionName: "balanceOf", args: [account] })),
  ]);
  if (paused) return "paused";
  if (blacklisted) return "blacklisted";
  return balance !== null && balance < units ? "balanceTooLow" : "reverted";
}

/** Calls the wallet's own node, which may be on another chain with the same ID (the sandbox uses Sepolia's). */
async function isTokenAbsent(config: Config, { tokenAddress, chainId, account }: PlannedPayment): Promise<boolean> {
  const client = await getConnectorClient(config, { chainId, account });
  try {
    return (await getCode(client, { address: tokenAddress })) === undefined;
  } catch {
    return false;
  }
}

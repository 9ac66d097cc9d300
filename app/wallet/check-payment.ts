import { encodeFunctionData } from "viem";
import { getCode } from "viem/actions";
import type { Config } from "wagmi";
import { estimateGas, getConnectorClient, readContract, simulateContract } from "wagmi/actions";
import { toWalletTrouble, WalletCheckError } from "./error-kinds";
import type { WalletFunding } from "./funding";
import { tokenAbi, transferAbi } from "./token";

export type PlannedPayment = WalletFunding & { account: `0x${string}`; units: bigint };

/**
 * Looks before a wallet is asked for money: does its chain have this token, and would the
 * transfer go through? A node that cannot say stops nobody; the wallet looks again itself.
 * @throws WalletCheckError where it would fail
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
    const trouble = toWalletTrouble(error);
    if (trouble === "gasMissing" || trouble === "balanceTooLow" || trouble === "paused" || trouble === "blacklisted") {
      throw new WalletCheckError(trouble, { cause: error });
    }
    if (trouble === "reverted") throw new WalletCheckError(await findReason(config, payment), { cause: error });
  }
}

/** Tether reverts without a word: what it would have said is read from its state. */
async function findReason(config: Config, payment: PlannedPayment) {
  const { tokenAddress, chainId, account, units } = payment;
  const token = { abi: tokenAbi, address: tokenAddress, chainId } as const;
  const unlessMissing = <T>(reading: Promise<T>) => reading.catch(() => null);
  const [paused, blacklisted, balance] = await Promise.all([
    unlessMissing(readContract(config, { ...token, functionName: "paused" })),
    unlessMissing(readContract(config, { ...token, functionName: "isBlackListed", args: [account] })),
    unlessMissing(readContract(config, { ...token, functionName: "balanceOf", args: [account] })),
  ]);
  if (paused) return "paused";
  if (blacklisted) return "blacklisted";
  return balance !== null && balance < units ? "balanceTooLow" : "reverted";
}

/** The wallet may reach another chain under the same number (the sandbox bears Sepolia's): it is asked itself. */
async function isTokenAbsent(config: Config, { tokenAddress, chainId, account }: PlannedPayment): Promise<boolean> {
  const client = await getConnectorClient(config, { chainId, account });
  try {
    return (await getCode(client, { address: tokenAddress })) === undefined;
  } catch {
    return false;
  }
}

import {
  ContractFunctionExecutionError,
  ContractFunctionRevertedError,
  ContractFunctionZeroDataError,
  getAddress,
  type Hex,
  parseAbi,
} from "viem";
import type { EthereumHead, EthereumNode } from "./ethereum-nodes";

/**
 * transfer without outputs: USDT returns nothing, and an ABI that says bool cannot decode
 * that (facts 64). What only Tether's contract has may be missing on a test network.
 */
export const tokenAbi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
  "function decimals() view returns (uint256)",
  "function paused() view returns (bool)",
  "function deprecated() view returns (bool)",
  "function basisPointsRate() view returns (uint256)",
  "function isBlackListed(address) view returns (bool)",
]);

export const transferTopic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

export type TokenLog = {
  address: string;
  topics: readonly string[];
  data: string;
  transactionHash: Hex | null;
  blockHash: Hex | null;
  blockNumber: bigint | null;
  logIndex: number | null;
  removed?: boolean;
};

export type TokenTransfer = {
  txHash: Hex;
  /** Which of the transaction's transfers of the token, from 0. See `TransferKey`. */
  ordinal: number;
  from: `0x${string}`;
  to: `0x${string}`;
  value: bigint;
  blockHash: Hex;
  blockNumber: bigint;
};

/**
 * The transfers of exactly this token among logs, which must hold all of a transaction's
 * transfers of it or none. Each is numbered within its transaction: unlike the log index
 * that number stays when a reorg puts the transaction into another block, so that no
 * transfer can be credited under two keys.
 */
export function readTransfers(logs: readonly TokenLog[], token: string): TokenTransfer[] {
  const counts = new Map<string, number>();
  return logs
    .filter((log) => !log.removed && isTransferOf(log, token))
    .sort((a, b) => Number((a.blockNumber ?? 0n) - (b.blockNumber ?? 0n)) || (a.logIndex ?? 0) - (b.logIndex ?? 0))
    .flatMap((log) => {
      const { transactionHash: txHash, blockHash, blockNumber } = log;
      if (txHash === null || blockHash === null || blockNumber === null) return [];
      const ordinal = counts.get(txHash) ?? 0;
      counts.set(txHash, ordinal + 1);
      const [, from, to] = log.topics;
      return {
        txHash,
        ordinal,
        from: toAddress(from),
        to: toAddress(to),
        value: BigInt(log.data),
        blockHash,
        blockNumber,
      };
    });
}

function isTransferOf(log: TokenLog, token: string): boolean {
  return (
    log.address.toLowerCase() === token.toLowerCase() &&
    log.topics.length === 3 &&
    log.topics[0] === transferTopic &&
    log.data.length === 66
  );
}

function toAddress(topic: string | undefined): `0x${string}` {
  return getAddress(`0x${(topic ?? "").slice(-40)}`);
}

/** Gas for one transfer of USDT, with room (a first transfer to an address costs most). */
const transferGas = 100_000n;

/** Why the token cannot be paid out now, in words for the operator, or null. Rejects where the node does not answer. */
export async function findTokenObstacle(
  head: EthereumHead,
  token: `0x${string}`,
  signer: `0x${string}`,
): Promise<string | null> {
  const { node } = head;
  const [paused, deprecated, feeRate, weAreBlocked, wei] = await Promise.all([
    readIfThere(node, token, "paused"),
    readIfThere(node, token, "deprecated"),
    readIfThere(node, token, "basisPointsRate"),
    readIfThere(node, token, "isBlackListed", signer),
    node.client.getBalance({ address: signer }),
  ]);
  if (paused) return "Tether has paused USDT; no transfer goes through.";
  if (deprecated) return "Tether has moved USDT to a new contract.";
  if (weAreBlocked) return "Our payout wallet is on Tether's blacklist.";
  // A payout promises that exactly its amount arrives.
  if (feeRate) return "USDT takes a fee from every transfer at the moment.";
  if (wei < transferGas * head.baseFeePerGas * 2n || wei === 0n)
    return "Our payout wallet has too little ether for gas.";
  return null;
}

/**
 * Why the token must not be paid to an address, in words for its owner, or null: a transfer
 * to a blacklisted one goes through, and its owner can never move what came (T56).
 */
export async function findReceiverObstacle(
  node: EthereumNode,
  token: `0x${string}`,
  receiver: `0x${string}`,
): Promise<string | null> {
  const isBlocked = await readIfThere(node, token, "isBlackListed", receiver);
  return isBlocked ? "This address is on Tether's blacklist: USDT that it gets can never be moved." : null;
}

type Question = "paused" | "deprecated" | "basisPointsRate" | "isBlackListed";

/** Null where the contract has no such function; rejects where the node did not answer. */
async function readIfThere(
  { client }: EthereumNode,
  address: `0x${string}`,
  functionName: Question,
  account?: `0x${string}`,
): Promise<boolean | bigint | null> {
  try {
    if (functionName !== "isBlackListed") return await client.readContract({ address, abi: tokenAbi, functionName });
    return account ? await client.readContract({ address, abi: tokenAbi, functionName, args: [account] }) : null;
  } catch (error) {
    const isMissing =
      error instanceof ContractFunctionExecutionError &&
      error.walk((e) => e instanceof ContractFunctionRevertedError || e instanceof ContractFunctionZeroDataError) !==
        null;
    if (isMissing) return null;
    throw error;
  }
}

import { BaseError, ContractFunctionZeroDataError, ExecutionRevertedError, getAddress, type Hex, parseAbi } from "viem";
import { minGasReserve } from "./fees";
import type { EthereumHeads } from "./heads";
import type { EthereumNodes } from "./nodes";
import type { EthereumNode } from "./query-nodes";

/**
 * USDT's `transfer` returns nothing, unlike ERC-20's, so it has no outputs here: viem could
 * not decode a bool. Functions specific to Tether may be missing on a test network.
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

/** keccak256("Transfer(address,address,uint256)") */
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
  /** Number of the transfer within its transaction, from 0. See `TransferKey`. */
  ordinal: number;
  /** The log's index within its block. */
  blockLogIndex: number;
  from: `0x${string}`;
  to: `0x${string}`;
  /** micro-USDT. */
  value: bigint;
  blockHash: Hex;
  blockNumber: bigint;
};

/**
 * Parses the transfers of exactly this token out of logs. The logs must contain either all
 * transfers of a transaction or none, because transfers are numbered within it. Unlike the
 * log index, that number does not change when a reorg moves the transaction to another
 * block, so no transfer is credited twice.
 *
 * Some nodes return a log more than once, even with hashes in another case. Logs with the same block hash, transaction
 * hash and log index are one log.
 */
export function parseTransfers(logs: readonly TokenLog[], token: string): TokenTransfer[] {
  const counts = new Map<string, number>();
  const known = new Set<string>();
  return logs
    .map(toLowerCase)
    .filter((log) => {
      const key = `${log.blockHash}:${log.transactionHash}:${log.logIndex}`;
      if (log.removed || known.has(key) || !isTransferOf(log, token)) return false;
      known.add(key);
      return true;
    })
    .sort((a, b) => Number((a.blockNumber ?? 0n) - (b.blockNumber ?? 0n)) || (a.logIndex ?? 0) - (b.logIndex ?? 0))
    .flatMap((log) => {
      const { transactionHash: txHash, blockHash, blockNumber, logIndex } = log;
      if (txHash === null || blockHash === null || blockNumber === null || logIndex === null) return [];
      // By block too: around a reorg a node can return the same transaction in two blocks.
      const ordinal = counts.get(`${blockHash}:${txHash}`) ?? 0;
      counts.set(`${blockHash}:${txHash}`, ordinal + 1);
      const [, from, to] = log.topics;
      return {
        txHash,
        ordinal,
        blockLogIndex: logIndex,
        from: toAddress(from),
        to: toAddress(to),
        value: BigInt(log.data),
        blockHash,
        blockNumber,
      };
    });
}

/** Hexadecimal digits have no case, but everything after this compares text. */
function toLowerCase(log: TokenLog): TokenLog {
  const lower = (hex: Hex | null) => (hex === null ? null : (hex.toLowerCase() as Hex));
  return {
    ...log,
    topics: log.topics.map((topic) => topic.toLowerCase()),
    transactionHash: lower(log.transactionHash),
    blockHash: lower(log.blockHash),
  };
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

type Payer = { token: `0x${string}`; signer: `0x${string}` };

/** Our wallet's ether, and why it cannot pay out the token now, as a sentence for the operator; or null. */
export async function readPayer(
  nodes: EthereumNodes,
  heads: EthereumHeads,
  { maxFeePerGas, ...payer }: Payer & { maxFeePerGas: bigint },
): Promise<{ wei: bigint; blockReason: string | null }> {
  const [tokenReason, wei] = await Promise.all([
    nodes.agree(({ node }) => findTokenBlockReason(node, payer), heads),
    nodes.reach(({ node }) => node.client.getBalance({ address: payer.signer }), heads),
  ]);
  // Nodes require a balance that covers the most that a payment may cost.
  const isShort = wei < minGasReserve * maxFeePerGas;
  return {
    wei,
    blockReason: tokenReason ?? (isShort ? "Our payout wallet does not have enough ether for gas." : null),
  };
}

/** Why the token cannot be paid out, however much ether we have. Rejects when the node does not respond. */
async function findTokenBlockReason(node: EthereumNode, { token, signer }: Payer): Promise<string | null> {
  const [paused, deprecated, feeRate, isBlacklisted] = await Promise.all([
    readOptional(node, token, "paused"),
    readOptional(node, token, "deprecated"),
    readOptional(node, token, "basisPointsRate"),
    readOptional(node, token, "isBlackListed", signer),
  ]);
  if (paused) return "Tether has paused all USDT transfers.";
  if (deprecated) return "Tether has moved USDT to a new contract.";
  if (isBlacklisted) return "Our payout wallet is on Tether's blacklist.";
  // The exact amount of a payout must arrive.
  return feeRate ? "Tether charges a fee on every USDT transfer." : null;
}

/**
 * Why the token must not be paid to an address, as a sentence for its owner; or null. A
 * transfer to a blacklisted address succeeds, but its owner can never move the USDT (T56).
 */
export async function findReceiverBlockReason(
  node: EthereumNode,
  token: `0x${string}`,
  receiver: `0x${string}`,
): Promise<string | null> {
  const isBlacklisted = await readOptional(node, token, "isBlackListed", receiver);
  return isBlacklisted ? "This address is on Tether's blacklist. USDT sent to it can never be moved." : null;
}

type OptionalFunction = "paused" | "deprecated" | "basisPointsRate" | "isBlackListed";

/** Null if the contract does not have the function. Rejects if the node does not respond. */
async function readOptional(
  { client }: EthereumNode,
  address: `0x${string}`,
  functionName: OptionalFunction,
  account?: `0x${string}`,
): Promise<boolean | bigint | null> {
  try {
    if (functionName !== "isBlackListed") return await client.readContract({ address, abi: tokenAbi, functionName });
    return account ? await client.readContract({ address, abi: tokenAbi, functionName, args: [account] }) : null;
  } catch (error) {
    if (isRefusedByContract(error)) return null;
    throw error;
  }
}

/**
 * Whether a call failed because of the contract, which may not have the function, and not because of the node. viem's
 * `ContractFunctionRevertedError` does not show that, because viem also throws it for a node's internal error (-32603).
 */
export function isRefusedByContract(error: unknown): boolean {
  if (!(error instanceof BaseError)) return false;
  const refusal = error.walk((e) => e instanceof ExecutionRevertedError || e instanceof ContractFunctionZeroDataError);
  // Hardhat reports a revert as an internal error.
  return refusal !== null || /revert/i.test(error.details);
}

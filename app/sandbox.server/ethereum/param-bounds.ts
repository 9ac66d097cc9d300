import { z } from "zod";
import { minBigint } from "../../lib/bigint";

/**
 * The total gas for the calls of one request that run code: far more than wallets need. Without a limit, anvil would
 * run them for as long as the caller's play money lasts, without serving anyone else in the meantime. The two methods
 * that search for a value run the code many times.
 */
const gasPerRequest = { once: 10_000_000n, manyTimes: 1_000_000n };
/** Wallets request the last few blocks. For more, anvil would build megabytes. */
const feeHistory = { blocks: 20n, percentiles: 20 };
/**
 * A call for the logs of more blocks than this must be the only one in its request, because anyone can fill blocks with
 * logs.
 */
const logBlocks = 10;

const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i);
/** A transaction without fields that wallets never send. */
const transaction = z.object({
  from: z.unknown(),
  to: z.unknown(),
  gas: quantity.transform(BigInt).nullish(),
  gasPrice: z.unknown(),
  maxFeePerGas: z.unknown(),
  maxPriorityFeePerGas: z.unknown(),
  value: z.unknown(),
  data: z.unknown(),
  input: z.unknown(),
  nonce: z.unknown(),
  chainId: z.unknown(),
  type: z.unknown(),
  accessList: z.unknown(),
});
/** The parameters after the block would override the state or the block, and its gas limit with it. */
const runParams = z.union([z.tuple([transaction]), z.tuple([transaction, z.unknown()])]);
const runMethods: ReadonlyMap<string, keyof typeof gasPerRequest> = new Map([
  ["eth_call", "once"],
  ["eth_createAccessList", "manyTimes"],
  ["eth_estimateGas", "manyTimes"],
]);
const feeHistoryParams = z
  .tuple([z.union([quantity, z.number().int().nonnegative()]).transform(BigInt), z.unknown()])
  .rest(z.array(z.unknown()).max(feeHistory.percentiles).nullish());
const logBlock = z.union([quantity, z.enum(["earliest", "finalized", "safe", "latest", "pending"])]);
const logParams = z.tuple([
  z.object({
    address: z.unknown(),
    topics: z.unknown(),
    blockHash: z.unknown(),
    fromBlock: logBlock.nullish(),
    toBlock: logBlock.nullish(),
  }),
]);

type Params = unknown[] | Record<string, unknown> | undefined;

/** Whether calls of a method run code on the chain. */
export function runsCode(method: string): boolean {
  return runMethods.has(method);
}

/** Whether a call reads the logs of many blocks. */
export function readsManyLogs({ method, params }: { method?: unknown; params?: unknown }): boolean {
  if (method !== "eth_getLogs") return false;
  const parsed = logParams.safeParse(params);
  if (!parsed.success || parsed.data[0].blockHash !== undefined) return false;
  const [from, to] = [parsed.data[0].fromBlock ?? "latest", parsed.data[0].toBlock ?? "latest"];
  if (isNumber(from) && isNumber(to)) return Number(to) - Number(from) >= logBlocks;
  return !(isNewest(from) && isNewest(to));
}

/**
 * Limits what the parameters of a call make anvil do. Returns null if they are not what wallets send, or ask for too
 * much. `runs` calls of the same request run code.
 */
export function boundParams({ method, params }: { method: string; params?: Params }, runs: number): Params | null {
  const run = runMethods.get(method);
  if (run) return boundRun(params, gasPerRequest[run] / BigInt(runs));
  if (method === "eth_feeHistory") return boundFeeHistory(params);
  if (method === "eth_getLogs") return boundLogs(params);
  return params;
}

function boundRun(params: Params, maxGas: bigint): Params | null {
  const parsed = runParams.safeParse(params);
  if (!parsed.success) return null;
  const [{ gas, ...fields }, ...block] = parsed.data;
  return [{ ...fields, gas: toHex(minBigint(gas ?? maxGas, maxGas)) }, ...block];
}

function boundFeeHistory(params: Params): Params | null {
  const parsed = feeHistoryParams.safeParse(params);
  if (!parsed.success) return null;
  const [blocks, ...others] = parsed.data;
  return [toHex(minBigint(blocks, feeHistory.blocks)), ...others];
}

function boundLogs(params: Params): Params | null {
  const parsed = logParams.safeParse(params);
  if (!parsed.success) return null;
  const { blockHash, fromBlock, toBlock, ...filter } = parsed.data[0];
  if (blockHash !== undefined) return [{ ...filter, blockHash }];
  return [{ ...filter, fromBlock: fromBlock ?? "latest", toBlock: toBlock ?? "latest" }];
}

function isNewest(block: string): boolean {
  return block === "latest" || block === "pending";
}

function isNumber(block: string): boolean {
  return block.startsWith("0x");
}

function toHex(quantity: bigint): string {
  return `0x${quantity.toString(16)}`;
}

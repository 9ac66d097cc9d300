import { z } from "zod";
import { createTurns } from "../take-turns";
import { boundParams, readsManyLogs, runsCode } from "./param-bounds";
import { createTransactionLimits, readRawTransaction, transactionGasPerRequest } from "./raw-transactions";

/**
 * What wallets and scripts may call: reads, and transactions that they signed themselves. anvil has many more calls,
 * such as `anvil_reset`, which fetches any URL (T19), and calls that change balances, the clock or the whole chain.
 * Filters are left out, because anvil stores them for the caller.
 */
const allowedMethods: ReadonlySet<string> = new Set([
  "eth_accounts",
  "eth_blobBaseFee",
  "eth_blockNumber",
  "eth_call",
  "eth_chainId",
  "eth_createAccessList",
  "eth_estimateGas",
  "eth_feeHistory",
  "eth_gasPrice",
  "eth_getBalance",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getBlockReceipts",
  "eth_getBlockTransactionCountByHash",
  "eth_getBlockTransactionCountByNumber",
  "eth_getCode",
  "eth_getLogs",
  "eth_getProof",
  "eth_getStorageAt",
  "eth_getTransactionByBlockHashAndIndex",
  "eth_getTransactionByBlockNumberAndIndex",
  "eth_getTransactionByHash",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt",
  "eth_maxPriorityFeePerGas",
  "eth_sendRawTransaction",
  "eth_syncing",
  "net_listening",
  "net_version",
  "web3_clientVersion",
  "web3_sha3",
]);

/** What the calls of one request may cost together. A wallet sends a few at a time. */
const maxCost = 50;
/** Calls that are far more work for the chain or the site than the others, which cost 1. */
const costs: ReadonlyMap<string, number> = new Map([
  ["eth_feeHistory", 5],
  ["eth_getBlockByHash", 5],
  ["eth_getBlockByNumber", 5],
  ["eth_getBlockReceipts", 10],
  ["eth_getLogs", 10],
  ["eth_getProof", 10],
  ["eth_sendRawTransaction", 5],
]);
/**
 * How many requests the chain serves at a time, with at most one per network: reads, and requests that run code. The
 * chain has two threads.
 */
const parallel = { reads: 4, runs: 2 };

const callSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.unknown())]).optional(),
});

const quantitySchema = z.object({ result: z.string().transform(Number) });

type Call = z.infer<typeof callSchema>;
/** Sends one call or a batch to anvil. Resolves with the response's text, which is empty if there is none. */
type Forward = (body: Call | Call[]) => Promise<string>;

/**
 * Returns a function that forwards the allowed calls of a JSON-RPC body, and responds to the others with an error
 * (JSON-RPC 2.0, section 5.1). The calls are rebuilt, so anvil never sees anything that was not checked. It resolves
 * with the response's text, which is empty if there is nothing to send back. anvil's responses are parsed only if
 * necessary, because parsing keeps everyone else waiting (T14).
 */
export function createWalletCalls(forward: Forward): (body: unknown, network: string) => Promise<string> {
  const queues = { reads: createTurns(parallel.reads), runs: createTurns(parallel.runs) };
  const read = async (method: string, params: unknown[]) =>
    quantitySchema.parse(JSON.parse(await forward({ jsonrpc: "2.0", id: 1, method, params }))).result;
  const limits = createTransactionLimits((...params) => read("eth_getTransactionCount", params));
  /** Why a call must not be sent, or null. */
  const refuseTransaction = async ({ method, params }: Call, network: string, shares: Shares) => {
    if (method !== "eth_sendRawTransaction") return null;
    const transaction = await readRawTransaction(params);
    if (transaction === null) return "This is not a signed transaction.";
    shares.transactionGas += transaction.gas;
    const max = transactionGasPerRequest;
    if (shares.transactionGas > max) return `The transactions of a request may use ${max} gas together.`;
    return limits.admit(transaction, network);
  };
  const check = async (item: unknown, network: string, shares: Shares): Promise<Checked> => {
    const parsed = callSchema.safeParse(item);
    if (!parsed.success) return { call: null, refusal: toError(null, -32600, "This is not a JSON-RPC 2.0 call.") };
    const call = parsed.data;
    if (!allowedMethods.has(call.method)) return refuse(call, -32601, "The sandbox does not offer this method.");
    const params = boundParams(call, shares.runs);
    if (params === null) return refuse(call, -32602, "The sandbox does not accept these parameters.");
    const reason = await refuseTransaction(call, network, shares);
    return reason === null ? { call: { ...call, params }, refusal: null } : refuse(call, -32005, reason);
  };

  return async (body, network) => {
    const items: unknown[] = [body].flat();
    const cost = items.reduce<number>((sum, item) => sum + toCost(item), 0);
    if (items.length === 0 || cost > maxCost) {
      const message = `A batch has 1 to ${maxCost} calls. Large reads and transactions count as 5, 10 or ${maxCost}.`;
      return JSON.stringify(toError(null, -32600, message));
    }
    const runs = items.filter((item) => runsCode(toMethod(item))).length;
    const shares: Shares = { runs, transactionGas: 0n };
    return queues[runs > 0 ? "runs" : "reads"](network, async () => {
      const checked: Checked[] = [];
      for (const item of items) checked.push(await check(item, network, shares));
      return Array.isArray(body) ? forwardBatch(checked, forward) : forwardOne(checked, forward);
    });
  };
}

function toMethod(item: unknown): string {
  const { method } = Object(item) as { method?: unknown };
  return typeof method === "string" ? method : "";
}

function toCost(item: unknown): number {
  if (readsManyLogs(Object(item))) return maxCost;
  return costs.get(toMethod(item)) ?? 1;
}

/** The budgets that the calls of a request share. */
type Shares = { runs: number; transactionGas: bigint };
type Checked = { call: Call | null; refusal: object | null };

async function forwardOne([checked]: Checked[], forward: Forward): Promise<string> {
  if (checked?.call) return forward(checked.call);
  return checked?.refusal ? JSON.stringify(checked.refusal) : "";
}

async function forwardBatch(checked: Checked[], forward: Forward): Promise<string> {
  const calls = checked.flatMap(({ call }) => call ?? []);
  const text = calls.length === 0 ? "" : await forward(calls);
  if (checked.every(({ refusal }) => refusal === null)) return text;
  const fromAnvil: unknown[] = text === "" ? [] : [JSON.parse(text)].flat();
  // In the order of the calls. Notifications get no response, so anvil skipped them too.
  const responses = checked.flatMap(({ call, refusal }) => {
    if (refusal) return [refusal];
    return call?.id === undefined || fromAnvil.length === 0 ? [] : [fromAnvil.shift()];
  });
  return JSON.stringify([...responses, ...fromAnvil]);
}

function refuse({ id }: Call, code: number, message: string): Checked {
  return { call: null, refusal: id === undefined ? null : toError(id, code, message) };
}

function toError(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

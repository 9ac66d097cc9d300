import { z } from "zod";
import { walletRpcBatchSize } from "../../lib/constants";
import { createTransactionLimits, readRawTransaction, transactionGasPerRequest } from "./raw-transactions";
import { createTurns } from "./turns";

/**
 * What wallets and scripts may call: reads, and transactions that they signed themselves. anvil has
 * much more, such as `anvil_reset`, which fetches any URL (T19), and calls that change balances, the
 * clock or the whole chain. Filters are left out, because anvil stores them for the caller.
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

/**
 * What the calls of one request that run code may use together: far more than wallets need. anvil runs them for as long
 * as the caller pays with play money, and serves nobody else meanwhile. For the two methods that search for a value, it
 * runs the code many times.
 */
const gasPerRequest = { once: 10_000_000n, manyTimes: 1_000_000n };
/** How many requests may run code on the chain at a time, at most one per network. The chain has two threads. */
const parallelRuns = 2;
/** Wallets ask for the last few blocks. anvil would build megabytes. */
const feeHistory = { blocks: 100, percentiles: 20 };

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform(BigInt);
/** A transaction without the fields that wallets do not send. */
const transaction = z.object({
  from: z.unknown(),
  to: z.unknown(),
  gas: quantity.nullish(),
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
  .tuple([z.union([quantity, z.number().int().nonnegative().transform(BigInt)]), z.unknown()])
  .rest(z.array(z.unknown()).max(feeHistory.percentiles).nullish());

const callSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.unknown())]).optional(),
});

const nonceSchema = z.object({ result: z.string().transform(Number) });

type Call = z.infer<typeof callSchema>;
/** Sends one call or a batch to anvil. Resolves with null if there is no response. */
type Forward = (body: Call | Call[]) => Promise<unknown>;

/**
 * Returns a function that forwards the calls of a JSON-RPC body that are allowed, and answers the others with an error
 * (JSON-RPC 2.0, section 5.1). The calls are rebuilt, so anvil never sees anything that was not
 * checked. It resolves with null if there is nothing to respond.
 */
export function createWalletCalls(forward: Forward): (body: unknown, network: string) => Promise<unknown> {
  const turns = createTurns(parallelRuns);
  const limits = createTransactionLimits(async (address) => {
    const method = "eth_getTransactionCount";
    return nonceSchema.parse(await forward({ jsonrpc: "2.0", id: 1, method, params: [address, "latest"] })).result;
  });
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
  const checkFully = async (item: unknown, network: string, shares: Shares): Promise<Checked> => {
    const checked = check(item, shares.runs);
    const reason = checked.call && (await refuseTransaction(checked.call, network, shares));
    return checked.call && reason ? refuse(checked.call, -32005, reason) : checked;
  };

  return async (body, network) => {
    const items: unknown[] = [body].flat();
    if (items.length === 0 || items.length > walletRpcBatchSize) {
      return toError(null, -32600, `A batch has 1 to ${walletRpcBatchSize} calls.`);
    }
    const shares: Shares = { runs: items.filter(runsCode).length, transactionGas: 0n };
    const checked: Checked[] = [];
    for (const item of items) checked.push(await checkFully(item, network, shares));
    const answer = () => (Array.isArray(body) ? answerBatch(checked, forward) : answerOne(checked, forward));
    return shares.runs > 0 ? turns(network, answer) : answer();
  };
}

function runsCode(item: unknown): boolean {
  return runMethods.has((item as Partial<Call> | null)?.method ?? "");
}

/** What the calls of a request share. */
type Shares = { runs: number; transactionGas: bigint };
type Checked = { call: Call | null; refusal: object | null };

async function answerOne([checked]: Checked[], forward: Forward): Promise<unknown> {
  return checked?.call ? forward(checked.call) : (checked?.refusal ?? null);
}

async function answerBatch(checked: Checked[], forward: Forward): Promise<unknown> {
  const calls = checked.flatMap(({ call }) => call ?? []);
  const response = calls.length === 0 ? null : await forward(calls);
  const answers: unknown[] = Array.isArray(response) ? [...response] : response === null ? [] : [response];
  // In the order of the calls. Notifications get no answer, so anvil skipped them too.
  const responses = checked.flatMap(({ call, refusal }) => {
    if (refusal) return [refusal];
    return call?.id === undefined || answers.length === 0 ? [] : [answers.shift()];
  });
  return [...responses, ...answers].length === 0 ? null : [...responses, ...answers];
}

/** Checks a call of a request in which `runs` calls run code. */
function check(item: unknown, runs: number): Checked {
  const parsed = callSchema.safeParse(item);
  if (!parsed.success) return { call: null, refusal: toError(null, -32600, "This is not a JSON-RPC 2.0 call.") };
  const call = parsed.data;
  if (!allowedMethods.has(call.method)) return refuse(call, -32601, "The sandbox does not offer this method.");
  const params = boundParams(call, runs);
  if (params === null) return refuse(call, -32602, "The sandbox does not accept these parameters.");
  return { call: { ...call, params }, refusal: null };
}

function refuse({ id }: Call, code: number, message: string): Checked {
  return { call: null, refusal: id === undefined ? null : toError(id, code, message) };
}

/** The parameters of a call, with what they make anvil do limited. Null if they are not what wallets send. */
function boundParams({ method, params }: Call, runs: number): Call["params"] | null {
  const run = runMethods.get(method);
  if (run) {
    const parsed = runParams.safeParse(params);
    if (!parsed.success) return null;
    const maxGas = gasPerRequest[run] / BigInt(runs);
    const [{ gas, ...fields }, ...block] = parsed.data;
    return [{ ...fields, gas: toHex(min(gas ?? maxGas, maxGas)) }, ...block];
  }
  if (method === "eth_feeHistory") {
    const parsed = feeHistoryParams.safeParse(params);
    if (!parsed.success) return null;
    const [blocks, ...others] = parsed.data;
    return [toHex(min(blocks, BigInt(feeHistory.blocks))), ...others];
  }
  return params;
}

function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

function toHex(quantity: bigint): string {
  return `0x${quantity.toString(16)}`;
}

function toError(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

import { z } from "zod";
import { walletRpcBatchSize } from "../../lib/constants";

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
 * What the calls of one request that run code may use together: a third of a block, and far more than wallets need.
 * anvil would run them for as long as the caller pays for, with play money, and stops serving others meanwhile.
 */
const gasPerRequest = 10_000_000n;
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
const runMethods: ReadonlySet<string> = new Set(["eth_call", "eth_createAccessList", "eth_estimateGas"]);
const feeHistoryParams = z
  .tuple([z.union([quantity, z.number().int().nonnegative().transform(BigInt)]), z.unknown()])
  .rest(z.array(z.unknown()).max(feeHistory.percentiles).nullish());

const callSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string(),
  params: z.union([z.array(z.unknown()), z.record(z.unknown())]).optional(),
});

type Call = z.infer<typeof callSchema>;
/** Sends one call or a batch to anvil. Resolves with null if there is no response. */
type Forward = (body: Call | Call[]) => Promise<unknown>;

/**
 * Forwards the calls of a JSON-RPC body that are allowed, and answers the others with an error
 * (JSON-RPC 2.0, section 5.1). The calls are rebuilt, so anvil never sees anything that was not
 * checked. Resolves with null if there is nothing to respond.
 */
export async function forwardWalletCalls(body: unknown, forward: Forward): Promise<unknown> {
  if (!Array.isArray(body)) {
    const { call, refusal } = check(body);
    return call ? forward(call) : refusal;
  }
  if (body.length === 0 || body.length > walletRpcBatchSize) {
    return toError(null, -32600, `A batch has 1 to ${walletRpcBatchSize} calls.`);
  }
  const runs = body.filter((item) => runMethods.has(item?.method)).length;
  const checked = body.map((item) => check(item, Math.max(1, runs)));
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

type Checked = { call: Call | null; refusal: object | null };

/** Checks a call of a request in which `runs` calls run code. */
function check(item: unknown, runs = 1): Checked {
  const parsed = callSchema.safeParse(item);
  if (!parsed.success) return { call: null, refusal: toError(null, -32600, "This is not a JSON-RPC 2.0 call.") };
  const call = parsed.data;
  const refuse = (code: number, message: string) => ({
    call: null,
    refusal: call.id === undefined ? null : toError(call.id, code, message),
  });
  if (!allowedMethods.has(call.method)) return refuse(-32601, "The sandbox does not offer this method.");
  const params = boundParams(call, gasPerRequest / BigInt(runs));
  if (params === null) return refuse(-32602, "The sandbox does not accept these parameters.");
  return { call: { ...call, params }, refusal: null };
}

/** The parameters of a call, with what they make anvil do limited. Null if they are not what wallets send. */
function boundParams({ method, params }: Call, maxGas: bigint): Call["params"] | null {
  if (runMethods.has(method)) {
    const parsed = runParams.safeParse(params);
    if (!parsed.success) return null;
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

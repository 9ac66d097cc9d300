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
  const checked = body.map(check);
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

function check(item: unknown): Checked {
  const parsed = callSchema.safeParse(item);
  if (!parsed.success) return { call: null, refusal: toError(null, -32600, "This is not a JSON-RPC 2.0 call.") };
  const call = parsed.data;
  if (allowedMethods.has(call.method)) return { call, refusal: null };
  if (call.id === undefined) return { call: null, refusal: null };
  return { call: null, refusal: toError(call.id, -32601, "The sandbox does not offer this method.") };
}

function toError(id: string | number | null, code: number, message: string): object {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

import { mainSubaddress, toPointHex } from "~/sandbox.server/mobilecoin/keys";
import type { Account, Entry, TxOut } from "~/sandbox.server/mobilecoin/ledger";
import { createMethods } from "~/sandbox.server/mobilecoin/methods";
import { createNetwork } from "~/sandbox.server/mobilecoin/network";
import { LostResponseError, type SubmitFault } from "~/sandbox.server/mobilecoin/payments";
import { RpcError } from "~/sandbox.server/mobilecoin/rpc-error";
import type { View } from "~/sandbox.server/mobilecoin/shapes";

const mob = 10n ** 12n;

/** Public keys of minted outputs: each costs a millisecond to derive, and every history may have the same. */
const mintedKeys: string[] = [];
function toMintedKey(serial: number): string {
  while (mintedKeys.length <= serial) mintedKeys.push(toPointHex("minted", String(mintedKeys.length)));
  return mintedKeys[serial] as string;
}

/**
 * The sandbox's full-service wallet without HTTP and without timers: `fetch` responds to the JSON-RPC calls of the
 * production client, and blocks are made by the caller.
 */
export async function createMobilecoinSimulation(seed: string) {
  const entries: Entry[] = [];
  const journal = { entries, append: async () => undefined, close: async () => undefined };
  const network = createNetwork(journal, 1_000_000, () => undefined);
  network.hold(true);
  await network.change((commit) =>
    commit([
      { kind: "opened", version: 1, at: new Date(0).toISOString() },
      { kind: "account", seed: `exchange:${seed}`, name: "Exchange" },
    ]),
  );
  const [account] = [...network.ledger.accounts.values()] as [Account];
  let serial = 0;
  const mint = (recipient: string, amount: bigint): TxOut => ({
    publicKey: toMintedKey(serial++),
    value: amount.toString(),
    tokenId: "0",
    recipient,
    sender: null,
  });
  const main = account.addresses.get(mainSubaddress)?.b58 ?? "";
  await network.makeBlock(Array.from({ length: 16 }, () => mint(main, 62_500n * mob)));

  const view: View = { chainId: "sandbox", synced: true, sealKey: account.id, scanned: null };
  const submitFaults: SubmitFault[] = [];
  const faults = { down: false, resyncing: false };
  const refused = new Set<string>();
  const methods: Partial<Record<string, (params: unknown) => unknown>> = createMethods(network, view, () =>
    submitFaults.shift(),
  );

  async function respond(body: string): Promise<unknown> {
    const { method, params, id } = JSON.parse(body) as { method: string; params: unknown; id: unknown };
    try {
      if (faults.resyncing) throw new RpcError("Resync", "Resync in progress, please wait ... (42% complete)");
      const run = methods[method];
      if (method === "submit_transaction" && refused.has(toRecipient(params))) {
        throw new RpcError(
          "Retry(Error { error: TransactionValidation(Refused), total_delay: 1.2s, tries: 3 })",
          "The network refuses the transaction",
        );
      }
      if (!run) throw new RpcError("UnknownMethod", "Could not parse the method", -32600);
      return { method, result: await run(params), jsonrpc: "2.0", id };
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      const data = { server_error: error.serverError, details: error.details };
      return { method, error: { code: error.code, message: "InternalError", data }, jsonrpc: "2.0", id };
    }
  }

  return {
    accountId: account.id,
    faults,
    view,
    async fetch(request: Request | string | URL): Promise<Response> {
      if (!(request instanceof Request)) throw new TypeError("the client sends a request");
      if (faults.down) throw new TypeError("fetch failed");
      try {
        return toResponse(JSON.stringify(await respond(await request.text())));
      } catch (error) {
        if (error instanceof LostResponseError) throw new TypeError("fetch failed");
        throw error;
      }
    },
    /** Addresses to which the network refuses payments. */
    refused,
    endFaults() {
      faults.down = false;
      faults.resyncing = false;
      submitFaults.length = 0;
    },
    faultSubmit: (fault: SubmitFault) => void submitFaults.push(fault),
    /** Puts an output to this address into a separate block: a customer's payment. */
    pay: (address: string, amount: bigint) => network.makeBlock([mint(address, amount)]),
    /** Makes a block with everything that waits, and an output without an owner. */
    makeBlock: () => network.makeBlock([mint("nobody", 1n)]),
    /** Changes with every block. */
    getRevision: () => network.ledger.height,
    countWaiting: () => network.ledger.mempool.size,
    /** Every payment of the exchange's account that is in a block. */
    listPayments: () =>
      [...network.ledger.logs.values()]
        .flatMap(({ tx }) => tx.payload)
        .filter(({ publicKey }) => network.ledger.outputs.has(publicKey))
        .map(({ recipient, value, publicKey }) => ({ to: recipient, value: BigInt(value), hash: publicKey })),
    /** What came from outside to funding addresses, by address. */
    listReceived: () =>
      account.txos
        .filter(({ subaddressIndex, sender }) => subaddressIndex !== mainSubaddress && sender === null)
        .map(({ subaddressIndex, value, id }) => ({
          address: account.addresses.get(subaddressIndex)?.b58 ?? "",
          value,
          id,
        })),
    stop: () => network.stop(),
  };
}

/**
 * What the client's library reads of a request. A real one, and its copy for a retry, cost as much as the wallet's
 * work.
 */
class SimulatedRequest {
  readonly body = null;
  readonly url: string;
  readonly method: string;
  readonly headers: Headers;
  readonly signal: AbortSignal | null;
  constructor(
    input: string | URL,
    private readonly init: RequestInit = {},
  ) {
    this.url = String(input);
    this.method = init.method ?? "GET";
    this.headers = new Headers(init.headers);
    this.signal = init.signal ?? null;
  }
  clone(): SimulatedRequest {
    return this;
  }
  async text(): Promise<string> {
    return String(this.init.body ?? "");
  }
}

/** Replaces the requests of this process with simulated ones. Returns a function that undoes it. */
export function replaceRequests(): () => void {
  const { Request: real } = globalThis;
  globalThis.Request = SimulatedRequest as unknown as typeof Request;
  return () => {
    globalThis.Request = real;
  };
}

/** What the client reads of a response. A real one costs as much as the wallet's work. */
function toResponse(text: string): Response {
  const response = {
    ok: true,
    status: 200,
    headers: new Headers(),
    body: null,
    text: async () => text,
    clone: () => response,
  };
  return response as unknown as Response;
}

function toRecipient(params: unknown): string {
  const { tx_proposal } = params as {
    tx_proposal: { payload_txos: { recipient_public_address_b58: string }[] };
  };
  return tx_proposal.payload_txos[0]?.recipient_public_address_b58 ?? "";
}

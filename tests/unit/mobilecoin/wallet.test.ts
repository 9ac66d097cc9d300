import { describe, expect, it } from "vitest";
import { BroadcastRefusedError, PaymentsWaitError } from "~/exchange.server/chains/gateway";
import { readHoldings } from "~/exchange.server/chains/mobilecoin/balance";
import { recheckDeposits } from "~/exchange.server/chains/mobilecoin/deposits";
import { type FullService, FullServiceError } from "~/exchange.server/chains/mobilecoin/full-service";
import { broadcastPayment, preparePayment } from "~/exchange.server/chains/mobilecoin/payments";
import { createMobilecoinWallet } from "~/exchange.server/chains/mobilecoin/wallet";
import vectors from "../../vectors/mobilecoin-addresses.json";

type Status = { height: number; first?: number; scanned?: number; unspent: number; pending?: number };

/**
 * A wallet whose full-service responds with these statuses, one after the other, lists no outputs, and refuses to build
 * or submit a payment. The payment is not in a block.
 */
function open(statuses: Status[], refusal = "") {
  let next = 0;
  const service: FullService = {
    async call(method, _params, schema) {
      if (/^(build|submit)_transaction$/.test(method)) throw new FullServiceError(method, refusal, "");
      if (method === "get_txo_block_index") throw new FullServiceError(method, "LedgerDB(NotFound)", "");
      if (method === "get_txo") throw new FullServiceError(method, 'Database(TxoNotFound("0"))', "");
      if (method === "get_txos") return schema.parse({ txo_ids: [], txo_map: {} });
      const status = statuses[Math.min(next, statuses.length - 1)];
      next += 1;
      if (method !== "get_account_status" || !status) throw new Error(method);
      const { height, first = 0, scanned = height, unspent, pending = 0 } = status;
      const text = (value: number) => String(value);
      return schema.parse({
        account: {
          id: "a",
          first_block_index: text(first),
          next_block_index: text(scanned),
          next_subaddress_index: "2",
          main_address: "main",
          fog_enabled: false,
          view_only: false,
        },
        network_block_height: text(height),
        local_block_height: text(height),
        balance_per_token: { "0": { max_spendable: text(unspent), unspent: text(unspent), pending: text(pending) } },
      });
    },
  };
  return createMobilecoinWallet(service, { accountId: "a", fogServers: null });
}

describe("the balance of the MOB wallet", () => {
  it("is from a moment at which no block was being scanned", async () => {
    // The first was read while block 10 was scanned: its input is gone, and its change is not there yet.
    const torn = { height: 10, unspent: 100 };
    const later = { height: 11, unspent: 900 };
    expect(await readHoldings(open([torn, later, later]))).toMatchObject({ height: 10, wallet: 900n });
    expect(await readHoldings(open([later]))).toMatchObject({ height: 10, wallet: 900n });
    // The first was read while a payment was recorded: its input counts twice.
    const twice = { height: 11, unspent: 900, pending: 500 };
    const recorded = { height: 11, unspent: 400, pending: 500 };
    expect(await readHoldings(open([twice, recorded, recorded]))).toMatchObject({ height: 10, wallet: 900n });
  });

  it("is unknown if blocks keep arriving while it is read", async () => {
    const moving = Array.from({ length: 10 }, (_, i) => ({ height: 10 + i, unspent: i }));
    expect(await readHoldings(open(moving))).toBeNull();
  });
});

it("a deposit in a block that the wallet was told to skip is not gone", async () => {
  const wallet = open([{ height: 20, first: 10, unspent: 0 }]);
  const recheck = (blockNumber: number) => recheckDeposits(wallet, [{ txHash: "0", ordinal: 0, blockNumber }]);
  expect(await recheck(10)).toEqual([null]);
  expect(await recheck(9)).toEqual([expect.any(FullServiceError)]);
});

describe("a payment that full-service cannot build", () => {
  const [{ b58: to = "" } = {}] = vectors.valid_without_fog;
  const prepare = (status: Status, error: string) =>
    preparePayment(open([status], error), { paymentId: "p", to, amount: 50n, nonce: null });

  it.each(['NoSpendableTxos("0")', 'InsufficientFundsUnderMaxSpendable("x")', 'InsufficientFunds("x")'])(
    "waits for the change of others if that is all that is missing: %s",
    async (reason) => {
      const error = `TransactionBuilder(WalletDb(${reason}))`;
      // The change may also have arrived since.
      for (const awaited of [{ unspent: 0, pending: 100 }, { unspent: 50 }]) {
        await expect(prepare({ height: 10, ...awaited }, error)).rejects.toBeInstanceOf(PaymentsWaitError);
      }
      for (const lacking of [{ unspent: 10 }, { unspent: 10, pending: 20 }]) {
        await expect(prepare({ height: 10, ...lacking }, error)).rejects.toBeInstanceOf(FullServiceError);
      }
    },
  );
});

describe("a payment that full-service does not submit", () => {
  const submit = (error: string) =>
    broadcastPayment(open([{ height: 10, unspent: 100 }], error), {
      ...{ to: "a", amount: "50", hash: "0", nonce: null, networkFee: "1" },
      raw: { txProposal: {}, transactionLogId: "log", payloadPublicKey: "0".repeat(64), tombstoneBlockIndex: 100 },
    }).catch((thrown: unknown) => thrown);

  it("counts as refused if the network does not accept it", async () => {
    const error = "Retry(Error { error: TransactionValidation(ContainsSpentKeyImage), total_delay: 0ns, tries: 1 })";
    expect(await submit(error)).toBeInstanceOf(BroadcastRefusedError);
  });

  it.each(['Database(RocketDB(Error(Some("timed out"))))', 'Database(AccountNotFound("a"))', "NoPeersConfigured"])(
    "does not count as refused if the wallet itself failed: %s",
    async (error) => {
      expect(await submit(error)).toBeInstanceOf(FullServiceError);
    },
  );
});

it("an error of the network is recognised inside full-service's report of its retries", () => {
  const toError = (error: string) =>
    new FullServiceError("m", `Retry(Error { error: ${error}, total_delay: 1.2s, tries: 3 })`, "");
  expect(toError("Grpc(RpcFailure(TransactionValidation))").is("Grpc")).toBe(true);
  expect(toError("TransactionValidation(ContainsSpentKeyImage)").is("TransactionValidation")).toBe(true);
  expect(toError('Grpc(RpcFailure("TransactionValidation"))').is("TransactionValidation")).toBe(false);
});

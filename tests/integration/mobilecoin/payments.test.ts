import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import {
  BroadcastRefusedError,
  type ChainGateway,
  PaymentRefusedError,
  type PreparedPayment,
} from "~/exchange.server/chains/gateway";
import type { FullService } from "~/exchange.server/chains/mobilecoin/full-service";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { eventually, mob, startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
let service: FullService;
beforeEach(async () => {
  ({ sandbox, gateway, service } = await startTestnet());
});
afterEach(() => sandbox.stop());

const prepare = (amount: bigint, to = sandbox.wallet().address) =>
  gateway.preparePayment({ paymentId: "payment", to, amount, nonce: null });
/** As it is stored in the database. */
const store = (payment: PreparedPayment): PreparedPayment => JSON.parse(JSON.stringify(payment));
const received = () => sandbox.wallet().received.map((txo) => txo.amount);
const waitUntilInBlock = (payment: PreparedPayment) =>
  eventually(
    () => gateway.getPaymentState(payment),
    ({ kind }) => kind === "in_block",
  );
const tombstoneOf = (payment: PreparedPayment) => (payment.raw as { tombstoneBlockIndex: number }).tombstoneBlockIndex;
const logStatus = async (payment: PreparedPayment) => {
  const { transactionLogId } = payment.raw as { transactionLogId: string };
  const result = z.object({ transaction_log: z.object({ status: z.string() }) });
  return (await service.call("get_transaction_log", { transaction_log_id: transactionLogId }, result)).transaction_log
    .status;
};

describe("a MOB payment", () => {
  it("is prepared, stored and sent, and arrives in full; we pay the fee (T47)", async () => {
    const payment = store(await prepare(mob(7)));
    expect(payment).toMatchObject({ amount: mob(7).toString(), nonce: null, networkFee: "400000000" });
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "unknown" });
    await gateway.broadcast(payment);
    expect(await waitUntilInBlock(payment)).toMatchObject({ kind: "in_block", confirmations: 1 });
    expect(received()).toEqual([mob(7)]);
    expect(sandbox.wallet().received[0]?.hash).toBe(payment.hash);
    expect(await logStatus(payment)).toBe("succeeded");
    expect(await gateway.bumpPayment(payment)).toBeNull();
    expect(await gateway.getNextNonce()).toBeNull();
  });

  it("is made once however often it is sent (T46, T47)", async () => {
    const payment = store(await prepare(mob(7)));
    await Promise.all([gateway.broadcast(payment), gateway.broadcast(payment)]);
    await waitUntilInBlock(payment);
    await gateway.broadcast(payment);
    await sandbox.controls.makeBlocks(2);
    expect(received()).toEqual([mob(7)]);
  });

  it("is found in its block even though the wallet's log says failed (T47)", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.faultSubmit("propose_then_error");
    // Blocks are made only after the broadcast has failed, because it checks the ledger before it gives up.
    sandbox.controls.holdBlocks(true);
    await expect(gateway.broadcast(payment)).rejects.toThrow(/full-service submit_transaction/);
    sandbox.controls.holdBlocks(false);
    expect(await waitUntilInBlock(payment)).toMatchObject({ kind: "in_block" });
    expect(await logStatus(payment)).toBe("failed");
    await gateway.broadcast(payment);
    expect(received()).toEqual([mob(7)]);
  });

  it("is found in its block when the response was lost (T46)", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.faultSubmit("lose_response");
    sandbox.controls.holdBlocks(true);
    await expect(gateway.broadcast(payment)).rejects.toThrow(/cannot be reached/);
    sandbox.controls.holdBlocks(false);
    expect(await waitUntilInBlock(payment)).toMatchObject({ kind: "in_block" });
    expect(received()).toEqual([mob(7)]);
  });

  it("is sent again unchanged if it never reached the network", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.faultSubmit("refuse", "drop");
    const failure = await gateway.broadcast(payment).catch((error: unknown) => error);
    expect(String(failure)).toMatch(/UNAVAILABLE/);
    expect(failure, "an outage is no refusal").not.toBeInstanceOf(BroadcastRefusedError);
    await gateway.broadcast(payment);
    await sandbox.controls.makeBlocks(1);
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "unknown" });
    await gateway.broadcast(payment);
    await waitUntilInBlock(payment);
    expect(received()).toEqual([mob(7)]);
  });

  it("is included only once for two payments built with the same coins", async () => {
    const [first, second] = [store(await prepare(mob(7))), store(await prepare(mob(8)))];
    await gateway.broadcast(first);
    await expect(gateway.broadcast(second)).rejects.toThrow(/ContainsSpentKeyImage/);
    await waitUntilInBlock(first);
    expect(await gateway.getPaymentState(second)).toEqual({ kind: "unknown" });
    expect(received()).toEqual([mob(7)]);
  });
});

describe("a payment and its tombstone block (T47)", () => {
  const mineTo = (height: number) => sandbox.controls.makeBlocks(height - sandbox.controls.getHeight());

  it("is still included in the last block before the tombstone block", async () => {
    const payment = store(await prepare(mob(7)));
    await mineTo(tombstoneOf(payment) - 1);
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "unknown" });
    await gateway.broadcast(payment);
    expect(await waitUntilInBlock(payment)).toMatchObject({ blockNumber: tombstoneOf(payment) - 1 });
    await mineTo(tombstoneOf(payment) + 5);
    expect(await gateway.getPaymentState(payment)).toMatchObject({ kind: "in_block" });
  });

  it("is rejected by the network at the tombstone block, and its state is unknown", async () => {
    const payment = store(await prepare(mob(7)));
    await mineTo(tombstoneOf(payment));
    await expect(gateway.broadcast(payment)).rejects.toThrow(/TombstoneBlockExceeded/);
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "unknown" });
  });

  it("is impossible past the tombstone block if it is not in the ledger", async () => {
    const payment = store(await prepare(mob(7)));
    await mineTo(tombstoneOf(payment) + 1);
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "impossible" });
    expect(received()).toEqual([]);
  });

  it("is never impossible while the wallet is not synced", async () => {
    const payment = store(await prepare(mob(7)));
    await mineTo(tombstoneOf(payment) + 20);
    sandbox.controls.setSynced(false);
    expect(await gateway.getPaymentState(payment)).toEqual({ kind: "unknown" });
  });

  it("is in a block when only the second lookup finds its output", async () => {
    const payment = store(await prepare(mob(7)));
    await gateway.broadcast(payment);
    await waitUntilInBlock(payment);
    await mineTo(tombstoneOf(payment) + 1);
    sandbox.controls.failNext("get_txo_block_index", "LedgerDB(NotFound)");
    expect(await gateway.getPaymentState(payment)).toMatchObject({ kind: "in_block" });
  });

  it("has no known state after an error of the wallet", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.failNext("get_txo_block_index", "LedgerDB(Lmdb(Other(5)))");
    await expect(gateway.getPaymentState(payment)).rejects.toThrow(/Lmdb/);
  });
});

describe("a payment that cannot be made", () => {
  it("is permanently refused for an invalid address or amount", async () => {
    await expect(prepare(mob(1), "not an address")).rejects.toThrow(PaymentRefusedError);
    await expect(prepare(0n)).rejects.toThrow(PaymentRefusedError);
    await expect(prepare(2n ** 64n)).rejects.toThrow(PaymentRefusedError);
    sandbox.controls.failNext("build_transaction", 'InvalidPublicAddress(Decode("…"))');
    await expect(prepare(mob(1))).rejects.toThrow(PaymentRefusedError);
  });

  it.each([
    ["the amount exceeds the balance", mob(1_000_000), /InsufficientFunds\(/],
    ["the balance is split over too many txos", null, /InsufficientFundsFragmentedTxos/],
  ])("can be tried again if %s", async (_, amount, message) => {
    if (amount === null) {
      // A transaction has at most 16 inputs; this amount needs 17.
      await sandbox.controls.mint({ address: await mainAddress(), amount: mob(50_000) });
    }
    const error = await prepare(amount ?? mob(1_010_000)).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(PaymentRefusedError);
    expect(String(error)).toMatch(message);
  });

  it("can be tried again while the report server of a Fog recipient is unavailable", async () => {
    sandbox.controls.failNext("build_transaction", 'TransactionBuilder(FogPubkeyResolver("unreachable"))');
    await expect(prepare(mob(1))).rejects.not.toBeInstanceOf(PaymentRefusedError);
    const vectors = JSON.parse(readFileSync("tests/vectors/mobilecoin-addresses.json", "utf8"));
    const signal: string = vectors.valid_with_fog[0].b58;
    const payment = await prepare(mob(1), signal);
    await gateway.broadcast(payment);
    await waitUntilInBlock(payment);
  });

  it("is rejected by the network if its proposal was changed", async () => {
    const payment = store(await prepare(mob(7)));
    const raw = payment.raw as { txProposal: { tx_proto: string } };
    raw.txProposal.tx_proto = raw.txProposal.tx_proto.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    await expect(gateway.broadcast(payment)).rejects.toThrow(/InvalidTransactionSignature/);
    expect(received()).toEqual([]);
  });

  const mainAddress = async () => {
    const result = z.object({ account: z.object({ main_address: z.string() }) });
    const params = { account_id: sandbox.accountId };
    return (await service.call("get_account_status", params, result)).account.main_address;
  };
});

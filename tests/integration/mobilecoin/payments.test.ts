import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import type { FullService } from "~/exchange.server/chains/full-service";
import { type ChainGateway, PaymentRefusedError, type PreparedPayment } from "~/exchange.server/chains/gateway";
import type { SandboxMobilecoin } from "~/exchange.server/sandbox/mobilecoin/start";
import { eventually, mob, startWorld } from "./world";

let sandbox: SandboxMobilecoin;
let gateway: ChainGateway;
let service: FullService;
beforeEach(async () => {
  ({ sandbox, gateway, service } = await startWorld());
});
afterEach(() => sandbox.stop());

const prepare = (amount: bigint, to = sandbox.wallet().address) =>
  gateway.preparePayment({ paymentId: "payment", to, amount, nonce: null });
/** As the database keeps it. */
const store = (payment: PreparedPayment): PreparedPayment => JSON.parse(JSON.stringify(payment));
const received = () => sandbox.wallet().received.map((txo) => txo.amount);
const landed = (payment: PreparedPayment) =>
  eventually(
    () => gateway.getPaymentState(payment),
    ({ state }) => state === "in_block",
  );
const tombstoneOf = (payment: PreparedPayment) => (payment.raw as { tombstoneBlockIndex: number }).tombstoneBlockIndex;
const logStatus = async (payment: PreparedPayment) => {
  const { transactionLogId } = payment.raw as { transactionLogId: string };
  const answer = z.object({ transaction_log: z.object({ status: z.string() }) });
  return (await service.call("get_transaction_log", { transaction_log_id: transactionLogId }, answer)).transaction_log
    .status;
};

describe("a payment in MOB", () => {
  it("is prepared, stored, sent, and arrives whole; the fee is ours (T47)", async () => {
    const payment = store(await prepare(mob(7)));
    expect(payment).toMatchObject({ amount: mob(7).toString(), nonce: null, networkFee: "400000000" });
    expect(await gateway.getPaymentState(payment)).toEqual({ state: "unknown" });
    await gateway.broadcast(payment);
    expect(await landed(payment)).toMatchObject({ state: "in_block", confirmations: 1 });
    expect(received()).toEqual([mob(7)]);
    expect(sandbox.wallet().received[0]?.hash).toBe(payment.hash);
    expect(await logStatus(payment)).toBe("succeeded");
    expect(await gateway.bumpPayment(payment)).toBeNull();
    expect(await gateway.getNextNonce()).toBeNull();
  });

  it("is paid once however often it is sent (T46, T47)", async () => {
    const payment = store(await prepare(mob(7)));
    await Promise.all([gateway.broadcast(payment), gateway.broadcast(payment)]);
    await landed(payment);
    await gateway.broadcast(payment);
    await sandbox.controls.makeBlocks(2);
    expect(received()).toEqual([mob(7)]);
  });

  it("is known to be paid although the wallet's log says failed (fact 37, T47)", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.faultSubmit("propose_then_error");
    await expect(gateway.broadcast(payment)).rejects.toThrow(/full-service submit_transaction/);
    expect(await landed(payment)).toMatchObject({ state: "in_block" });
    expect(await logStatus(payment)).toBe("failed");
    await gateway.broadcast(payment);
    expect(received()).toEqual([mob(7)]);
  });

  it("stays unknown when the answer is lost, and is found in its block (T46)", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.faultSubmit("lose_answer");
    await expect(gateway.broadcast(payment)).rejects.toThrow(/cannot be reached/);
    expect(await landed(payment)).toMatchObject({ state: "in_block" });
    expect(received()).toEqual([mob(7)]);
  });

  it("that never reached the network is sent again as it is", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.faultSubmit("refuse", "drop");
    await expect(gateway.broadcast(payment)).rejects.toThrow(/NoPeers/);
    await gateway.broadcast(payment);
    await sandbox.controls.makeBlocks(1);
    expect(await gateway.getPaymentState(payment)).toEqual({ state: "unknown" });
    await gateway.broadcast(payment);
    await landed(payment);
    expect(received()).toEqual([mob(7)]);
  });

  it("does not carry more than the first of two that were built on the same coins (fact 41)", async () => {
    const [first, second] = [store(await prepare(mob(7))), store(await prepare(mob(8)))];
    await gateway.broadcast(first);
    await expect(gateway.broadcast(second)).rejects.toThrow(/ContainsSpentKeyImage/);
    await landed(first);
    expect(await gateway.getPaymentState(second)).toEqual({ state: "unknown" });
    expect(received()).toEqual([mob(7)]);
  });
});

describe("a payment and its tombstone (T47)", () => {
  const passTo = (height: number) => sandbox.controls.makeBlocks(height - sandbox.controls.getHeight());

  it("−1: the last block before it still takes the payment", async () => {
    const payment = store(await prepare(mob(7)));
    await passTo(tombstoneOf(payment) - 1);
    expect(await gateway.getPaymentState(payment)).toEqual({ state: "unknown" });
    await gateway.broadcast(payment);
    expect(await landed(payment)).toMatchObject({ blockNumber: tombstoneOf(payment) - 1 });
    await passTo(tombstoneOf(payment) + 5);
    expect(await gateway.getPaymentState(payment)).toMatchObject({ state: "in_block" });
  });

  it("0: at the tombstone the network refuses it, and we are not sure yet", async () => {
    const payment = store(await prepare(mob(7)));
    await passTo(tombstoneOf(payment));
    await expect(gateway.broadcast(payment)).rejects.toThrow(/TombstoneBlockExceeded/);
    expect(await gateway.getPaymentState(payment)).toEqual({ state: "unknown" });
  });

  it("+1: past it and not in the ledger, it is impossible for certain", async () => {
    const payment = store(await prepare(mob(7)));
    await passTo(tombstoneOf(payment) + 1);
    expect(await gateway.getPaymentState(payment)).toEqual({ state: "impossible" });
    expect(received()).toEqual([]);
  });

  it("never is anything certain on a wallet that is not synced", async () => {
    const payment = store(await prepare(mob(7)));
    await passTo(tombstoneOf(payment) + 20);
    sandbox.controls.setSynced(false);
    expect(await gateway.getPaymentState(payment)).toEqual({ state: "unknown" });
  });

  it("an output that the ledger shows only at the second look is a payment that landed", async () => {
    const payment = store(await prepare(mob(7)));
    await gateway.broadcast(payment);
    await landed(payment);
    await passTo(tombstoneOf(payment) + 1);
    sandbox.controls.failNext("get_txo_block_index", "LedgerDB(NotFound)");
    expect(await gateway.getPaymentState(payment)).toMatchObject({ state: "in_block" });
  });

  it("an error of the wallet is not an answer", async () => {
    const payment = store(await prepare(mob(7)));
    sandbox.controls.failNext("get_txo_block_index", "LedgerDB(Lmdb(Other(5)))");
    await expect(gateway.getPaymentState(payment)).rejects.toThrow(/Lmdb/);
  });
});

describe("what cannot be paid", () => {
  it("an address that is none, a payment of nothing: refused for certain", async () => {
    await expect(prepare(mob(1), "not an address")).rejects.toThrow(PaymentRefusedError);
    await expect(prepare(0n)).rejects.toThrow(PaymentRefusedError);
    await expect(prepare(2n ** 64n)).rejects.toThrow(PaymentRefusedError);
    sandbox.controls.failNext("build_transaction", 'InvalidPublicAddress(Decode("…"))');
    await expect(prepare(mob(1))).rejects.toThrow(PaymentRefusedError);
  });

  it.each([
    ["more than there is", mob(1_000_000), /InsufficientFunds\(/],
    ["what lies in too many pieces", null, /InsufficientFundsFragmentedTxos/],
  ])("%s: an ordinary error, to be tried again", async (_, amount, words) => {
    if (amount === null) {
      // Sixteen of the largest no longer reach what seventeen would.
      await sandbox.controls.mint({ address: await mainAddress(), amount: mob(50_000) });
    }
    const error = await prepare(amount ?? mob(1_010_000)).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(PaymentRefusedError);
    expect(String(error)).toMatch(words);
  });

  it("a Fog recipient while the report server is away: an ordinary error", async () => {
    sandbox.controls.failNext("build_transaction", 'TransactionBuilder(FogPubkeyResolver("unreachable"))');
    const error = await prepare(mob(1)).catch((reason: unknown) => reason);
    expect(error).not.toBeInstanceOf(PaymentRefusedError);
    const vectors = JSON.parse(readFileSync("tests/vectors/mobilecoin-addresses.json", "utf8"));
    const signal: string = vectors.valid_with_fog[0].b58;
    const payment = await prepare(mob(1), signal);
    await gateway.broadcast(payment);
    await landed(payment);
  });

  it("a proposal that was changed on its way is refused by the network", async () => {
    const payment = store(await prepare(mob(7)));
    const raw = payment.raw as { txProposal: { tx_proto: string } };
    raw.txProposal.tx_proto = raw.txProposal.tx_proto.replace(/.$/, (digit) => (digit === "0" ? "1" : "0"));
    await expect(gateway.broadcast(payment)).rejects.toThrow(/InvalidTransactionSignature/);
    expect(received()).toEqual([]);
  });

  const mainAddress = async () => {
    const answer = z.object({ account: z.object({ main_address: z.string() }) });
    const params = { account_id: sandbox.accountId };
    return (await service.call("get_account_status", params, answer)).account.main_address;
  };
});

import { readFileSync } from "node:fs";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { encodeMobAddress, readMobAddressKeys } from "~/exchange.server/addresses/mob-address";
import { PaymentRefusedError, PaymentsWaitError } from "~/exchange.server/chains/gateway";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import type { SandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";
import { createOrdersHarness } from "../../support/orders-harness";
import { openTestDatabase } from "../../support/test-database";
import { eventually, everyAddressIsOurs, mob, startTestnet } from "./setup";

let sandbox: SandboxMobilecoin;
beforeEach(async () => {
  ({ sandbox } = await startTestnet());
});
afterEach(() => sandbox.stop());

const connect = (options: Partial<Parameters<typeof createMobilecoinGateway>[0]>) =>
  createMobilecoinGateway({
    url: sandbox.url,
    accountId: sandbox.accountId,
    expectedChainId: sandbox.chainId,
    fogServers: null,
    requiredConfirmations: 1,
    log: pino({ level: "silent" }),
    timeoutMs: 10_000,
    ...options,
  });
const prepare = (gateway: ReturnType<typeof connect>) =>
  gateway.preparePayment({ paymentId: "payment", to: sandbox.wallet().address, amount: mob(7), nonce: null });

/** Fetches the wallet's responses and changes their text. */
const changing = (change: (text: string) => string): typeof fetch => {
  return async (input, init) => {
    const response = await fetch(input, init);
    const text = change(await response.text());
    return new Response(text, { status: response.status, headers: { "content-type": "application/json" } });
  };
};

it("a wallet that runs with --offline is refused, and its network height of 0 does not count as in sync", async () => {
  const offline = changing((text) =>
    text
      .replace(/"network_block_height":\s*"\d+"/, '"network_block_height":"0"')
      .replace(/"offline":\s*false/, '"offline":true'),
  );
  const gateway = connect({ fetch: offline });
  await expect(gateway.verify()).rejects.toThrow("--offline");
  expect(await gateway.scan(null, everyAddressIsOurs)).toMatchObject({ scannedThrough: null });
  expect(await gateway.readHoldings([])).toBeNull();
});

describe("MOB_CONFIRMATIONS above 1", () => {
  it("counts for payments: each block after the first adds a confirmation", async () => {
    const gateway = connect({ requiredConfirmations: 3 });
    expect(gateway.requiredConfirmations).toBe(3);
    const payment = await prepare(gateway);
    await gateway.broadcast(payment);
    const first = await eventually(
      () => gateway.getPaymentState(payment),
      ({ kind }) => kind === "in_block",
    );
    await sandbox.controls.makeBlocks(2);
    const confirmations = first.kind === "in_block" ? first.confirmations : 0;
    expect(await gateway.getPaymentState(payment)).toMatchObject({ confirmations: confirmations + 2 });
  });

  it("counts for deposits: an order waits for all of them, even for more than a scan reads again", async () => {
    const database = await openTestDatabase("PGlite");
    const w = await createOrdersHarness(database, { chains: { MOB: connect({ requiredConfirmations: 15 }) } });
    const user = await w.createUser({ MOB: sandbox.wallet().address });
    const order = await w.lock(user, "MOB", "100");
    const read = async () => {
      await w.scan("MOB");
      const { status, incoming_txs } = await w.see(user, order.id);
      return [status, ...incoming_txs.map((deposit) => [deposit.confirmations, deposit.required_confirmations])];
    };
    await sandbox.pay({ address: order.fundingAddress, amount: mob(100) });
    expect(await read()).toEqual(["confirming", [1, 15]]);
    for (let missing = 14; missing > 1; missing -= 1) {
      await sandbox.controls.makeBlocks(1);
      expect(await read()).toEqual(["confirming", [16 - missing, 15]]);
    }
    await sandbox.controls.makeBlocks(1);
    expect(await read()).toEqual(["paying_out", [15, 15]]);
    await database.close();
  });
});

describe("T19 an address with an unknown Fog server", () => {
  const vectors = JSON.parse(readFileSync("tests/vectors/mobilecoin-addresses.json", "utf8"));
  const to: string = vectors.valid_with_fog[0].b58;
  const pay = (gateway: ReturnType<typeof connect>) =>
    gateway.preparePayment({ paymentId: "payment", to, amount: mob(7), nonce: null });

  it("cannot be locked for, and is never passed to the wallet, even though it was saved earlier", async () => {
    const calls: unknown[] = [];
    const recording: typeof fetch = (input, init) => {
      calls.push(init?.body);
      return fetch(input, init);
    };
    const gateway = connect({ fogServers: ["fog://fog.example"], fetch: recording });
    expect(await gateway.getReceiverBlockReason(to)).toContain("Fog server");
    await expect(pay(gateway)).rejects.toThrow(PaymentRefusedError);
    expect(calls).toEqual([]);
    expect(await gateway.getReceiverBlockReason(sandbox.wallet().address)).toBeNull();
    await prepare(gateway);
  });

  it("is paid once its server is known", async () => {
    const gateway = connect({ fogServers: ["fog://example.com"] });
    expect(await gateway.getReceiverBlockReason(to)).toBeNull();
    expect(await pay(gateway)).toMatchObject({ to });
  });
});

describe("the time of a scan", () => {
  it("is the database's, not the process's", async () => {
    const gateway = connect({ now: () => Date.parse("2001-01-01T00:00:00Z") });
    const startedAt = new Date("2026-05-05T05:05:05Z");
    expect((await gateway.scan(null, everyAddressIsOurs, startedAt)).scannedThrough).toEqual(startedAt);
  });
});

describe("the recipient of a proposal", () => {
  const keysOf = (text: string) => {
    const hex = readMobAddressKeys(text);
    return { viewPublicKey: Buffer.from(hex.slice(0, 64), "hex"), spendPublicKey: Buffer.from(hex.slice(64), "hex") };
  };
  /** The wallet's responses, with the recipient printed by `print`. */
  const printing = (print: (text: string) => string) =>
    changing((text) =>
      text.replace(
        /"recipient_public_address_b58":\s*"([^"]+)"/g,
        (_, address: string) => `"recipient_public_address_b58":"${print(address)}"`,
      ),
    );

  it("is compared by its keys: a Fog address printed in another form is the same", async () => {
    const inAnotherForm = (text: string) => encodeMobAddress({ ...keysOf(text), fogReportUrl: "fog://fog.example" });
    const gateway = connect({ fetch: printing(inAnotherForm) });
    expect(await prepare(gateway)).toMatchObject({ to: sandbox.wallet().address, amount: mob(7).toString() });
  });

  it.each([
    ["other keys", (text: string) => encodeMobAddress({ ...keysOf(text), viewPublicKey: keysOf(text).spendPublicKey })],
    ["no address", () => "not-an-address"],
  ])("is refused with %s", async (_what, print) => {
    await expect(prepare(connect({ fetch: printing(print) }))).rejects.toThrow("does not match the request");
  });
});

describe("the network fee of a proposal", () => {
  const asking = (fee: string) =>
    connect({
      fetch: changing((text) => text.replace(/"fee_amount":\s*\{"value":"\d+"/g, `"fee_amount":{"value":"${fee}"`)),
    });

  it("is at most 0.1 MOB: payments wait for a lower one", async () => {
    expect(await prepare(asking("100000000000"))).toMatchObject({ networkFee: "100000000000" });
    const failure: unknown = await prepare(asking("100000000001")).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(PaymentsWaitError);
    expect(String(failure)).toMatch(/fee of 0\.100000000001 MOB, which is more than 0\.1 MOB/);
    await expect(asking("100000000001").prepareConsolidation()).rejects.toBeInstanceOf(PaymentsWaitError);
  });
});

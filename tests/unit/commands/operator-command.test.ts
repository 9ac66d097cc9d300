import { describe, expect, it, vi } from "vitest";
import { runOperatorCommand } from "~/commands/operator-command";
import type { Operator } from "~/exchange.server/operator/operator";
import { OperatorError } from "~/exchange.server/operator/operator-error";
import type { OrderReport } from "~/exchange.server/operator/order-report";
import type { ReserveReport } from "~/exchange.server/operator/report";
import { StartupError } from "~/lib/startup-error";

const toReserves = (asset: "USDT" | "MOB", changes: Partial<ReserveReport> = {}): ReserveReport => ({
  asset,
  block: 12,
  owed: "100",
  owned: "100",
  wallet: "60",
  fundingAddresses: "40",
  uncredited: "0",
  difference: "0",
  isShort: false,
  checkedAt: "2026-01-01T00:00:00.000Z",
  isRecent: true,
  ...changes,
});

const at = "2026-01-01T00:00:00.000Z";
const order: OrderReport = {
  order: "order-1",
  number: "1CRT-8K55-KRE",
  account: "account-1",
  email: "ada@example.org",
  status: "on_hold",
  source: { asset: "USDT", amount: "100" },
  target: { asset: "MOB", amount: "280" },
  fundingAddress: "0xa1",
  path: "m/44'/60'/0'/0/7",
  deliveryAddress: "mob-1",
  refundAddress: "0xb1",
  createdAt: at,
  expiresAt: at,
  hold: { reason: "A check.", deadline: at },
  decision: null,
  deposits: [{ id: "deposit-1", amount: "100", status: "confirmed", hash: "0xc1", block: 5, seenAt: at }],
  payments: [
    {
      id: "payment-1",
      purpose: "payout",
      asset: "MOB",
      amount: "280",
      address: "mob-1",
      status: "planned",
      isParked: true,
      hash: null,
      nonce: null,
      lastError: "Too little gas.",
    },
  ],
  events: [{ at, kind: "held", status: "on_hold", data: {} }],
};

const record = {
  account: "account-1",
  deleted_at: "2026-01-01T00:00:00.000Z",
  kept_until: "2031-01-01T00:00:00.000Z",
  details: { email: "ada@example.org" },
  readings: [{ at: "2026-02-01T00:00:00.000Z", operator: "ada", reason: "Request 7 of the court." }],
};

const passkey = {
  id: "passkey-1",
  name: "Phone",
  addedAt: at,
  addedByPasskey: false,
  lastUsedAt: null,
  pausedUntil: null,
};

const waiting = {
  reason: "Too little gas.",
  action: "Send some ether.",
  since: "2026-01-01T00:00:00.000Z",
  retryAt: null,
};

function createFakeOperator(overrides: Partial<Operator> = {}) {
  const operator: Operator = {
    checkBooks: vi.fn(async () => []),
    getStatus: vi.fn(async () => ({
      swaps: { on: true, reason: null },
      payments: { on: false, reason: "A check." },
      house: { USDT: "10000", MOB: "20000" },
      settings: "SESSION_SECRET is another one.",
      risks: ["MOBILECOIN_CHAIN_ID is main."],
      outage: "There is no recent rate.",
      underWay: [
        { asset: "USDT" as const, planned: 2, prepared: 1, sent: 0 },
        { asset: "MOB" as const, planned: 0, prepared: 0, sent: 0 },
      ],
      fees: { USDT: { earned: "12", final: "10" }, MOB: { earned: "0", final: "0" } },
      rescans: [{ asset: "USDT" as const, from: 1, to: 9, next: 4 }],
      setAside: [{ asset: "MOB" as const, amount: "0.1", orders: 2 }],
      waiting: [
        { ...waiting, subject: "payment:1", order: "order-1", number: "1CRT-8K55-KRE" },
        { ...waiting, subject: "order:order-2", order: "order-2", number: "2CRT-8K55-KRE" },
        { ...waiting, subject: "order:order-3", order: "order-3", number: null },
        { ...waiting, subject: "payment:4", order: "order-4", number: null },
        { ...waiting, subject: "chain:MOB", order: null, number: null },
      ],
      held: [{ order: "order-1", number: "1CRT-8K55-KRE", reason: "A check.", deadline: at }],
      counts: { openOrders: 3, pendingApplications: 2, queuedEmails: 1 },
    })),
    getReserves: vi.fn(async () => [toReserves("USDT"), toReserves("MOB")]),
    listDeposits: vi.fn(async () => [
      { address: "0xa1", path: "m/44'/60'/0'/0/7", amount: "100", order: "order-1", number: "1CRT-8K55-KRE" },
    ]),
    listActions: vi.fn(async () => [
      { at, operator: "ada", command: "on", arguments: ["payments"], result: ["A question from the bank."] },
      { at, operator: "ada", command: "refund", arguments: ["order-1"], result: [] },
    ]),
    getOrder: vi.fn(async () => order),
    turnOff: vi.fn(async () => []),
    turnOn: vi.fn(async () => ["A question from the bank."]),
    hold: vi.fn(async () => []),
    release: vi.fn(async () => []),
    refund: vi.fn(async () => []),
    retryPayment: vi.fn(async () => []),
    readdressPayment: vi.fn(async () => []),
    markPaid: vi.fn(async () => []),
    markPaidOut: vi.fn(async () => []),
    addFloat: vi.fn(async () => []),
    takeFees: vi.fn(async () => []),
    acceptPayment: vi.fn(async () => []),
    dismissTransfer: vi.fn(async () => []),
    writeOff: vi.fn(async () => []),
    acceptNonce: vi.fn(async () => []),
    rescan: vi.fn(async () => []),
    cancelRescan: vi.fn(async () => []),
    block: vi.fn(async () => []),
    unblock: vi.fn(async () => []),
    listPasskeys: vi.fn(async () => [passkey]),
    removePasskey: vi.fn(async () => []),
    deleteAccount: vi.fn(async () => []),
    readRecord: vi.fn(async () => record),
    close: vi.fn(async () => undefined),
    ...overrides,
  };
  return { operator, run: (line: string) => runOperatorCommand(line.split(" "), async () => operator) };
}

const done = { exitCode: 0, stdout: ["Done."] };

describe("npm run operate", () => {
  it("prints the status", async () => {
    const { run, operator } = createFakeOperator();
    expect(await run("status")).toEqual({
      exitCode: 0,
      stdout: [
        "swaps: on",
        "payments: A check.",
        "house: 10000 USDT",
        "house: 20000 MOB",
        "settings: SESSION_SECRET is another one.",
        "risk: MOBILECOIN_CHAIN_ID is main.",
        "outage: new swaps are refused. There is no recent rate.",
        "payments of USDT under way: 2 planned, 1 prepared, 0 sent",
        "payments of MOB under way: 0 planned, 0 prepared, 0 sent",
        "fees: 12 USDT earned, of which take-fees can move 10",
        "fees: 0 MOB earned, of which take-fees can move 0",
        "rescan: USDT blocks 1 to 9, now at 4",
        "set aside: 0.1 MOB of 2 orders, too little to refund",
        "waiting: payment:1 of order 1CRT-8K55-KRE (order-1): Too little gas. Send some ether.",
        "waiting: order:order-2 of order 2CRT-8K55-KRE: Too little gas. Send some ether.",
        "waiting: order:order-3: Too little gas. Send some ether.",
        "waiting: payment:4 of order order-4: Too little gas. Send some ether.",
        "waiting: chain:MOB: Too little gas. Send some ether.",
        `on hold: 1CRT-8K55-KRE (order-1) until ${at}: A check.`,
        "open: 3 orders, 2 pending applications, 1 queued e-mails",
      ],
    });
    expect(operator.close).toHaveBeenCalledOnce();
  });

  it("prints an order", async () => {
    const { run, operator } = createFakeOperator();
    expect(await run("order 1CRT-8K55-KRE")).toEqual({
      exitCode: 0,
      stdout: [
        "order: 1CRT-8K55-KRE (order-1) of account account-1, ada@example.org",
        `status: on_hold until ${at}: A check.`,
        `swap: 100 USDT to 280 MOB, locked ${at}, to be paid by ${at}`,
        "funding address: 0xa1 (m/44'/60'/0'/0/7)",
        "delivery address: mob-1",
        "refund address: 0xb1",
        `deposit deposit-1: 100 USDT, confirmed, 0xc1 in block 5, seen ${at}`,
        "payout payment-1: 280 MOB to mob-1, planned and parked: Too little gas.",
        `${at} held → on_hold`,
      ],
    });
    expect(operator.getOrder).toHaveBeenCalledWith("1CRT-8K55-KRE");
    const deleted = createFakeOperator({ getOrder: async () => ({ ...order, email: null }) });
    expect((await deleted.run("order order-1")).stdout[0]).toBe("order: 1CRT-8K55-KRE (order-1) of account account-1");
    const { stdout } = await run("order 1CRT-8K55-KRE --json");
    expect(JSON.parse(stdout[0] ?? "")).toEqual(order);
  });

  it("prints what operators have changed", async () => {
    expect(await createFakeOperator().run("actions")).toEqual({
      exitCode: 0,
      stdout: [`${at} ada: on payments; A question from the bank.`, `${at} ada: refund order-1`],
    });
    const { run } = createFakeOperator({ listActions: async () => [] });
    expect(await run("actions")).toEqual({ exitCode: 0, stdout: ["No operator has changed anything yet."] });
  });

  it("exits with 1 if the books do not balance, and prints the faults", async () => {
    expect(await createFakeOperator().run("books")).toEqual({ exitCode: 0, stdout: ["The books balance."] });
    const { run } = createFakeOperator({ checkBooks: async () => ["a fault"] });
    expect(await run("books")).toEqual({ exitCode: 1, stdout: ["a fault"] });
  });

  it("prints what is owed and owned on every chain, and exits with 1 if something is missing or was not checked", async () => {
    expect(await createFakeOperator().run("reserves")).toEqual({
      exitCode: 0,
      stdout: ["USDT", "MOB"].flatMap((asset) => [
        `${asset}: owed 100, owned 100 (wallet 60, funding addresses 40) at block 12`,
        `${asset}: difference 0, not credited yet 0, checked 2026-01-01T00:00:00.000Z`,
      ]),
    });
    const problems = [
      [],
      [toReserves("USDT")],
      [toReserves("USDT"), toReserves("MOB", { isShort: true, difference: "-1" })],
      [toReserves("USDT"), toReserves("MOB", { isRecent: false })],
    ];
    for (const reserves of problems) {
      const { run } = createFakeOperator({ getReserves: async () => reserves });
      expect(await run("reserves")).toMatchObject({ exitCode: 1 });
    }
  });

  it("prints what is at funding addresses, with the path of each address's key", async () => {
    expect(await createFakeOperator().run("deposits")).toEqual({
      exitCode: 0,
      stdout: ["0xa1 m/44'/60'/0'/0/7: 100 USDT of order 1CRT-8K55-KRE"],
    });
    const { run } = createFakeOperator({ listDeposits: async () => [] });
    expect(await run("deposits")).toEqual({ exitCode: 0, stdout: ["There is nothing to collect."] });
  });

  it("T31 prints the passkeys of an account", async () => {
    const added = { ...passkey, id: "passkey-2", addedByPasskey: true, lastUsedAt: at, pausedUntil: at };
    const { run } = createFakeOperator({ listPasskeys: async () => [added, passkey] });
    expect(await run("passkeys ada@example.org")).toEqual({
      exitCode: 0,
      stdout: [
        `passkey-2 “Phone”: added ${at} with another passkey, last used ${at}, paused until ${at}`,
        `passkey-1 “Phone”: added ${at}, last used never`,
      ],
    });
    const none = createFakeOperator({ listPasskeys: async () => [] });
    expect(await none.run("passkeys account-1")).toEqual({ exitCode: 0, stdout: ["The account has no passkeys."] });
  });

  it.each([
    ["status", { payments: { on: false, reason: "A check." }, house: { USDT: "10000" } }],
    ["books", { balanced: true, faults: [] }],
    ["reserves", { reserves: [{ asset: "USDT", owed: "100" }, { asset: "MOB" }] }],
    [
      "actions",
      {
        actions: [
          { operator: "ada", command: "on" },
          { command: "refund", arguments: ["order-1"] },
        ],
      },
    ],
    // Programs read these names.
    ["status", { swaps: {}, payments: {}, house: {}, held: [{ reason: "A check." }], counts: {} }],
    ["deposits", { deposits: [{ address: "0xa1", path: "m/44'/60'/0'/0/7", amount: "100", order: "order-1" }] }],
    ["off swaps We are moving.", { done: true }],
    ["on payments", { done: true }],
    ["hold order-1 A check.", { done: true }],
    ["release order-1", { done: true }],
    ["refund order-1", { done: true }],
    ["retry payment-1", { done: true }],
    ["readdress payment-1 address", { done: true }],
    ["mark-paid payment-1 hash", { done: true }],
    ["mark-paid-out order-1 hash", { done: true }],
    ["float MOB -12.5", { done: true }],
    ["take-fees USDT", { done: true }],
    ["accept-payment hash", { done: true }],
    ["dismiss transfer:hash:0", { done: true }],
    ["write-off deposit-1", { done: true }],
    ["accept-nonce 7", { done: true }],
    ["block account-1", { done: true }],
    ["unblock account-1", { done: true }],
    ["passkeys account-1", { passkeys: [passkey] }],
    ["remove-passkey account-1 passkey-1", { done: true }],
    ["delete account-1 account-1", { done: true }],
    ["rescan 10 20", { done: true }],
    ["cancel-rescan MOB", { done: true }],
    ["record account-1 Request 7 of the court.", record],
    ["nonsense", { error: "Wrong arguments." }],
  ])("prints one JSON document for %s --json", async (line, expected) => {
    const { stdout } = await createFakeOperator().run(`${line} --json`);
    expect(stdout).toHaveLength(1);
    expect(JSON.parse(stdout.join())).toMatchObject(expected);
    const [name = "", ...rest] = line.split(" ");
    expect((await createFakeOperator().run([name, "--json", ...rest].join(" "))).stdout).toEqual(stdout);
  });

  it("prints a failure as JSON too", async () => {
    const refund = () => Promise.reject(new OperatorError("There is no order x."));
    const result = await createFakeOperator({ refund }).run("refund x --json");
    expect(result).toEqual({
      exitCode: 1,
      stdout: ['{"error":"There is no order x."}'],
      stderr: "There is no order x.",
    });
  });

  it("passes its arguments on", async () => {
    const { run, operator } = createFakeOperator();
    expect(await run("off swaps We are moving.")).toEqual(done);
    expect(operator.turnOff).toHaveBeenCalledWith("swaps", "We are moving.");
    const ended = "ended: A question from the bank.";
    expect(await run("on payments")).toEqual({ exitCode: 0, stdout: [ended, "Done."] });
    expect(operator.turnOn).toHaveBeenCalledWith("payments", undefined);
    expect((await run("on swaps --all")).exitCode).toBe(0);
    expect(operator.turnOn).toHaveBeenLastCalledWith("swaps", "all");
    expect((await run("on swaps The bank asks.")).exitCode).toBe(0);
    expect(operator.turnOn).toHaveBeenLastCalledWith("swaps", { cause: "The bank asks." });
    expect(await run("hold order-1 A question from the bank.")).toEqual(done);
    expect(operator.hold).toHaveBeenCalledWith("order-1", "A question from the bank.");
    expect(await run("release order-1")).toEqual(done);
    expect(operator.release).toHaveBeenCalledWith("order-1");
    expect(await run("refund order-1")).toEqual(done);
    expect(operator.refund).toHaveBeenCalledWith("order-1");
    expect(await run("float MOB -12.5")).toEqual(done);
    expect(operator.addFloat).toHaveBeenCalledWith("MOB", "-12.5", false);
    expect(await run("float MOB -12.5 --again")).toEqual(done);
    expect(operator.addFloat).toHaveBeenLastCalledWith("MOB", "-12.5", true);
    expect(await run("take-fees MOB 1.5")).toEqual(done);
    expect(operator.takeFees).toHaveBeenCalledWith("MOB", "1.5");
    expect(await run("take-fees USDT")).toEqual(done);
    expect(operator.takeFees).toHaveBeenLastCalledWith("USDT", null);
    expect(await run("block ada@example.org")).toEqual(done);
    expect(operator.block).toHaveBeenCalledWith("ada@example.org");
    expect(await run("unblock account-1")).toEqual(done);
    expect(operator.unblock).toHaveBeenCalledWith("account-1");
    expect(await run("remove-passkey account-1 passkey-1")).toEqual(done);
    expect(operator.removePasskey).toHaveBeenCalledWith("account-1", "passkey-1");
    expect(await run("delete account-1 account-1")).toEqual(done);
    expect(operator.deleteAccount).toHaveBeenCalledWith("account-1", "account-1");
    expect(await run("accept-nonce 7")).toEqual(done);
    expect(operator.acceptNonce).toHaveBeenCalledWith(7);
    expect(await run("mark-paid payment-1 hash")).toEqual(done);
    expect(operator.markPaid).toHaveBeenCalledWith("payment-1", "hash", false);
    expect(await run("mark-paid payment-1 hash --force")).toEqual(done);
    expect(operator.markPaid).toHaveBeenLastCalledWith("payment-1", "hash", true);
    expect(await run("accept-payment hash")).toEqual(done);
    expect(operator.acceptPayment).toHaveBeenCalledWith("hash", false);
    expect(await run("accept-payment hash --force")).toEqual(done);
    expect(operator.acceptPayment).toHaveBeenLastCalledWith("hash", true);
    expect(await run("rescan 10 20")).toEqual(done);
    expect(operator.rescan).toHaveBeenCalledWith("USDT", 10, 20);
    expect(await run("rescan 0 5 MOB")).toEqual(done);
    expect(operator.rescan).toHaveBeenLastCalledWith("MOB", 0, 5);
  });

  it("prints what a command has done, before it says that it is done", async () => {
    const { run } = createFakeOperator({ takeFees: async () => ["taken: 12 USDT"] });
    expect(await run("take-fees USDT")).toEqual({ exitCode: 0, stdout: ["taken: 12 USDT", "Done."] });
    const { stdout } = await run("take-fees USDT --json");
    expect(JSON.parse(stdout.join())).toEqual({ done: true, details: ["taken: 12 USDT"] });
  });

  it("prints the record of a deleted account, and passes the reason on", async () => {
    const { run, operator } = createFakeOperator();
    const { exitCode, stdout } = await run("record account-1 Request 7 of the court.");
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout.join())).toEqual(record);
    expect(operator.readRecord).toHaveBeenCalledWith("account-1", "Request 7 of the court.");
  });

  it.each([
    "",
    "help",
    "off swaps",
    "off everything now",
    "on everything",
    "hold order-1",
    "hold",
    "release",
    "refund",
    "float EUR 5",
    "float USDT",
    "take-fees",
    "take-fees EUR 5",
    "record",
    "record account-1",
    "accept-payment",
    "accept-payment hash now",
    "accept-nonce x",
    "block",
    "unblock",
    "delete",
    "delete account-1",
    "delete account-1 account-1 account-1",
    "accept-nonce 99999999999",
    "block eve@example.org mallory@example.org",
    "on payments swaps",
    "status now",
    "retry",
    "mark-paid payment-1",
    "readdress payment-1 two words",
    "rescan 1 x",
    "rescan 1 2 EUR",
    "rescan 1 2 MOB 3",
    "cancel-rescan",
    "float USDT 5 6",
    "refund order-1 order-2",
  ])("prints the usage for %j and does not open the database", async (line) => {
    const open = vi.fn(async () => createFakeOperator().operator);
    const { exitCode, stdout } = await runOperatorCommand(line.split(" "), open);
    expect(exitCode).toBe(2);
    expect(stdout.join()).toContain("npm run operate -- COMMAND");
    expect(open).not.toHaveBeenCalled();
  });

  it("prints one sentence if the command cannot be carried out, and closes the database", async () => {
    const refund = () => Promise.reject(new OperatorError("There is no order x: check ORDER and DATABASE_URL."));
    const { run, operator } = createFakeOperator({ refund });
    expect(await run("refund x")).toEqual({
      exitCode: 1,
      stdout: [],
      stderr: "There is no order x: check ORDER and DATABASE_URL.",
    });
    expect(operator.close).toHaveBeenCalledOnce();
  });

  it("prints one sentence if the database cannot be opened, without its password", async () => {
    const message = "PostgreSQL at postgres://me:secret@db/antelope does not respond: check DATABASE_URL.";
    const result = await runOperatorCommand(["status"], () => Promise.reject(new StartupError(message)));
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("does not respond: check DATABASE_URL.");
    expect(result.stderr).not.toContain("secret");
  });

  it("T18 prints what a node has said without control characters", async () => {
    const reason = "the network refuses it (\u001b[1A\u001b[2Kfine\r\u009b2K\u202e).";
    const { run, operator } = createFakeOperator({ turnOff: vi.fn(async () => [reason]) });
    const { stdout } = await run("off swaps A check.");
    expect(stdout).toEqual(["the network refuses it ( [1A [2Kfine  2K).", "Done."]);
    const json = await runOperatorCommand(["off", "swaps", "A check.", "--json"], async () => operator);
    expect(json.stdout.join()).toMatch(/^[\x20-\x7e\u202e]+$/);
    expect(JSON.parse(json.stdout.join())).toEqual({ done: true, details: [reason] });
    const failed = await runOperatorCommand(["status"], () => Promise.reject(new StartupError("\u001b[2Kx: y\n  z")));
    expect(failed.stderr).toBe(" [2Kx: y\n  z");
  });

  it("does not print any part of an unexpected error", async () => {
    const result = await runOperatorCommand(["status"], () => Promise.reject(new Error("select secret from x")));
    expect(result).toMatchObject({ exitCode: 1, stdout: [] });
    expect(result.stderr).not.toContain("secret");
  });
});

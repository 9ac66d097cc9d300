import { describe, expect, it, vi } from "vitest";
import { runOperatorCommand } from "~/commands/operator-command";
import { type Operator, OperatorError } from "~/exchange.server/operator";
import { StartupError } from "~/lib/startup-error";

function createFakeOperator(overrides: Partial<Operator> = {}) {
  const operator: Operator = {
    checkBooks: vi.fn(async () => []),
    describe: vi.fn(async () => ["swaps: on", "payments: on", "house: 10000 USDT", "house: 20000 MOB"]),
    turnOff: vi.fn(async () => undefined),
    turnOn: vi.fn(async () => undefined),
    hold: vi.fn(async () => undefined),
    release: vi.fn(async () => undefined),
    refund: vi.fn(async () => undefined),
    retryPayment: vi.fn(async () => undefined),
    readdressPayment: vi.fn(async () => undefined),
    markPaid: vi.fn(async () => undefined),
    addFloat: vi.fn(async () => undefined),
    acceptNonce: vi.fn(async () => undefined),
    rescan: vi.fn(async () => undefined),
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
      stdout: ["swaps: on", "payments: on", "house: 10000 USDT", "house: 20000 MOB"],
    });
    expect(operator.close).toHaveBeenCalledOnce();
  });

  it("exits with 1 if the books do not balance, and prints the faults", async () => {
    expect(await createFakeOperator().run("books")).toEqual({ exitCode: 0, stdout: ["The books balance."] });
    const { run } = createFakeOperator({ checkBooks: async () => ["a fault"] });
    expect(await run("books")).toEqual({ exitCode: 1, stdout: ["a fault"] });
  });

  it("passes its arguments on", async () => {
    const { run, operator } = createFakeOperator();
    expect(await run("off swaps We are moving.")).toEqual(done);
    expect(operator.turnOff).toHaveBeenCalledWith("swaps", "We are moving.");
    expect(await run("on payments")).toEqual(done);
    expect(operator.turnOn).toHaveBeenCalledWith("payments");
    expect(await run("hold order-1 A question from the bank.")).toEqual(done);
    expect(operator.hold).toHaveBeenCalledWith("order-1", "A question from the bank.");
    expect(await run("release order-1")).toEqual(done);
    expect(operator.release).toHaveBeenCalledWith("order-1");
    expect(await run("refund order-1")).toEqual(done);
    expect(operator.refund).toHaveBeenCalledWith("order-1");
    expect(await run("float MOB -12.5")).toEqual(done);
    expect(operator.addFloat).toHaveBeenCalledWith("MOB", "-12.5");
    expect(await run("accept-nonce 7")).toEqual(done);
    expect(operator.acceptNonce).toHaveBeenCalledWith(7);
    expect(await run("rescan 10 20")).toEqual(done);
    expect(operator.rescan).toHaveBeenCalledWith("USDT", 10, 20);
    expect(await run("rescan 0 5 MOB")).toEqual(done);
    expect(operator.rescan).toHaveBeenLastCalledWith("MOB", 0, 5);
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
    "accept-nonce x",
    "accept-nonce 99999999999",
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
    const message = "PostgreSQL at postgres://me:secret@db/antelope does not answer: check DATABASE_URL.";
    const result = await runOperatorCommand(["status"], () => Promise.reject(new StartupError(message)));
    expect(result.exitCode).toBe(1);
    expect(result.stderr).toContain("does not answer: check DATABASE_URL.");
    expect(result.stderr).not.toContain("secret");
  });

  it("prints nothing of an unexpected error", async () => {
    const result = await runOperatorCommand(["status"], () => Promise.reject(new Error("select secret from x")));
    expect(result).toMatchObject({ exitCode: 1, stdout: [] });
    expect(result.stderr).not.toContain("secret");
  });
});

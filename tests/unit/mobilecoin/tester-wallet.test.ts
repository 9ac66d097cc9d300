import { pino } from "pino";
import { expect, it, onTestFinished } from "vitest";
import { startSandboxMobilecoin } from "~/sandbox.server/mobilecoin/start";

const mob = (amount: number) => BigInt(amount) * 10n ** 12n;

it("does not list the coins of a refill as received", async () => {
  const sandbox = await startSandboxMobilecoin({ dataDir: null, log: pino({ level: "silent" }), blockDelayMs: 1 });
  onTestFinished(() => sandbox.stop());
  await sandbox.pay({ address: sandbox.mainAddress, amount: mob(99_990) });
  await sandbox.pay({ address: sandbox.mainAddress, amount: mob(50) });
  expect(sandbox.wallet().balance).toBeGreaterThan(mob(99_000));
  expect(sandbox.wallet().received).toEqual([]);
  await sandbox.pay({ address: sandbox.wallet().address, amount: mob(3) });
  expect(sandbox.wallet().received.map(({ amount }) => amount)).toEqual([mob(3)]);
});

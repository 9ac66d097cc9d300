import { expect, it } from "vitest";
import { listAlerts } from "~/exchange.server/alerts/alerts";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";

const w = forAllTests(() => openOrders("PGlite"));

/** A process's job that reads the Ethereum wallet. */
const openJob = () => createJobs(w.ctx).find(({ name }) => name === "check-wallet-ethereum");
const perPayment = 10n ** 15n;
const check = async (job: ReturnType<typeof openJob>, payments: bigint, extra = 0n) => {
  w.usdt.faults.ether = { wei: payments * perPayment + extra, perPayment };
  await job?.run();
  return (await listAlerts(w.ctx.db)).map(({ subject, action }) => `${subject}: ${action}`);
};
const send = (amount: string) =>
  `ether: Send about ${amount} ether to signer-USDT. Don't book it: ether is not in the books.`;

it("T60 alerts an operator once the wallet's ether pays for fewer than twenty payments, until it pays for forty", async () => {
  const job = openJob();
  expect(await check(job, 20n)).toEqual([]);
  expect(await check(job, 20n, -1n)).toEqual([send("0.081")]);
  const [alert] = await listAlerts(w.ctx.db);
  expect(alert?.reason).toContain("has about 0.02 ether left for gas.");
  // The price of gas changes with every block. Another amount would be another log line at level fatal.
  expect(await check(job, 12n)).toEqual([send("0.081")]);
  expect(await check(job, 40n, -1n)).toEqual([send("0.081")]);
  expect(await check(job, 40n)).toEqual([]);
  expect(await check(job, 39n)).toEqual([]);
  expect(await check(job, 3n)).toEqual([send("0.097")]);
});

it("T60 ends the alert of another process within five minutes", async () => {
  const [first, second] = [openJob(), openJob()];
  await check(second, 40n);
  expect(await check(first, 0n)).toEqual([send("0.1")]);
  expect(await check(second, 40n)).toEqual([send("0.1")]);
  w.wait(300_001);
  expect(await check(second, 40n)).toEqual([]);
});

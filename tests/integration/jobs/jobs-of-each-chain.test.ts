import { expect, it } from "vitest";
import { getChainState } from "~/exchange.server/db/chain-state";
import { createJobs } from "~/exchange.server/jobs/jobs";
import { deferred } from "../../support/deferred";
import { forAllTests } from "../../support/for-tests";
import { openOrders } from "../../support/orders-harness";

const w = forAllTests(() => openOrders("PGlite"));

it("the check of one chain's wallet does not wait for the other chain, or hide its failure", async () => {
  const run = (name: string) =>
    createJobs(w.ctx)
      .find((job) => job.name === name)
      ?.run();
  const checkedAt = async () => (await getChainState(w.ctx.db, "MOB"))?.walletCheckedAt?.getTime() ?? 0;
  const resumed = deferred();
  const { readWallet } = w.usdt;
  w.usdt.readWallet = async () => {
    await resumed.promise;
    throw new Error("The node timed out.");
  };
  const ethereum = run("check-wallet-ethereum");
  w.wait(1_000);
  const before = await checkedAt();
  await run("check-wallet-mobilecoin");
  expect(await checkedAt()).toBeGreaterThan(before);
  resumed.resolve();
  await expect(ethereum).rejects.toThrow("The node timed out.");
  w.usdt.readWallet = readWallet;
});

it.each(["scan", "pay", "check-wallet", "check-history", "check-reserves"])(
  "there is a job %j for each chain",
  (job) => {
    const names = createJobs(w.ctx).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith(job))).toEqual([`${job}-ethereum`, `${job}-mobilecoin`]);
  },
);

it("each job has its own name, which processes use to share its runs", () => {
  const names = createJobs(w.ctx).map(({ name }) => name);
  expect(names.length).toBeGreaterThan(20);
  expect(names).toEqual([...new Set(names)]);
});

import { sql } from "drizzle-orm";
import { queryRows } from "~/exchange.server/db/database";
import { cancelOrder } from "~/exchange.server/orders/cancel";
import { getOffReason, switchOff } from "~/exchange.server/switches/switches";
import { switchOn } from "../support/switch-on";
import {
  decideOrder,
  operate,
  type PlacedOrder,
  pay,
  placeOrder,
  refusable,
  refuse,
  reorg,
  setNodeFault,
  Violation,
} from "./actions";
import { restore, settleRestored } from "./backups";
import { findDelayed, findFaults, findOpenEnds } from "./invariants";
import type { Step } from "./steps";
import { jobNames, type World } from "./world";

/** The jobs that advance orders. What the wallets hold and the rate are read before each new order. */
const workJobs = jobNames.filter((name) => !["wallets", "rates", "history"].includes(name));

export type Failure = { step: number; faults: string[] };

/** The most statements of one step; the longest ones send a few hundred. */
const maxStatements = 20_000;

/** Plays a history from its first step to its last, then ends every fault and lets everything finish. */
export async function playHistory(world: World, steps: readonly Step[]): Promise<Failure | null> {
  const placed: PlacedOrder[] = [];
  for (const [index, step] of steps.entries()) {
    const before = describeState(world);
    const faults = await watch(world, async () => {
      await playStep(world, placed, step);
      // If nothing was written and no block was made, the invariants cannot have changed.
      return describeState(world) === before ? [] : findFaults(world, placed);
    });
    if (faults.length > 0) return { step: index, faults };
  }
  const faults = await watch(world, () => heal(world, placed));
  return faults.length > 0 ? { step: steps.length, faults } : null;
}

/** Changes with every write and every block. */
function describeState({ database, ethereum, mobilecoin }: World): string {
  return `${database.counts.changed} ${ethereum.getRevision()} ${mobilecoin.getRevision()}`;
}

/** The result of `play`, and whether the history hung or had to be stopped. */
async function watch({ database: { counts } }: World, play: () => Promise<string[]>): Promise<string[]> {
  const { queries, hung } = counts;
  const faults = await play().catch((error: unknown) => {
    if (error instanceof Violation) return [error.message];
    throw error;
  });
  if (counts.hung > hung) return ["a statement waited too long: did it bypass an open transaction?", ...faults];
  if (counts.queries > queries + maxStatements)
    return [`one step sent ${counts.queries - queries} statements`, ...faults];
  return faults;
}

async function playStep(world: World, placed: PlacedOrder[], step: Step): Promise<void> {
  const { ethereum, mobilecoin } = world;
  switch (step.kind) {
    case "order":
      if (await world.start()) return;
      return void (await refusable(() => placeOrder(world, placed, step)));
    case "mine":
      world.advance(step.blocks * 1_000);
      ethereum.mine(step.blocks);
      if (mobilecoin.countWaiting() > 0) await mobilecoin.makeBlock();
      return;
    case "mob-blocks":
      for (let i = 0; i < step.blocks; i += 1) await mobilecoin.makeBlock();
      return;
    case "reorg":
      return reorg(world, placed, step);
    case "job": {
      const { process, job, crashBefore, preemptAt, preemptBy } = step;
      const run = async () => void (preemptBy && (await world.runJob((1 - process) as 0 | 1, preemptBy)));
      await world.runJob(process, job, {
        ...(crashBefore !== undefined && { crashBefore }),
        ...(preemptAt !== undefined && { preempt: { atCall: preemptAt, run } }),
      });
      return;
    }
    case "all-jobs":
      for (const job of workJobs) await world.runJob(step.process, job);
      return;
    case "wait":
      world.advance(step.ms);
      ethereum.mine();
      return;
    case "evict":
      return ethereum.evict();
    case "resurface":
      return ethereum.resurface();
    case "restore":
      return restore(world, placed);
    case "backup":
      return world.backUp();
    case "pay":
    case "dust":
    case "decide":
    case "cancel":
    case "refuse":
    case "identity":
    case "operator": {
      const order = step.order === -1 ? placed.at(-1) : placed[step.order % Math.max(1, placed.length)];
      if (order && !(await world.start())) await playOrderStep(world, order, step);
      return;
    }
    default:
      return setSurroundings(world, step);
  }
}

type OrderStep = Extract<Step, { order: number }>;

async function playOrderStep(world: World, order: PlacedOrder, step: OrderStep): Promise<void> {
  const [ctx] = world.processes;
  switch (step.kind) {
    case "pay": {
      const each = (order.amount * BigInt(step.percent)) / 100n / BigInt(step.parts);
      return pay(world, order, { parts: step.parts, each });
    }
    case "dust":
      return pay(world, order, { parts: step.transfers, each: BigInt(step.units) });
    case "decide":
      return void (await refusable(() => decideOrder(world, order, step.choice)));
    case "cancel":
      return void (await refusable(() => cancelOrder(ctx, order.id)));
    case "refuse":
      return refuse(world, order, step.on);
    case "identity":
      return void (await refusable(() => world.decideIdentity(order.customer, step.status)));
    case "operator":
      return void (await refusable(() => operate(world, order, step.action)));
  }
}

type Surroundings = Extract<
  Step,
  { kind: "node" | "submit" | "wallet" | "switch" | "rate" | "feed" | "base-fee" | "pause" }
>;

async function setSurroundings(world: World, step: Surroundings): Promise<void> {
  const { ethereum, mobilecoin, database } = world;
  switch (step.kind) {
    case "node":
      return setNodeFault(world, step);
    case "submit":
      return mobilecoin.faultSubmit(step.fault);
    case "wallet":
      mobilecoin.faults.down = step.fault === "down";
      mobilecoin.faults.resyncing = step.fault === "resyncing";
      return;
    case "switch": {
      const at = new Date(world.now());
      if (step.on) await switchOn(database.db, step.name);
      else await switchOff(database.db, step.name, { reason: "simulation", at });
      return;
    }
    case "rate":
      return world.setRate((350_000_000_000n * BigInt(step.percent)) / 100n);
    case "feed":
      return world.setFeedDown(step.down);
    case "base-fee":
      return ethereum.setBaseFee(BigInt(step.gwei) * 10n ** 9n);
    case "pause":
      return ethereum.setPaused(step.on);
  }
}

/** Ends every fault, lets days pass and every job run until nothing is left to do. Returns what is still wrong. */
async function heal(world: World, placed: PlacedOrder[]): Promise<string[]> {
  setNodeFault(world, { node: 0, fault: "none" });
  world.mobilecoin.endFaults();
  world.setFeedDown(false);
  world.ethereum.setBaseFee(10n ** 9n);
  world.ethereum.setPaused(false);
  await openSwitches(world);
  await world.runJob(0, "wallets");
  const settle = async (isLast: boolean) => {
    if (world.restored.size === 0) return;
    await world.runJob(0, "history");
    await settleRestored(world, placed, isLast);
    await openSwitches(world);
  };
  if (world.ethereum.refused.size > 0) {
    const isOver = async () => (await findDelayed(world, placed)).length === 0;
    await work(world, 10, () => settle(false), isOver);
    const delayed = await findDelayed(world, placed);
    if (delayed.length > 0) return delayed;
    for (const order of placed) refuse(world, order, false);
  }
  // From now on, an operator retries parked payments and refunds orders whose owners may not swap.
  await work(world, 16, async (round) => {
    await openSwitches(world);
    await settle(round > 8);
    for (const order of placed) {
      if (world.ineligible.has(order.customer.accountId)) await refusable(() => operate(world, order, "refund"));
      await refusable(() => operate(world, order, "retry"));
    }
  });
  return [...(await findFaults(world, placed)), ...(await findOpenEnds(world, placed))];
}

async function openSwitches({ database: { db } }: World): Promise<void> {
  for (const name of ["swaps", "payments"] as const) {
    if ((await getOffReason(db, name)) !== null) await switchOn(db, name);
  }
}

/** Runs the jobs until `isOver`, until they have nothing to do, even days later, or for this many rounds. */
async function work(
  world: World,
  rounds: number,
  attend: (round: number) => Promise<void>,
  isOver: () => Promise<boolean> = async () => false,
): Promise<void> {
  let quiet = 0;
  for (let round = 0; round < rounds && quiet < 2; round += 1) {
    await attend(round);
    for (const job of workJobs) await world.runJob((round % 2) as 0 | 1, job);
    world.ethereum.mine(4);
    // A MobileCoin payment whose inputs were spent by another payment is given up only after 100 blocks.
    const blocks = round % 3 === 2 ? 40 : Math.min(1, world.mobilecoin.countWaiting());
    for (let i = 0; i < blocks; i += 1) await world.mobilecoin.makeBlock();
    if (await isOver()) return;
    quiet = (await isAtRest(world)) ? quiet + 1 : 0;
    world.advance(quiet === 1 || round === 1 || round === 4 || round === 7 ? 73 * 3_600_000 : 61_000);
    world.ethereum.mine();
  }
}

/** Whether no job has anything left to do for now. */
async function isAtRest({ database, ethereum, mobilecoin }: World): Promise<boolean> {
  if (ethereum.countWaiting() > 0 || mobilecoin.countWaiting() > 0) return false;
  const [row] = await queryRows<{ open: boolean }>(
    database.db,
    sql`select exists (select 1 from orders where status not in ('completed', 'refunded', 'cancelled', 'expired'))
            or exists (select 1 from payments where status not in ('confirmed', 'failed'))
            or exists (select 1 from deposits where status = 'pending') as open`,
  );
  return row?.open === false;
}

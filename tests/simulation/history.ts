import { sql } from "drizzle-orm";
import { rowsOf } from "../../app/exchange.server/db/database";
import { orders } from "../../app/exchange.server/db/schema/orders";
import { ExchangeError } from "../../app/exchange.server/errors";
import { cancelOrder } from "../../app/exchange.server/orders/cancel";
import { decide } from "../../app/exchange.server/orders/decide";
import { lockQuote } from "../../app/exchange.server/orders/lock-quote";
import { refreshOffer } from "../../app/exchange.server/orders/offers";
import { createQuote } from "../../app/exchange.server/pricing/quotes";
import { switchOff, switchOn } from "../../app/exchange.server/switches/switches";
import { formatAmount } from "../../app/lib/money";
import { findFaults, findOpenEnds } from "./invariants";
import type { Random } from "./random";
import { type Customer, type JobName, jobNames, type World } from "./world";

/**
 * What can happen to an exchange. Steps name things by number (the n-th order so far), so
 * that a history stays meaningful when steps are taken out of it.
 */
export type Step =
  | { kind: "order"; source: "USDT" | "MOB"; usdt: number }
  | { kind: "pay"; order: number; percent: number; parts: number }
  | { kind: "mine"; blocks: number }
  | { kind: "reorg"; depth: number; lose: "none" | "customers" | "ours" | "all" }
  | { kind: "job"; process: 0 | 1; job: JobName; crashBefore?: number; preemptAt?: number; preemptBy?: JobName }
  | { kind: "all-jobs"; process: 0 | 1 }
  | { kind: "wait"; ms: number }
  | { kind: "decide"; order: number; choice: "accept" | "requote" | "refund" }
  | { kind: "cancel"; order: number }
  | { kind: "node"; node: number; fault: "copies" | "hides-logs" | "denies-receipts" | "refuses" | "down" | "none" }
  | { kind: "submit"; fault: "refuse" | "drop" | "propose_then_error" | "lose_response" }
  | { kind: "wallet"; fault: "down" | "resyncing" | "none" }
  | { kind: "switch"; name: "swaps" | "payments"; on: boolean }
  | { kind: "rate"; percent: number }
  | { kind: "base-fee"; gwei: number };

/** The jobs that move orders on. What the wallets hold is read before each new order. */
const workJobs = jobNames.filter((name) => name !== "wallets");

const waits = [1_000, 15_000, 61_000, 10 * 60_000, 33 * 60_000, 73 * 3_600_000];

/** A history of `length` steps; the first ones always make orders. */
export function generateHistory(random: Random, length: number): Step[] {
  const steps: Step[] = [];
  for (let i = 0; i < length; i += 1) steps.push(i < 2 ? generateOrder(random) : generateStep(random));
  return steps;
}

function generateOrder(random: Random): Step {
  return { kind: "order", source: random.pick(["USDT", "MOB"]), usdt: 12 + random.int(400) };
}

function generateStep(random: Random): Step {
  const process = random.int(2) as 0 | 1;
  const order = random.int(8);
  switch (
    random.weighted({
      order: 3,
      pay: 8,
      mine: 8,
      reorg: 2,
      job: 14,
      jobs: 10,
      wait: 5,
      decide: 4,
      cancel: 1,
      node: 4,
      submit: 2,
      wallet: 1,
      switch: 1,
      rate: 1,
      fee: 2,
    })
  ) {
    case "order":
      return generateOrder(random);
    case "pay":
      return {
        kind: "pay",
        order,
        percent: random.pick([100, 100, 100, 100, 50, 101, 105, 150, 3]),
        parts: random.pick([1, 1, 1, 2, 4]),
      };
    case "mine":
      return { kind: "mine", blocks: random.pick([1, 1, 2, 3, 4, 8]) };
    case "reorg":
      return {
        kind: "reorg",
        depth: random.pick([1, 1, 2, 3, 4, 6, 12, 64]),
        lose: random.pick(["none", "none", "customers", "ours", "all"]),
      };
    case "job": {
      const step: Step = { kind: "job", process, job: random.pick(jobNames) };
      if (random.chance(0.5)) step.crashBefore = random.int(14);
      if (random.chance(0.3)) {
        step.preemptAt = 1 + random.int(6);
        step.preemptBy = random.pick(jobNames);
      }
      return step;
    }
    case "jobs":
      return { kind: "all-jobs", process };
    case "wait":
      return { kind: "wait", ms: random.pick(waits) };
    case "decide":
      return { kind: "decide", order, choice: random.pick(["accept", "requote", "refund"]) };
    case "cancel":
      return { kind: "cancel", order };
    case "node":
      return {
        kind: "node",
        node: random.int(3),
        fault: random.pick(["copies", "hides-logs", "denies-receipts", "refuses", "down", "none"]),
      };
    case "submit":
      return { kind: "submit", fault: random.pick(["refuse", "drop", "propose_then_error", "lose_response"]) };
    case "wallet":
      return { kind: "wallet", fault: random.pick(["down", "resyncing", "none", "none"]) };
    case "switch":
      return { kind: "switch", name: random.pick(["swaps", "payments"]), on: random.chance(0.6) };
    case "rate":
      return { kind: "rate", percent: random.pick([50, 90, 110, 300]) };
    case "fee":
      return { kind: "base-fee", gwei: random.pick([1, 1, 5, 40, 200]) };
  }
}

export type PlacedOrder = {
  id: string;
  customer: Customer;
  source: "USDT" | "MOB";
  funding: string;
  amount: bigint;
  /** A reorganisation deeper than the confirmations took this order's money after it had counted. */
  excused: boolean;
};

export type Failure = { step: number; faults: string[] };

/** Plays a history from its first step to its last, then lets everything heal and end. */
export async function playHistory(world: World, steps: readonly Step[]): Promise<Failure | null> {
  const placed: PlacedOrder[] = [];
  for (const [index, step] of steps.entries()) {
    await playStep(world, placed, step);
    const faults = await findFaults(world, placed);
    if (faults.length > 0) return { step: index, faults };
  }
  await heal(world);
  const faults = [...(await findFaults(world, placed)), ...(await findOpenEnds(world, placed))];
  return faults.length > 0 ? { step: steps.length, faults } : null;
}

async function playStep(world: World, placed: PlacedOrder[], step: Step): Promise<void> {
  const { ethereum, mobilecoin, processes } = world;
  const [ctx] = processes;
  switch (step.kind) {
    case "order":
      return void (await refusable(() => placeOrder(world, placed, step)));
    case "pay":
      return pay(world, placed[step.order % Math.max(1, placed.length)], step);
    case "mine":
      world.advance(step.blocks * 1_000);
      ethereum.mine(step.blocks);
      if (mobilecoin.countWaiting() > 0) await mobilecoin.makeBlock();
      return;
    case "reorg":
      return reorganise(world, placed, step);
    case "job": {
      const { process, job, crashBefore, preemptAt, preemptBy } = step;
      const other = (1 - process) as 0 | 1;
      await world.runJob(process, job, {
        ...(crashBefore !== undefined && { crashBefore }),
        ...(preemptAt !== undefined &&
          preemptBy && {
            preempt: { atCall: preemptAt, run: async () => void (await world.runJob(other, preemptBy)) },
          }),
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
    case "decide": {
      const order = placed[step.order % Math.max(1, placed.length)];
      if (order) await refusable(() => decideOrder(world, order, step.choice));
      return;
    }
    case "cancel": {
      const order = placed[step.order % Math.max(1, placed.length)];
      if (order) await refusable(() => cancelOrder(ctx, order.id));
      return;
    }
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
      if (step.on) await switchOn(ctx.db, step.name, at);
      else await switchOff(ctx.db, step.name, "simulation", at);
      return;
    }
    case "rate":
      return world.setRate((350_000_000_000n * BigInt(step.percent)) / 100n);
    case "base-fee":
      return ethereum.setBaseFee(BigInt(step.gwei) * 10n ** 9n);
  }
}

/** A refusal is an answer. Anything else is a fault of the exchange and ends the history. */
async function refusable<T>(work: () => Promise<T>): Promise<T | null> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ExchangeError) return null;
    throw error;
  }
}

async function placeOrder(
  world: World,
  placed: PlacedOrder[],
  step: { source: "USDT" | "MOB"; usdt: number },
): Promise<void> {
  const [ctx] = world.processes;
  await world.runJob(0, "wallets");
  for (const job of ["scan-usdt", "scan-mob"] as const) await world.runJob(0, job);
  const customer = await world.createCustomer();
  const target = step.source === "USDT" ? "MOB" : "USDT";
  const amount = step.source === "USDT" ? BigInt(step.usdt) * 10n ** 6n : BigInt(step.usdt) * 3n * 10n ** 12n;
  const quote = await createQuote(ctx, customer.accountId, {
    source_asset_symbol: step.source,
    target_asset_symbol: target,
    source_amount: formatAmount(amount, step.source),
  });
  const ids = { USDT: customer.ids.ETH, MOB: customer.ids.MOB };
  const { order } = await lockQuote(ctx, {
    owner: { accountId: customer.accountId, payoutsWaitUntil: null },
    quoteId: quote.id,
    request: { delivery_address_id: ids[target], refund_address_id: ids[step.source] },
    idempotencyKey: world.newKey(),
  });
  placed.push({ id: order.id, customer, source: step.source, funding: order.fundingAddress, amount, excused: false });
}

async function pay(
  world: World,
  order: PlacedOrder | undefined,
  step: { percent: number; parts: number },
): Promise<void> {
  if (!order) return;
  const total = (order.amount * BigInt(step.percent)) / 100n;
  const each = total / BigInt(step.parts);
  if (order.source === "MOB") {
    for (let i = 0; i < step.parts; i += 1) await world.mobilecoin.pay(order.funding, each);
    return;
  }
  const transfers = Array.from({ length: step.parts }, () => ({ to: order.funding as `0x${string}`, value: each }));
  world.ethereum.transfer(order.customer.eth, transfers);
}

/**
 * A reorganisation that loses a deposit the exchange had every reason to trust (three
 * confirmations, and the payout already signed) is the risk that confirmations price in; the
 * order is not held against the exchange.
 */
async function reorganise(
  world: World,
  placed: PlacedOrder[],
  step: { depth: number; lose: "none" | "customers" | "ours" | "all" },
): Promise<void> {
  const lost = new Set(
    world.ethereum.reorganise(
      step.depth,
      ({ ours }) => step.lose === "all" || (step.lose === "ours" ? ours : step.lose === "customers" ? !ours : false),
    ),
  );
  if (lost.size === 0 || step.lose === "ours") return;
  const rows = await world.database.db.select({ id: orders.id, status: orders.status }).from(orders);
  const trusted = new Set(
    rows
      .filter(({ status }) =>
        [
          "paying_out",
          "completed",
          "refunding",
          "refunded",
          "needs_decision",
          "on_hold",
          "cancelled",
          "expired",
        ].includes(status),
      )
      .map(({ id }) => id),
  );
  for (const order of placed) if (order.source === "USDT" && trusted.has(order.id)) order.excused = true;
}

async function decideOrder(world: World, order: PlacedOrder, choice: "accept" | "requote" | "refund"): Promise<void> {
  const [ctx] = world.processes;
  const { accountId } = order.customer;
  if (choice !== "requote") {
    await decide(ctx, accountId, order.id, { choice });
    return;
  }
  const offer = await refreshOffer(ctx, order.id);
  if (offer) await decide(ctx, accountId, order.id, { choice, quote_id: offer.id });
}

function setNodeFault(
  world: World,
  step: { node: number; fault: "copies" | "hides-logs" | "denies-receipts" | "refuses" | "down" | "none" },
): void {
  // One node at a time may lie or be gone; of three, two are always honest.
  for (const { faults } of world.ethereum.nodes) {
    faults.down = false;
    faults.hiddenLogs = new Set();
    faults.deniesReceipts = false;
    faults.refusesTransactions = false;
    if (step.fault === "none") faults.copies = 1;
  }
  const faults = world.ethereum.nodes[step.node]?.faults;
  if (!faults) return;
  if (step.fault === "copies") faults.copies = 3;
  if (step.fault === "down") faults.down = true;
  if (step.fault === "denies-receipts") faults.deniesReceipts = true;
  if (step.fault === "refuses") faults.refusesTransactions = true;
  if (step.fault === "hides-logs") faults.hiddenLogs = hideEverything;
}

const hideEverything = new (class extends Set<`0x${string}`> {
  override has(): boolean {
    return true;
  }
})();

/** Ends every fault, lets days pass and every job run until nothing is left to do. */
async function heal(world: World): Promise<void> {
  const [ctx] = world.processes;
  setNodeFault(world, { node: 0, fault: "none" });
  world.mobilecoin.faults.down = false;
  world.mobilecoin.faults.resyncing = false;
  world.ethereum.setBaseFee(10n ** 9n);
  const at = new Date(world.now());
  await switchOn(ctx.db, "swaps", at);
  await switchOn(ctx.db, "payments", at);
  let quiet = 0;
  // A process that has nothing left to do must stay quiet when days pass, too.
  for (let round = 0; round < 14 && quiet < 2; round += 1) {
    for (const job of round === 0 ? jobNames : workJobs) await world.runJob((round % 2) as 0 | 1, job);
    world.ethereum.mine(4);
    if (world.mobilecoin.countWaiting() > 0) await world.mobilecoin.makeBlock();
    quiet = (await isAtRest(world)) ? quiet + 1 : 0;
    world.advance(quiet === 1 || round === 4 || round === 8 ? 73 * 3_600_000 : 60_000);
    world.ethereum.mine();
  }
}

/** Whether no job has anything left to do for now. */
async function isAtRest({ database, ethereum, mobilecoin }: World): Promise<boolean> {
  if (ethereum.countWaiting() > 0 || mobilecoin.countWaiting() > 0) return false;
  const [row] = await rowsOf<{ open: boolean }>(
    database.db,
    sql`select exists (select 1 from orders where status not in ('completed', 'refunded', 'cancelled', 'expired'))
            or exists (select 1 from payments where status not in ('confirmed', 'failed'))
            or exists (select 1 from deposits where status = 'pending') as open`,
  );
  return row?.open === false;
}

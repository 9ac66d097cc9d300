import type { Random } from "./random";
import { type JobName, jobNames } from "./world";

export type NodeFault =
  | "copies"
  | "alters-logs"
  | "hides-logs"
  | "late-logs"
  | "denies-receipts"
  | "refuses"
  | "refuses-gaps"
  | "is-stuck"
  | "down"
  | "none";
export type OperatorAction = "hold" | "release" | "refund" | "retry" | "readdress" | "mark-paid";

/**
 * What can happen to an exchange. Steps name things by number (the n-th order so far, or -1 for the
 * newest), so that a history stays meaningful when steps are taken out of it.
 */
export type Step =
  | { kind: "order"; source: "USDT" | "MOB"; usdt: number }
  | { kind: "pay"; order: number; percent: number; parts: number }
  | { kind: "dust"; order: number; transfers: number; units: number }
  | { kind: "mine"; blocks: number }
  /** Blocks of the MobileCoin ledger. After 100 of them it no longer accepts a waiting payment. */
  | { kind: "mob-blocks"; blocks: number }
  | { kind: "reorg"; depth: number; lose: "none" | "customers" | "ours" | "all" }
  | { kind: "job"; process: 0 | 1; job: JobName; crashBefore?: number; preemptAt?: number; preemptBy?: JobName }
  | { kind: "all-jobs"; process: 0 | 1 }
  | { kind: "wait"; ms: number }
  /** `look` requests a new price and does not accept it. */
  | { kind: "decide"; order: number; choice: "look" | "accept" | "requote" | "refund" }
  | { kind: "cancel"; order: number }
  /** `node` 3 means all three nodes. Even correct nodes may repeat or delay logs, and refuse transactions. */
  | { kind: "node"; node: number; fault: NodeFault }
  /** The networks refuse every payment to this order's customer, or accept them again. */
  | { kind: "refuse"; order: number; on: boolean }
  | { kind: "submit"; fault: "refuse" | "drop" | "propose_then_error" | "lose_response" }
  | { kind: "wallet"; fault: "down" | "resyncing" | "none" }
  | { kind: "identity"; order: number; status: "approved" | "rejected" }
  | { kind: "operator"; order: number; action: OperatorAction }
  | { kind: "switch"; name: "swaps" | "payments"; on: boolean }
  | { kind: "rate"; percent: number }
  | { kind: "feed"; down: boolean }
  | { kind: "base-fee"; gwei: number }
  /** Tether pauses the token, so that transfers are included without effect, or resumes it. */
  | { kind: "pause"; on: boolean }
  /** The nodes drop our payments that are not in a block. */
  | { kind: "evict" }
  /** Our payments that were dropped by nodes or removed by reorgs reach the chain again: one node still had them. */
  | { kind: "resurface" }
  | { kind: "backup" }
  | { kind: "restore" };

const waits = [1_000, 15_000, 61_000, 10 * 60_000, 33 * 60_000, 73 * 3_600_000];

/**
 * A history of 8 to 30 steps, more often short than long: finding a fault takes few steps, and each step costs more
 * the more orders came before it. It begins with two orders, and no sequence is cut.
 */
export function generateHistory(random: Random): Step[] {
  const length = 8 + random.int(1 + random.int(23));
  const steps: Step[] = [generateOrder(random), generateOrder(random)];
  while (steps.length < length) {
    if (random.chance(0.2)) steps.push(...sequences[random.weighted(sequenceWeights)](random));
    else steps.push(generateStep(random));
  }
  return steps;
}

/** Steps that rarely come one after the other by chance, and without which little happens. */
const sequenceWeights = {
  swap: 4,
  undo: 3,
  bar: 2,
  restore: 2,
  late: 2,
  forget: 1,
  race: 2,
  outbid: 2,
  uncancel: 2,
  halt: 2,
  unfunded: 2,
  again: 2,
  unfill: 2,
  lose: 2,
};
const sequences: Record<keyof typeof sequenceWeights, (random: Random) => Step[]> = {
  /** An order is paid in full, and paid out. */
  swap: (random) => [
    { kind: "pay", order: anOrder(random), percent: 100, parts: 1 },
    { kind: "mine", blocks: 4 },
    { kind: "all-jobs", process: aProcess(random) },
    { kind: "mine", blocks: 4 },
    { kind: "all-jobs", process: aProcess(random) },
  ],
  /** A payment leaves the chain after its confirmations. */
  undo: (random) => [
    ...sequences.swap(random),
    { kind: "reorg", depth: random.pick([6, 12, 64]), lose: random.pick(["ours", "all", "none"]) },
    { kind: "all-jobs", process: aProcess(random) },
  ],
  /** A payment leaves the chain after its confirmations and is then refused, before another order is paid. */
  bar: (random) => [
    ...toFill(random, "MOB"),
    { kind: "all-jobs", process: aProcess(random) },
    { kind: "mine", blocks: 4 },
    { kind: "all-jobs", process: aProcess(random) },
    { kind: "refuse", order: -1, on: true },
    { kind: "reorg", depth: random.pick([6, 12, 64]), lose: "ours" },
    { kind: "all-jobs", process: aProcess(random) },
    ...toFill(random, "MOB"),
    ...(random.chance(0.5) ? [{ kind: "resurface" } as const] : []),
    { kind: "all-jobs", process: aProcess(random) },
  ],
  /** A payment comes late, and the customer takes the offer that was made before swaps may have been stopped. */
  late: (random) => {
    const order = anOrder(random);
    const process = aProcess(random);
    return [
      { kind: "wait", ms: 33 * 60_000 },
      { kind: "all-jobs", process },
      { kind: "pay", order, percent: 100, parts: 1 },
      { kind: "mine", blocks: 4 },
      { kind: "all-jobs", process },
      { kind: "decide", order, choice: "look" },
      { kind: "switch", name: "swaps", on: random.chance(0.3) },
      { kind: "decide", order, choice: "requote" },
    ];
  },
  /** Loses the payments made after a backup. */
  restore: (random) => {
    const [pay, ...rest] = sequences.swap(random) as [Step, ...Step[]];
    return random.chance(0.5)
      ? [{ kind: "backup" }, pay, ...rest, generateOrder(random), { kind: "restore" }, generateOrder(random)]
      : [pay, { kind: "mine", blocks: 4 }, { kind: "backup" }, ...rest, { kind: "restore" }];
  },
  /** An order that a restored backup lacks, and another one after it. Neither is paid out before the restore. */
  forget: (random) => [
    { kind: "backup" },
    generateOrder(random, "USDT"),
    ...(random.chance(0.5) ? [toPay(100)] : []),
    { kind: "restore" },
    generateOrder(random, "USDT"),
    toPay(100),
  ],
  /** Both processes follow the same payment at the same time. */
  race: (random) => {
    const source = random.pick(["USDT", "MOB"] as const);
    const job = source === "USDT" ? "pay-mob" : "pay-usdt";
    return [
      ...toFill(random, source),
      { kind: "job", process: 0, job },
      { kind: "mine", blocks: 4 },
      { kind: "job", process: 0, job, preemptAt: 1 + random.int(3), preemptBy: job },
    ];
  },
  /** The fee of a payment is raised, the nodes do not accept the new version, and the old one is mined. */
  outbid: (random) => [
    ...toFill(random, "MOB"),
    { kind: "job", process: 0, job: "pay-usdt" },
    { kind: "base-fee", gwei: random.pick([5, 40]) },
    { kind: "wait", ms: random.pick([61_000, 10 * 60_000]) },
    { kind: "node", node: 3, fault: "refuses" },
    { kind: "job", process: aProcess(random), job: "pay-usdt" },
    { kind: "base-fee", gwei: 1 },
    { kind: "mine", blocks: 4 },
  ],
  /** The cancellation of a refused payment leaves the chain, after another order was paid. */
  uncancel: (random) => [
    ...toFill(random, "MOB"),
    { kind: "refuse", order: -1, on: true },
    // Refused three times, and then cancelled.
    { kind: "job", process: 0, job: "pay-usdt" },
    { kind: "job", process: 1, job: "pay-usdt" },
    { kind: "job", process: 0, job: "pay-usdt" },
    { kind: "mine", blocks: 4 },
    ...toFill(random, "MOB"),
    { kind: "job", process: aProcess(random), job: "pay-usdt" },
    ...(random.chance(0.5) ? [{ kind: "mine", blocks: 4 } as const] : []),
    { kind: "job", process: aProcess(random), job: "pay-usdt" },
    { kind: "reorg", depth: random.pick([12, 64]), lose: "ours" },
    { kind: "job", process: aProcess(random), job: "pay-usdt" },
  ],
  /** A payment is included without effect, because the token is paused, and may then leave the chain. */
  halt: (random) => [
    ...toFill(random, "MOB"),
    { kind: "job", process: aProcess(random), job: "pay-usdt" },
    { kind: "pause", on: true },
    { kind: "mine", blocks: 4 },
    { kind: "job", process: aProcess(random), job: "pay-usdt" },
    { kind: "pause", on: false },
    { kind: "wait", ms: 61_000 },
    { kind: "all-jobs", process: aProcess(random) },
    ...(random.chance(0.5) ? [{ kind: "reorg", depth: random.pick([12, 64]), lose: "ours" } as const] : []),
    { kind: "all-jobs", process: aProcess(random) },
  ],
  /** A deposit leaves the chain after its order was filled and before the payout. */
  unfunded: (random) => [
    ...toFill(random, "USDT"),
    { kind: "reorg", depth: random.pick([6, 12, 64]), lose: random.pick(["customers", "all"]) },
    { kind: "job", process: aProcess(random), job: "pay-mob" },
  ],
  /** A customer pays too much, and then once more. */
  again: (random) => [
    generateOrder(random),
    toPay(random.pick([105, 150])),
    { kind: "mine", blocks: 4 },
    { kind: "all-jobs", process: aProcess(random) },
    toPay(random.pick([50, 100])),
    { kind: "mine", blocks: 4 },
    { kind: "all-jobs", process: aProcess(random) },
  ],
  /** An order is filled, and then refunded by an operator. */
  unfill: (random) => [
    ...toFill(random, random.pick(["USDT", "MOB"])),
    { kind: "operator", order: -1, action: "hold" },
    { kind: "operator", order: -1, action: "refund" },
    { kind: "all-jobs", process: aProcess(random) },
  ],
  /** A refund of MOB is lost by the network until it can no longer be accepted, and both processes see that. */
  lose: (random) => [
    generateOrder(random, "MOB"),
    toPay(random.pick([3, 50])),
    { kind: "all-jobs", process: aProcess(random) },
    { kind: "decide", order: -1, choice: "refund" },
    { kind: "submit", fault: "drop" },
    { kind: "job", process: 0, job: "pay-mob" },
    { kind: "mob-blocks", blocks: 110 },
    { kind: "job", process: 0, job: "pay-mob", preemptAt: 1 + random.int(3), preemptBy: "pay-mob" },
  ],
};

const toPay = (percent: number): Step => ({ kind: "pay", order: -1, percent, parts: 1 });

/** A new order that is paid and filled, but not paid out yet. */
function toFill(random: Random, source: "USDT" | "MOB"): Step[] {
  const job = source === "USDT" ? "scan-usdt" : "scan-mob";
  return [
    generateOrder(random, source),
    toPay(100),
    { kind: "mine", blocks: 4 },
    { kind: "job", process: aProcess(random), job },
  ];
}

function generateOrder(random: Random, source?: "USDT" | "MOB"): Step {
  return { kind: "order", source: source ?? random.pick(["USDT", "MOB"]), usdt: 12 + random.int(400) };
}

const weights = {
  order: 3,
  pay: 8,
  dust: 1,
  mine: 8,
  "mob-blocks": 1,
  reorg: 2,
  job: 14,
  "all-jobs": 7,
  wait: 5,
  decide: 4,
  cancel: 1,
  node: 4,
  refuse: 1,
  submit: 2,
  wallet: 1,
  identity: 2,
  operator: 3,
  switch: 2,
  rate: 1,
  feed: 1,
  "base-fee": 2,
  pause: 1,
  evict: 1,
  resurface: 1,
  backup: 1,
  restore: 1,
} as const satisfies Record<Step["kind"], number>;

function generateStep(random: Random): Step {
  return generators[random.weighted(weights)](random);
}

const anOrder = (random: Random) => random.int(8);
const aProcess = (random: Random) => random.int(2) as 0 | 1;

const generators: Record<Step["kind"], (random: Random) => Step> = {
  order: (random) => generateOrder(random),
  pay: (random) => ({
    kind: "pay",
    order: anOrder(random),
    percent: random.pick([100, 100, 100, 100, 50, 101, 105, 150, 3]),
    parts: random.pick([1, 1, 1, 2, 4]),
  }),
  dust: (random) => ({
    kind: "dust",
    order: anOrder(random),
    transfers: random.pick([1, 5, 20]),
    units: random.pick([1, 1_000]),
  }),
  mine: (random) => ({ kind: "mine", blocks: random.pick([1, 1, 2, 3, 4, 8]) }),
  "mob-blocks": (random) => ({ kind: "mob-blocks", blocks: random.pick([1, 10, 110]) }),
  reorg: (random) => ({
    kind: "reorg",
    depth: random.pick([1, 1, 2, 3, 4, 6, 12, 64]),
    lose: random.pick(["none", "none", "customers", "ours", "all"]),
  }),
  job: generateJob,
  "all-jobs": (random) => ({ kind: "all-jobs", process: aProcess(random) }),
  wait: (random) => ({ kind: "wait", ms: random.pick(waits) }),
  decide: (random) => ({
    kind: "decide",
    order: anOrder(random),
    choice: random.pick(["look", "accept", "requote", "requote", "refund"]),
  }),
  cancel: (random) => ({ kind: "cancel", order: anOrder(random) }),
  node: generateNodeFault,
  refuse: (random) => ({ kind: "refuse", order: anOrder(random), on: random.chance(0.8) }),
  submit: (random) => ({
    kind: "submit",
    fault: random.pick(["refuse", "drop", "propose_then_error", "lose_response"]),
  }),
  wallet: (random) => ({ kind: "wallet", fault: random.pick(["down", "resyncing", "none", "none"]) }),
  identity: (random) => ({
    kind: "identity",
    order: anOrder(random),
    status: random.pick(["rejected", "rejected", "approved"]),
  }),
  operator: (random) => ({
    kind: "operator",
    order: anOrder(random),
    action: random.pick(["hold", "release", "refund", "retry", "readdress", "mark-paid"]),
  }),
  switch: (random) => ({ kind: "switch", name: random.pick(["swaps", "payments"]), on: random.chance(0.6) }),
  rate: (random) => ({ kind: "rate", percent: random.pick([1, 50, 90, 110, 300]) }),
  feed: (random) => ({ kind: "feed", down: random.chance(0.5) }),
  "base-fee": (random) => ({ kind: "base-fee", gwei: random.pick([1, 1, 5, 40, 200]) }),
  pause: (random) => ({ kind: "pause", on: random.chance(0.5) }),
  evict: () => ({ kind: "evict" }),
  resurface: () => ({ kind: "resurface" }),
  backup: () => ({ kind: "backup" }),
  restore: () => ({ kind: "restore" }),
};

function generateJob(random: Random): Step {
  const step: Step = { kind: "job", process: aProcess(random), job: random.pick(jobNames) };
  if (random.chance(0.5)) step.crashBefore = random.int(14);
  if (random.chance(0.3)) {
    step.preemptAt = 1 + random.int(6);
    step.preemptBy = random.pick(jobNames);
  }
  return step;
}

function generateNodeFault(random: Random): Step {
  const fault = random.pick<NodeFault>([
    "copies",
    "alters-logs",
    "hides-logs",
    "late-logs",
    "denies-receipts",
    "refuses",
    "refuses-gaps",
    "is-stuck",
    "down",
    "none",
  ]);
  const isOfAll =
    ["copies", "late-logs", "refuses-gaps"].includes(fault) || (fault === "refuses" && random.chance(0.3));
  return { kind: "node", node: isOfAll ? 3 : random.int(3), fault };
}

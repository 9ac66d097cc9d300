import type { Step } from "./steps";

/** A history that once failed, shortened, and must never fail again. */
type Regression = { name: string; seed: number; steps: readonly Step[] };

export const regressions: readonly Regression[] = [
  {
    name: "a payment that both networks refuse delays no other",
    seed: 1,
    steps: [
      { kind: "order", source: "MOB", usdt: 100 },
      { kind: "refuse", order: 0, on: true },
      { kind: "pay", order: 0, percent: 100, parts: 1 },
      { kind: "all-jobs", process: 0 },
      { kind: "order", source: "MOB", usdt: 50 },
      { kind: "pay", order: 1, percent: 100, parts: 1 },
      { kind: "all-jobs", process: 1 },
    ],
  },
  {
    name: "logs that every node returns three times, and late, are one deposit",
    seed: 2,
    steps: [
      { kind: "order", source: "USDT", usdt: 100 },
      { kind: "node", node: 3, fault: "copies" },
      { kind: "node", node: 3, fault: "late-logs" },
      { kind: "pay", order: 0, percent: 100, parts: 2 },
      { kind: "mine", blocks: 8 },
      { kind: "all-jobs", process: 0 },
      { kind: "mine", blocks: 8 },
      { kind: "all-jobs", process: 1 },
    ],
  },
  {
    name: "a payout that leaves the chain after its confirmations is sent again",
    seed: 3,
    steps: [
      { kind: "order", source: "MOB", usdt: 100 },
      { kind: "pay", order: 0, percent: 100, parts: 1 },
      { kind: "all-jobs", process: 0 },
      { kind: "mine", blocks: 4 },
      { kind: "all-jobs", process: 0 },
      { kind: "reorg", depth: 6, lose: "ours" },
      { kind: "all-jobs", process: 1 },
    ],
  },
  {
    name: "two parked payments with the same inputs are both made in the end",
    seed: 31,
    steps: [
      { kind: "order", source: "MOB", usdt: 135 },
      { kind: "pay", order: 3, percent: 100, parts: 1 },
      { kind: "submit", fault: "refuse" },
      { kind: "pay", order: 1, percent: 100, parts: 1 },
      { kind: "all-jobs", process: 1 },
      { kind: "refuse", order: 4, on: true },
      { kind: "pay", order: 7, percent: 100, parts: 1 },
    ],
  },
  {
    name: "a payment that left the chain and is refused since delays no other",
    seed: 140,
    steps: [
      { kind: "order", source: "USDT", usdt: 55 },
      { kind: "order", source: "MOB", usdt: 332 },
      { kind: "pay", order: 3, percent: 100, parts: 1 },
      { kind: "all-jobs", process: 1 },
      { kind: "mine", blocks: 4 },
      { kind: "reorg", depth: 12, lose: "all" },
      { kind: "refuse", order: 1, on: true },
      { kind: "pay", order: 6, percent: 100, parts: 1 },
      { kind: "wait", ms: 1_980_000 },
    ],
  },
  {
    name: "a payment that is refused at nearly the highest fee delays no other",
    seed: 1497,
    steps: [
      { kind: "order", source: "MOB", usdt: 42 },
      { kind: "order", source: "MOB", usdt: 242 },
      { kind: "base-fee", gwei: 200 },
      { kind: "pay", order: 2, percent: 100, parts: 1 },
      { kind: "order", source: "USDT", usdt: 45 },
      { kind: "refuse", order: 7, on: true },
      { kind: "pay", order: 4, percent: 105, parts: 4 },
      { kind: "all-jobs", process: 0 },
    ],
  },
  {
    name: "a refund that waited to be mined while a backup was restored is not made again",
    seed: 1907,
    steps: [
      { kind: "order", source: "USDT", usdt: 93 },
      { kind: "wait", ms: 1_980_000 },
      { kind: "pay", order: 1, percent: 100, parts: 1 },
      { kind: "mine", blocks: 4 },
      { kind: "all-jobs", process: 1 },
      { kind: "wait", ms: 262_800_000 },
      { kind: "all-jobs", process: 0 },
      { kind: "backup" },
      { kind: "all-jobs", process: 1 },
      { kind: "restore" },
    ],
  },
];

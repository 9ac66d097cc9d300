import { toSecurityHeaders } from "~/server/security-headers.server";
import { findUndocumented, type OpenApi } from "../support/openapi";
import { findForms } from "./forms";
import {
  type ApiDocument,
  createInput,
  type Input,
  listSurface,
  readSurface,
  type Surface,
  type World,
} from "./inputs";
import { type Outcome, send } from "./send";
import { createWorld, isSignedIn, type Stall, startTarget, type Target, type Usage } from "./target";

export type StallCounts = {
  /** Stalls above 50 ms, not counting the time in which the thread waited for a processor. */
  own: number;
  /** Stalls that were not examined for lack of time. */
  unexamined: number;
  longestOwnMs: number;
  /** Stalls of more than 50 ms that were caused by a busy machine. */
  noise: number;
};

type Options = {
  seed: number;
  /** Stops after this many inputs, or after this time, whichever comes first. */
  inputs: number;
  ms: number;
  /** The first input's number. */
  from?: number;
  onProgress?: (done: number) => void;
  /** A data directory with a migrated database, which is deleted at the end. By default, a new one. */
  dataDir?: string;
  /** Whether to look for the causes of stalls, which takes time and a quiet machine. */
  examineStalls?: boolean;
};

export type Report = {
  inputs: number;
  /** The number of responses by status. */
  statuses: Record<string, number>;
  /** What is wrong, each with the number of the input. */
  findings: string[];
  stalls: StallCounts;
  /** How many operations and forms there are, and which of them were never used by an input. */
  coverage: { operations: number; forms: number; missed: string[] };
  /** Null if the site has exited. */
  usage: { start: Usage; end: Usage } | null;
};

const concurrency = 32;
const stallMs = 50;
/** How much the heap may grow after the warm-up of at most 2,000 inputs: caches stop growing, leaks do not. */
const maxHeapGrowth = 48 * 1024 * 1024;
const batchSize = 250;
/** A stall is a finding if its input causes one every time it is sent again, alone. */
const repeats = 5;

const securityHeaders = Object.keys(toSecurityHeaders({ secure: false, walletRpcOrigins: [] }));

type Sent = { index: number; from: number; to: number };
type Run = {
  options: Options;
  target: Target;
  surface: Surface;
  document: OpenApi;
  world: World;
  findings: string[];
  statuses: Record<string, number>;
  /** For the stalls: which inputs were in progress at what time. */
  sent: Sent[];
  stalls: StallCounts;
  used: Set<string>;
};

/** Sends the inputs of a seed to the built site and reports the site's faults. */
export async function fuzz(options: Options): Promise<Report> {
  const target = await startTarget(options.dataDir);
  try {
    const document = (await (await fetch(`${target.origin}/api/openapi.json`)).json()) as OpenApi & ApiDocument;
    const surface = readSurface(document, findForms());
    const world = await createWorld(target);
    const stalls: StallCounts = { own: 0, unexamined: 0, longestOwnMs: 0, noise: 0 };
    const findings: string[] = [];
    const used = new Set<string>();
    const run: Run = { options, target, surface, document, world, findings, statuses: {}, sent: [], stalls, used };
    const warmUp = Math.min(2_000, Math.ceil(options.inputs / 10));
    const deadline = Date.now() + options.ms;
    const warm = await sendAll(run, { from: options.from ?? 0, count: warmUp, deadline });
    const start = await target.readUsage();
    const rest = { from: (options.from ?? 0) + warm, count: options.inputs - warm, deadline };
    const inputs = warm + (await sendAll(run, rest));
    const end = await target.readUsage();
    const usage = start && end && { start, end };
    if (usage && usage.end.heapUsed - usage.start.heapUsed > maxHeapGrowth) {
      run.findings.push(
        `The heap grew from ${toMegabytes(usage.start.heapUsed)} to ${toMegabytes(usage.end.heapUsed)}.`,
      );
    }
    const coverage = findCoverage(run);
    // One input in sixty or so is for a given operation or form.
    if (inputs > 20_000) run.findings.push(...coverage.missed.map((name) => `No input used ${name}.`));
    if (target.hasExited()) run.findings.push("The site exited.");
    for (const line of new Set(target.badLines)) run.findings.push(`A bad line in the log: ${line}`);
    return { inputs, statuses: run.statuses, findings, stalls, coverage, usage };
  } finally {
    await target.stop();
  }
}

type Range = { from: number; count: number; deadline: number };

/**
 * Sends the inputs in batches. Each batch has an account that is signed in, because some inputs sign out. Stalls are
 * examined after each batch.
 */
async function sendAll(run: Run, { from, count, deadline }: Range): Promise<number> {
  let done = 0;
  while (done < count && Date.now() < deadline && !run.target.hasExited()) {
    if (!(await isSignedIn(run.world))) run.world = await createWorld(run.target);
    // Stalls while an account is being created do not count.
    run.target.stalls.length = 0;
    done += await sendBatch(run, { from: from + done, count: Math.min(batchSize, count - done), deadline });
    await examineStalls(run, deadline);
    run.options.onProgress?.(from + done);
  }
  return done;
}

/** Several at a time; the inputs are the same in every run, their order at the server is not. */
async function sendBatch(run: Run, { from, count, deadline }: Range): Promise<number> {
  run.sent.length = 0;
  let next = from;
  const worker = async () => {
    while (next < from + count && Date.now() < deadline && !run.target.hasExited()) {
      const index = next;
      next += 1;
      await sendOne(run, index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return next - from;
}

async function sendOne(run: Run, index: number): Promise<void> {
  const input = createInput(run.options.seed, index, run.world, run.surface);
  if (input.covers !== undefined) run.used.add(input.covers);
  const from = Date.now();
  const outcome = await send(run.target.port, input);
  run.sent.push({ index, from, to: Date.now() });
  const status = typeof outcome === "string" ? outcome : String(outcome.status);
  run.statuses[status] = (run.statuses[status] ?? 0) + 1;
  for (const problem of findProblems(run.document, input, outcome)) {
    run.findings.push(`${index} (${input.label}): ${problem}`.slice(0, 300));
  }
}

function findProblems(document: OpenApi, { call, mayBeIncomplete }: Input, outcome: Outcome): string[] {
  if (outcome === "hang") return ["no response"];
  if (outcome === "closed") return mayBeIncomplete ? [] : ["closed without a response"];
  const { status, headers, body } = outcome;
  // 100 Continue comes before the response.
  if (status < 200) return [];
  const problems = status >= 500 ? [`${status}: ${body.slice(0, 200)}`] : [];
  for (const name of securityHeaders) if (!headers.has(name)) problems.push(`${status} without ${name}`);
  if (!headers.has("cache-control")) problems.push(`${status} without Cache-Control`);
  // A token that is too long never reaches an operation: only the document's description says so.
  if (call && status !== 431)
    problems.push(...findUndocumented(document, call.method, call.path, { status, headers, body: toJson(body) }));
  return problems;
}

function toJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return body;
  }
}

function findCoverage({ surface, used }: Run): Report["coverage"] {
  const names = listSurface(surface);
  return {
    operations: surface.operations.length,
    forms: names.length - surface.operations.length,
    missed: names.filter((name) => !used.has(name)),
  };
}

/**
 * Resends, with nothing else running, the inputs that were in flight during a stall that the machine did not cause.
 * An input that stalls the event loop every time is a finding. The other stalls had another cause: a job, a first
 * compilation, another input, or a garbage collection that was due.
 */
async function examineStalls(run: Run, deadline: number): Promise<void> {
  // The monitor reports a stall when it ends, and its message may come after the response.
  await pause();
  const { stalls } = run;
  const found = run.target.stalls.splice(0);
  const own = found.filter(({ ownMs }) => ownMs > stallMs);
  stalls.own += own.length;
  stalls.noise += found.length - own.length;
  stalls.longestOwnMs = Math.max(stalls.longestOwnMs, ...own.map(({ ownMs }) => ownMs));
  const examined = new Set<number>();
  for (const stall of own) {
    if (run.options.examineStalls === false || Date.now() > deadline) {
      stalls.unexamined += 1;
      continue;
    }
    const suspects = findSuspects(run.sent, stall).filter((index) => !examined.has(index));
    for (const index of suspects) examined.add(index);
    if ((await measureStall(run, suspects)) > stallMs) await findCauses(run, suspects);
  }
}

async function findCauses(run: Run, suspects: number[]): Promise<void> {
  for (const index of suspects) {
    let shortest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < repeats && shortest > stallMs; i += 1) {
      shortest = Math.min(shortest, await measureStall(run, [index]));
    }
    if (shortest > stallMs) {
      const { label } = createInput(run.options.seed, index, run.world, run.surface);
      run.findings.push(`${index} (${label}): stalls the event loop for ${Math.round(shortest)} ms`);
    }
  }
}

/** The inputs that were in progress during the stall, or ended just before it was noticed. */
function findSuspects(sent: Sent[], { at, ms }: Stall): number[] {
  return sent.filter(({ from, to }) => from <= at && to >= at - ms - 50).map(({ index }) => index);
}

/** The longest stall that was not the machine's while these inputs are sent, one after the other. */
async function measureStall(run: Run, indexes: number[]): Promise<number> {
  run.target.stalls.length = 0;
  for (const index of indexes)
    await send(run.target.port, createInput(run.options.seed, index, run.world, run.surface));
  await pause();
  return Math.max(0, ...run.target.stalls.map(({ ownMs }) => ownMs));
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

export function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

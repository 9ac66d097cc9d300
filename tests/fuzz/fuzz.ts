import { toSecurityHeaders } from "../../app/server/security-headers.server";
import { findUndocumented, type OpenApi } from "../support/openapi";
import { findForms } from "./forms";
import { type ApiDocument, createInput, type Input, readSurface, type Surface, type World } from "./inputs";
import { type Outcome, send } from "./send";
import { createWorld, isSignedIn, type Stall, startTarget, type Target, type Usage } from "./target";

type Options = {
  seed: number;
  /** Stops after so many inputs, or after this time, whichever comes first. */
  inputs: number;
  ms: number;
  /** The first input's number. */
  from?: number;
  onProgress?: (done: number) => void;
  /** Whether to look for the causes of stalls, which takes time and a quiet machine. */
  examineStalls?: boolean;
};

export type Report = {
  inputs: number;
  /** How many answers had each status. */
  statuses: Record<string, number>;
  /** What is wrong, each with the number of the input. */
  findings: string[];
  /** Stalls above 50 ms in which the process itself was busy and not collecting garbage, and that no input repeated. */
  unexplainedStalls: number;
  /** Stalls above 50 ms in which the process had no processor, or collected garbage. */
  noise: number;
  usage: { start: Usage; end: Usage };
};

const concurrency = 8;
const stallMs = 50;
/** How much more the heap may hold at the end than after the first tenth: caches have limits, leaks do not. */
const maxHeapGrowth = 48 * 1024 * 1024;
const renewEvery = 250;
/** The longest stalls are examined first. */
const maxSuspects = 60;

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
  /** For the stalls: what was under way when. */
  sent: Sent[];
};

/** Sends the inputs of a seed to the built site and reports what it does wrong. */
export async function fuzz(options: Options): Promise<Report> {
  const target = await startTarget();
  try {
    const document = (await (await fetch(`${target.origin}/api/openapi.json`)).json()) as OpenApi & ApiDocument;
    const surface = readSurface(document, findForms());
    const world = await createWorld(target);
    const run: Run = { options, target, surface, document, world, findings: [], statuses: {}, sent: [] };
    const warmUp = Math.min(2_000, Math.ceil(options.inputs / 10));
    const deadline = Date.now() + options.ms;
    const warm = await sendAll(run, { from: options.from ?? 0, count: warmUp, deadline });
    const start = await target.readUsage();
    const rest = { from: (options.from ?? 0) + warm, count: options.inputs - warm, deadline };
    const inputs = warm + (await sendAll(run, rest));
    const stalls = await explainStalls(run);
    const end = await target.readUsage();
    if (end.heapUsed - start.heapUsed > maxHeapGrowth) {
      run.findings.push(`The heap grew from ${toMegabytes(start.heapUsed)} to ${toMegabytes(end.heapUsed)}.`);
    }
    if (target.hasExited()) run.findings.push("The site exited.");
    for (const line of new Set(target.badLines)) run.findings.push(`A bad line in the log: ${line}`);
    return { inputs, statuses: run.statuses, findings: run.findings, ...stalls, usage: { start, end } };
  } finally {
    await target.stop();
  }
}

/** Several at a time; the inputs are the same in every run, their order at the server is not. */
async function sendAll(
  run: Run,
  { from, count, deadline }: { from: number; count: number; deadline: number },
): Promise<number> {
  let next = from;
  let renewing = Promise.resolve();
  const worker = async () => {
    while (next < from + count && Date.now() < deadline && !run.target.hasExited()) {
      const index = next;
      next += 1;
      await renewing;
      if (index % renewEvery === 0) {
        renewing = renewWorld(run);
        await renewing;
        run.options.onProgress?.(index - from);
      }
      await sendOne(run, index);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return next - from;
}

async function renewWorld(run: Run): Promise<void> {
  if (!(await isSignedIn(run.world))) run.world = await createWorld(run.target);
}

async function sendOne(run: Run, index: number): Promise<void> {
  const input = createInput(run.options.seed, index, run.world, run.surface);
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
  if (outcome === "hang") return ["no answer"];
  if (outcome === "closed") return mayBeIncomplete ? [] : ["closed without an answer"];
  const { status, headers, body } = outcome;
  // 100 Continue comes before the answer.
  if (status < 200) return [];
  const problems = status >= 500 ? [`${status}: ${body.slice(0, 200)}`] : [];
  for (const name of securityHeaders) if (!headers.has(name)) problems.push(`${status} without ${name}`);
  if (!headers.has("cache-control")) problems.push(`${status} without Cache-Control`);
  if (call)
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

/**
 * Sends each input again, alone, that was under way during a stall of the process's own making. Three stalls of three
 * are a finding. The others had another cause: a job, a first compilation, or another input.
 */
async function explainStalls(run: Run): Promise<{ unexplainedStalls: number; noise: number }> {
  const stalls = run.target.stalls.splice(0);
  const own = stalls.filter(({ busyMs }) => busyMs > stallMs);
  own.sort((a, b) => b.busyMs - a.busyMs);
  const suspects = new Set(own.flatMap((stall) => findSuspects(run.sent, stall)));
  const examined = run.options.examineStalls === false ? 0 : maxSuspects;
  for (const index of [...suspects].slice(0, examined)) {
    let shortest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < 3 && shortest > stallMs; i += 1) shortest = Math.min(shortest, await measureStall(run, index));
    if (shortest > stallMs) {
      const { label } = createInput(run.options.seed, index, run.world, run.surface);
      run.findings.push(`${index} (${label}): stalls the event loop for ${Math.round(shortest)} ms`);
    }
  }
  return { unexplainedStalls: own.length, noise: stalls.length - own.length };
}

/** What was under way in the stall, or ended just before it was noticed. */
function findSuspects(sent: Sent[], { at, ms }: Stall): number[] {
  return sent.filter(({ from, to }) => from <= at && to >= at - ms - 50).map(({ index }) => index);
}

async function measureStall(run: Run, index: number): Promise<number> {
  run.target.stalls.length = 0;
  await send(run.target.port, createInput(run.options.seed, index, run.world, run.surface));
  await new Promise((resolve) => setTimeout(resolve, 50));
  return Math.max(0, ...run.target.stalls.map(({ busyMs }) => busyMs));
}

export function toMegabytes(bytes: number): string {
  return `${Math.round(bytes / 1024 / 1024)} MB`;
}

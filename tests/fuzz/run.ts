/**
 * `npm run fuzz -- --minutes N --seed S [--inputs N] [--from N]`: sends random inputs to the built site (building it if
 * necessary): every operation of the API, every form, pages, headers and raw bytes, over sockets. Reports responses of
 * 500 and above, hangs, undocumented responses, missing security headers, bad log lines, event-loop stalls above 50 ms
 * and memory growth. `--from I --inputs 1` repeats the input that led to a finding.
 */
import { parseArgs } from "node:util";
import { buildWhenStale } from "~/commands/build-when-stale.js";
import { fuzz, type Report, toMegabytes } from "./fuzz";

const { values } = parseArgs({
  options: {
    minutes: { type: "string" },
    seed: { type: "string", default: "1" },
    inputs: { type: "string" },
    from: { type: "string", default: "0" },
  },
});
const minutes = Number(values.minutes ?? (values.inputs === undefined ? 1 : 24 * 60));

buildWhenStale();
const startedAt = performance.now();
const report = await fuzz({
  seed: Number(values.seed),
  from: Number(values.from),
  inputs: Number(values.inputs ?? Number.MAX_SAFE_INTEGER),
  ms: minutes * 60_000,
  onProgress: (done) => {
    if (done % 5_000 === 0) process.stderr.write(`${done} inputs\n`);
  },
});

const seconds = Math.round((performance.now() - startedAt) / 1_000);
const { operations, forms, missed } = report.coverage;
const { own, unexamined, longestOwnMs, noise } = report.stalls;
const lines = [
  ...report.findings,
  `${report.inputs} inputs of seed ${values.seed} in ${seconds} s: ${report.findings.length} findings`,
  `responses: ${Object.entries(report.statuses)
    .sort(([a], [b]) => a.localeCompare(b))
    .map(([status, count]) => `${status} × ${count}`)
    .join(", ")}`,
  `${operations} operations and ${forms} intents of forms; not used: ${missed.join(", ") || "none"}`,
  `stalls above 50 ms: ${own}, of which ${unexamined} were not examined, the longest ${Math.round(longestOwnMs)} ms; others, on a busy machine: ${noise}`,
  ...(report.usage ? describeUsage(report.usage) : []),
];
process.stdout.write(`${lines.join("\n")}\n`);
process.exitCode = report.findings.length === 0 ? 0 : 1;

function describeUsage({ start, end }: NonNullable<Report["usage"]>): string[] {
  return [
    `longest delay: ${Math.round(end.maxDelayMs)} ms`,
    `heap after garbage collection: ${toMegabytes(start.heapUsed)}, then ${toMegabytes(end.heapUsed)}; resident: ${toMegabytes(start.rss)}, then ${toMegabytes(end.rss)}`,
  ];
}

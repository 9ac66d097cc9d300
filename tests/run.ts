/**
 * `npm test` runs every check, lists the slowest tests, and ends with a line of totals. Types,
 * lint, the specification's rows and the build count as one each. `npm run test:quick` runs types,
 * lint, the specification and the unit tests. Nothing has to be installed first: PostgreSQL comes
 * from npm, and `support/chromium.ts` finds or downloads a Chromium.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { getChromium } from "./support/chromium";

type Counts = { passed: number; failed: number };
type Timing = { ms: number; file: string; title: string };
type Output = { write(chunk: string | Buffer): void };

const isQuick = process.argv.includes("quick");
const reports = await mkdtemp(join(tmpdir(), "antelope-tests-"));
const total: Counts = { passed: 0, failed: 0 };
const timings: Timing[] = [];
const startedAt = Date.now();

function run(output: Output, command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => output.write(chunk));
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}

/** Runs a step and prints its output when it ends, so that steps side by side do not mix theirs. */
async function step(name: string, work: (output: Output) => Promise<Counts>): Promise<void> {
  const chunks: (string | Buffer)[] = [];
  await streamStep(name, work, { write: (chunk) => void chunks.push(chunk) }, () => {
    for (const chunk of chunks) process.stdout.write(chunk);
  });
}

/** Runs a step that has the terminal to itself. */
async function streamStep(
  name: string,
  work: (output: Output) => Promise<Counts>,
  output: Output = process.stdout,
  flush: () => void = () => undefined,
): Promise<void> {
  const began = Date.now();
  if (output === process.stdout) process.stdout.write(`\n── ${name}\n`);
  const counts = await work(output).catch((error: unknown): Counts => {
    output.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return { passed: 0, failed: 1 };
  });
  total.passed += counts.passed;
  total.failed += counts.failed;
  if (output !== process.stdout) process.stdout.write(`\n── ${name}\n`);
  flush();
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`── ${name}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)\n`);
}

/** A command that passes or fails as a whole. */
function command(name: string, file: string, args: string[]): Promise<void> {
  return step(name, async (output) =>
    (await run(output, file, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 },
  );
}

type VitestReport = {
  numPassedTests: number;
  numTotalTests: number;
  testResults: { name: string; assertionResults: { fullName: string; duration?: number | null }[] }[];
};

async function vitest(output: Output, project: "unit" | "integration"): Promise<Counts> {
  const file = join(reports, `${project}.json`);
  const args = ["vitest", "run", "--project", project, "--reporter=dot", "--reporter=json"];
  const code = await run(output, "npx", [...args, `--outputFile.json=${file}`]);
  const report = JSON.parse(await readFile(file, "utf8")) as VitestReport;
  for (const { name, assertionResults } of report.testResults) {
    for (const { fullName, duration } of assertionResults) {
      timings.push({ ms: duration ?? 0, file: relative(".", name), title: fullName });
    }
  }
  const failed = report.numTotalTests - report.numPassedTests;
  // A file that could not be loaded fails the run without counting a test. A run without tests is a failure too.
  const uncounted = failed === 0 && (code !== 0 || report.numTotalTests === 0);
  return { passed: report.numPassedTests, failed: uncounted ? 1 : failed };
}

type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { results: { duration: number }[] }[] }[];
};
type PlaywrightReport = {
  suites: PlaywrightSuite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

async function playwright(output: Output): Promise<Counts> {
  const file = join(reports, "playwright.json");
  // A test that fails once and then passes is named in the output, so that it gets fixed.
  const code = await run(output, "npx", ["playwright", "test", "--retries=1", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    CHROME_PATH: await getChromium(),
  });
  const { suites, stats } = JSON.parse(await readFile(file, "utf8")) as PlaywrightReport;
  for (const suite of suites) addTimings(suite);
  if (stats.flaky > 0) process.stdout.write(`${stats.flaky} flaky: failed once, then passed (named above)\n`);
  const passed = stats.expected + stats.flaky;
  const failed = stats.unexpected + stats.skipped;
  const uncounted = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: uncounted ? 1 : failed };
}

function addTimings({ suites = [], specs = [] }: PlaywrightSuite): void {
  for (const { title, file, tests } of specs) {
    const ms = tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0);
    timings.push({ ms, file: join("tests/e2e", file), title });
  }
  for (const suite of suites) addTimings(suite);
}

function printSlowest(): void {
  const toLine = (ms: number, text: string) => `${(ms / 1000).toFixed(1).padStart(7)} s  ${text}\n`;
  const files = new Map<string, number>();
  for (const { file, ms } of timings) files.set(file, (files.get(file) ?? 0) + ms);
  process.stdout.write("\n── the ten slowest tests\n");
  for (const { ms, file, title } of timings.toSorted((a, b) => b.ms - a.ms).slice(0, 10)) {
    process.stdout.write(toLine(ms, `${file}: ${title}`));
  }
  process.stdout.write("\n── the ten slowest files\n");
  for (const [file, ms] of [...files].toSorted(([, a], [, b]) => b - a).slice(0, 10)) {
    process.stdout.write(toLine(ms, file));
  }
}

async function runStaticChecks(): Promise<void> {
  await command("types", "npx", ["tsc", "--noEmit"]);
  await command("lint", "npm", ["run", "--silent", "lint"]);
  await command("specification", "npm", ["run", "--silent", "spec"]);
}

const runUnitTests = () => step("unit", (output) => vitest(output, "unit"));

/** The parts with two workers each run one after the other: side by side on two cores they time out. */
async function runEverything(): Promise<void> {
  await Promise.all([command("build", "npm", ["run", "--silent", "build"]), runStaticChecks()]);
  await runUnitTests();
  await step("integration", (output) => vitest(output, "integration"));
  await streamStep("browser", playwright);
}

/** Counts only tests that ran and passed, by the runners' own reports. */
const proveSpecification = () =>
  command("requirements proven", "npx", [
    "tsx",
    "tests/spec/check.ts",
    ...["unit", "integration", "playwright"].map((name) => join(reports, `${name}.json`)),
  ]);

if (isQuick) await Promise.all([runStaticChecks(), runUnitTests()]);
else {
  await runEverything();
  await proveSpecification();
}
await rm(reports, { recursive: true, force: true });

printSlowest();
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
process.stdout.write(`\n${minutes} minutes\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

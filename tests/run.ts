/**
 * `npm test` runs every check, lists the slowest tests, and ends with a line of totals. Types,
 * lint, the specification's rows and the build count as one each. `npm run test:quick` runs types,
 * lint, the specification and the unit tests. Nothing has to be installed first: PostgreSQL comes
 * from npm, and `support/chromium.ts` finds or downloads a Chromium.
 */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative, resolve } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { getChromium, getHeadlessShell } from "./support/chromium";

type Counts = { passed: number; failed: number };
type Timing = { ms: number; file: string; title: string };
type Output = { write(chunk: string | Buffer): void };

/** Started directly: npx first takes a second to find them. */
const scripts = {
  vitest: "node_modules/vitest/vitest.mjs",
  playwright: "node_modules/@playwright/test/cli.js",
  tsx: "node_modules/tsx/dist/cli.mjs",
};
const isQuick = process.argv.includes("quick");
/**
 * The runners' reports, and the temporary files of all tests, because a killed process leaves some of its own behind.
 */
const reports = await mkdtemp(join(tmpdir(), "antelope-tests-"));
// PostgreSQL runs as another user if the tests run as root.
await chmod(reports, 0o755);
const total: Counts = { passed: 0, failed: 0 };
const timings: Timing[] = [];
/** The failed tests and steps, printed at the end: CI may keep only the last part of the output. */
const failures: string[] = [];
const startedAt = Date.now();

function run(output: Output, command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, TMPDIR: reports, ...env },
    });
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

/** Runs a step and writes its output to the terminal as it arrives, unless `output` collects it. */
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
  if (counts.failed > 0) failures.push(`${name}: ${counts.failed} failed`);
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
  testResults: {
    name: string;
    status: string;
    message: string;
    assertionResults: {
      fullName: string;
      status: string;
      duration?: number | null;
      failureMessages?: string[] | null;
    }[];
  }[];
};

async function vitest(output: Output, project: "unit" | "integration"): Promise<Counts> {
  const file = join(reports, `${project}.json`);
  const args = [scripts.vitest, "run", "--project", project, "--reporter=dot", "--reporter=json"];
  // Integration tests use real databases, chains and processes. Like browser tests, they get a second try.
  if (project === "integration") args.push("--retry=1");
  // Speeds up the next quick run. A single run would take longer, because the cache has to be written.
  if (isQuick) args.push("--experimental.fsModuleCache");
  const code = await run(output, process.execPath, [...args, `--outputFile.json=${file}`]);
  const report = JSON.parse(await readFile(file, "utf8")) as VitestReport;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const path = relative(".", name);
    if (status === "failed" && message !== "") failures.push(toFailure(path, [message]));
    for (const { fullName, status, duration, failureMessages } of assertionResults) {
      timings.push({ ms: duration ?? 0, file: path, title: fullName });
      // Vitest reports timeouts with a placeholder instead of a message.
      const messages = (failureMessages ?? []).map((text) => text.replace("STACK_TRACE_ERROR", "timed out"));
      // A test that passed on its second try still has the messages of its first.
      if (status !== "passed" || messages.length > 0) failures.push(toFailure(`${path}: ${fullName}`, messages));
    }
  }
  const failed = report.numTotalTests - report.numPassedTests;
  // A file that could not be loaded fails the run without counting a test. A run without tests is a failure too.
  const uncounted = failed === 0 && (code !== 0 || report.numTotalTests === 0);
  return { passed: report.numPassedTests, failed: uncounted ? 1 : failed };
}

type PlaywrightResult = {
  duration: number;
  errors: { message?: string }[];
  attachments: { name: string; path?: string }[];
};
type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { status: string; results: PlaywrightResult[] }[] }[];
};
type PlaywrightReport = {
  suites: PlaywrightSuite[];
  stats: { expected: number; unexpected: number; flaky: number; skipped: number };
};

async function playwright(output: Output): Promise<Counts> {
  const file = join(reports, "playwright.json");
  const code = await run(
    output,
    process.execPath,
    [scripts.playwright, "test", "--retries=1", "--reporter=list,json"],
    {
      PLAYWRIGHT_JSON_OUTPUT_FILE: file,
      // Its default is in the temporary directory, which is a new one for every run.
      PWTEST_CACHE_DIR: resolve("node_modules/.cache/playwright-transform"),
      CHROME_SHELL_PATH: await getHeadlessShell(),
      CHROME_PATH: await getChromium(),
    },
  );
  const { suites, stats } = JSON.parse(await readFile(file, "utf8")) as PlaywrightReport;
  for (const suite of suites) await readSuite(suite);
  const passed = stats.expected + stats.flaky;
  const failed = stats.unexpected + stats.skipped;
  const uncounted = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: uncounted ? 1 : failed };
}

async function readSuite({ suites = [], specs = [] }: PlaywrightSuite): Promise<void> {
  for (const { title, file, tests } of specs) {
    const results = tests.flatMap((test) => test.results);
    const path = join("tests/e2e", file);
    timings.push({ ms: results.reduce((sum, { duration }) => sum + duration, 0), file: path, title });
    // Includes tests that passed on their second try, so that they get fixed.
    if (tests.every(({ status }) => status === "expected")) continue;
    const messages = results.flatMap(({ errors }) => errors).map(({ message }) => message ?? "");
    failures.push(toFailure(`${path}: ${title}`, messages), ...(await readPages(results)));
  }
  for (const suite of suites) await readSuite(suite);
}

/** What the page showed when the test failed, as Playwright describes it for assistive technology, and the site's log. */
async function readPages(results: PlaywrightResult[]): Promise<string[]> {
  const attachments = results.flatMap(({ attachments }) => attachments);
  const read = (wanted: string) =>
    Promise.all(attachments.flatMap(({ name, path }) => (name === wanted && path ? [readFile(path, "utf8")] : [])));
  const pages = (await read("error-context")).flatMap(
    (text) => text.split("# Page snapshot", 2)[1]?.slice(0, 4_000) ?? [],
  );
  const logs = (await read("site-log")).map((text) => text.slice(-4_000));
  return [...pages, ...logs];
}

/** A test with the first lines of its messages. */
function toFailure(title: string, messages: readonly string[]): string {
  const lines = stripVTControlCharacters(messages.join("\n")).split("\n").slice(0, 12);
  return [title, ...lines.map((line) => `    ${line.slice(0, 300)}`)].join("\n");
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
  await command("types", "npm", ["run", "--silent", "typecheck"]);
  await command("lint", "npm", ["run", "--silent", "lint"]);
  await command("specification", "npm", ["run", "--silent", "spec"]);
}

const runUnitTests = () => step("unit", (output) => vitest(output, "unit"));

/**
 * Integration and browser tests use three workers each, and would time out on two cores if they ran in parallel. The
 * accounts for the browser tests are created beside the integration tests, which at first wait for their databases.
 */
async function runEverything(): Promise<void> {
  await Promise.all([command("build", "npm", ["run", "--silent", "build"]), runStaticChecks(), runUnitTests()]);
  await Promise.all([step("integration", (output) => vitest(output, "integration")), prepareBrowserTests()]);
  await streamStep("browser", playwright);
}

/** Their data directory is among the temporary files, which are deleted in the end. */
const prepareBrowserTests = () =>
  step("accounts for the browser tests", async () => {
    process.env.TMPDIR = reports;
    const { default: prepare } = await import("./e2e/support/prepare");
    await prepare();
    return { passed: 1, failed: 0 };
  });

/** Counts only tests that ran and passed, by the runners' own reports. */
const proveSpecification = () =>
  command("requirements proven", process.execPath, [
    scripts.tsx,
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
if (failures.length > 0) process.stdout.write(`\n── failed, or passed on the second try\n${failures.join("\n")}\n`);
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
process.stdout.write(`\n${minutes} minutes\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

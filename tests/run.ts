/**
 * `npm test` runs every check, lists the slowest tests, and ends with a line of totals. Types,
 * lint, the build and the specification's rows count as one each. `npm run test:quick` runs types,
 * lint, the specification and the unit tests. Nothing has to be installed first: PostgreSQL comes
 * from npm, and `support/chromium.ts` finds or downloads a Chromium.
 */
import { spawn } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { getChromium, getHeadlessShell } from "./support/chromium";
import { type Counts, type Report, readPlaywrightReport, readVitestReport, type Timing } from "./support/reports";

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

/**
 * Runs a step, prints its output and counts its tests. The output is printed when the step ends, so that the outputs of
 * parallel steps do not mix, or as it arrives if `isStreamed` is true.
 */
async function step(
  name: string,
  work: (output: Output) => Promise<Counts & Partial<Report>>,
  { isStreamed = false } = {},
): Promise<void> {
  const began = Date.now();
  const chunks: (string | Buffer)[] = [];
  const output: Output = isStreamed ? process.stdout : { write: (chunk) => void chunks.push(chunk) };
  const printHeading = () => process.stdout.write(`\n── ${name}\n`);
  if (isStreamed) printHeading();
  const result = await work(output).catch((error: unknown): Counts & Partial<Report> => {
    output.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return { passed: 0, failed: 1 };
  });
  if (!isStreamed) {
    printHeading();
    for (const chunk of chunks) process.stdout.write(chunk);
  }
  total.passed += result.passed;
  total.failed += result.failed;
  timings.push(...(result.timings ?? []));
  failures.push(...(result.failures ?? []));
  if (result.failed > 0) failures.push(`${name}: ${result.failed} failed`);
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`── ${name}: ${result.passed} passed, ${result.failed} failed (${seconds} s)\n`);
}

/** A command that passes or fails as a whole. */
function command(name: string, file: string, args: string[]): Promise<void> {
  return step(name, async (output) =>
    (await run(output, file, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 },
  );
}

async function vitest(output: Output, project: "unit" | "integration"): Promise<Report> {
  const file = join(reports, `${project}.json`);
  const args = [scripts.vitest, "run", "--project", project, "--reporter=dot", "--reporter=json"];
  // Integration tests use real databases, chains and processes. Like browser tests, they get a second try.
  if (project === "integration") args.push("--retry=1");
  // Speeds up the next quick run. A single run would take longer, because the cache has to be written.
  if (isQuick) args.push("--experimental.fsModuleCache");
  const code = await run(output, process.execPath, [...args, `--outputFile.json=${file}`]);
  return readVitestReport(file, code);
}

async function playwright(output: Output): Promise<Report> {
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
  return readPlaywrightReport(file, code);
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
}

/** Reads the titles of tests from the source. The whole run proves the rows by tests that have run. */
const checkTitles = () => command("specification", "npm", ["run", "--silent", "spec"]);

const runUnitTests = () => step("unit", (output) => vitest(output, "unit"));

/**
 * Integration and browser tests use three workers each, and would time out on two cores if they ran in parallel. The
 * accounts for the browser tests are created beside the integration tests, which at first wait for their databases.
 */
async function runEverything(): Promise<void> {
  await Promise.all([command("build", "npm", ["run", "--silent", "build"]), runStaticChecks(), runUnitTests()]);
  await Promise.all([step("integration", (output) => vitest(output, "integration")), prepareBrowserTests()]);
  await step("browser", playwright, { isStreamed: true });
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

if (isQuick) await Promise.all([runStaticChecks().then(checkTitles), runUnitTests()]);
else {
  await runEverything();
  await proveSpecification();
}

printSlowest();
if (failures.length > 0) process.stdout.write(`\n── failed, or passed on the second try\n${failures.join("\n")}\n`);
const minutes = ((Date.now() - startedAt) / 60_000).toFixed(1);
process.stdout.write(`\n${minutes} minutes\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;
// Deleted last, because a process that has not ended yet may still write into it.
await rm(reports, { recursive: true, force: true, maxRetries: 5 });

/**
 * `npm test`: everything that must hold, one after the other, and a last line that counts.
 * Types, lint and the specification's rows count as one each. Nothing needs to be installed
 * by hand: PostgreSQL comes from npm, and `support/chromium.ts` finds or gets a Chromium.
 */
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getChromium } from "./support/chromium";

type Counts = { passed: number; failed: number };

const reports = await mkdtemp(join(tmpdir(), "antelope-tests-"));
const total: Counts = { passed: 0, failed: 0 };

function run(command: string, args: string[], env: Record<string, string> = {}): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"], env: { ...process.env, ...env } });
    child.on("error", reject);
    child.on("exit", (code) => resolve(code ?? 1));
  });
}

async function step(name: string, work: () => Promise<Counts>): Promise<void> {
  const began = Date.now();
  process.stdout.write(`\n── ${name}\n`);
  const counts = await work().catch((error: unknown): Counts => {
    process.stdout.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return { passed: 0, failed: 1 };
  });
  total.passed += counts.passed;
  total.failed += counts.failed;
  const seconds = Math.round((Date.now() - began) / 1000);
  process.stdout.write(`── ${name}: ${counts.passed} passed, ${counts.failed} failed (${seconds} s)\n`);
}

/** A command that either holds or does not. */
async function holds(command: string, args: string[]): Promise<Counts> {
  return (await run(command, args)) === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
}

async function vitest(): Promise<Counts> {
  const file = join(reports, "vitest.json");
  const code = await run("npx", ["vitest", "run", "--reporter=dot", "--reporter=json", `--outputFile.json=${file}`]);
  const report = JSON.parse(await readFile(file, "utf8")) as { numPassedTests: number; numTotalTests: number };
  const failed = report.numTotalTests - report.numPassedTests;
  // A file that could not even be loaded fails the run without counting a test; no test at all is a failure too.
  const uncounted = failed === 0 && (code !== 0 || report.numTotalTests === 0);
  return { passed: report.numPassedTests, failed: uncounted ? 1 : failed };
}

async function playwright(): Promise<Counts> {
  const file = join(reports, "playwright.json");
  // A browser test that failed once and held the second time is named, and counted as what it was at last.
  const code = await run("npx", ["playwright", "test", "--retries=1", "--reporter=list,json"], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: file,
    CHROME_PATH: await getChromium(),
  });
  const { stats } = JSON.parse(await readFile(file, "utf8")) as {
    stats: { expected: number; unexpected: number; flaky: number; skipped: number };
  };
  if (stats.flaky > 0) process.stdout.write(`${stats.flaky} flaky: failed once, then passed (named above)\n`);
  const passed = stats.expected + stats.flaky;
  const failed = stats.unexpected + stats.skipped;
  const uncounted = failed === 0 && (code !== 0 || passed === 0);
  return { passed, failed: uncounted ? 1 : failed };
}

await step("types", () => holds("npx", ["tsc", "--noEmit"]));
await step("lint", () => holds("npm", ["run", "--silent", "lint"]));
await step("specification", () => holds("npm", ["run", "--silent", "spec"]));
await step("unit and integration", vitest);
await step("build", () => holds("npm", ["run", "--silent", "build"]));
await step("browser", playwright);
await rm(reports, { recursive: true, force: true });

process.stdout.write(`\n${total.passed} passed, ${total.failed} failed\n`);
process.exitCode = total.failed === 0 ? 0 : 1;

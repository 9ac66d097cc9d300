/** Reads the JSON reports of Vitest and Playwright for `npm test` (run.ts). */
import { readFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { stripVTControlCharacters } from "node:util";

export type Counts = { passed: number; failed: number };
export type Timing = { ms: number; file: string; title: string };
/** `failures` are the tests that failed, even if they passed when retried, with the first lines of their messages. */
export type Report = Counts & { timings: Timing[]; failures: string[] };

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

/** Reads the report of a run that has exited with `code`. */
export async function readVitestReport(path: string, code: number): Promise<Report> {
  const { testResults, numPassedTests, numTotalTests } = JSON.parse(await readFile(path, "utf8")) as VitestReport;
  const timings: Timing[] = [];
  const failures: string[] = [];
  for (const { name, status, message, assertionResults } of testResults) {
    const file = relative(".", name);
    if (status === "failed" && message !== "") failures.push(toFailure(file, [message]));
    for (const { fullName, status, duration, failureMessages } of assertionResults) {
      timings.push({ ms: duration ?? 0, file, title: fullName });
      // Vitest reports timeouts with a placeholder instead of a message.
      const messages = (failureMessages ?? []).map((text) => text.replace("STACK_TRACE_ERROR", "timed out"));
      // A test that passed on its second try still has the messages of its first.
      if (status !== "passed" || messages.length > 0) failures.push(toFailure(`${file}: ${fullName}`, messages));
    }
  }
  return { ...count(numPassedTests, numTotalTests - numPassedTests, code), timings, failures };
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

/** Reads the report of a run that has exited with `code`. */
export async function readPlaywrightReport(path: string, code: number): Promise<Report> {
  const { suites, stats } = JSON.parse(await readFile(path, "utf8")) as PlaywrightReport;
  const timings: Timing[] = [];
  const failures: string[] = [];
  for (const { title, file: name, tests } of suites.flatMap(listSpecs)) {
    const results = tests.flatMap((test) => test.results);
    const file = join("tests/e2e", name);
    timings.push({ ms: results.reduce((sum, { duration }) => sum + duration, 0), file, title });
    // Includes tests that passed on their second try, so that they get fixed.
    if (tests.every(({ status }) => status === "expected")) continue;
    const messages = results.flatMap(({ errors }) => errors).map(({ message }) => message ?? "");
    failures.push(toFailure(`${file}: ${title}`, messages), ...(await readAttachments(results)));
  }
  return { ...count(stats.expected + stats.flaky, stats.unexpected + stats.skipped, code), timings, failures };
}

const listSpecs = ({ suites = [], specs = [] }: PlaywrightSuite): NonNullable<PlaywrightSuite["specs"]> => [
  ...specs,
  ...suites.flatMap(listSpecs),
];

/** A file that could not be loaded fails the run without counting a test. A run without tests is a failure too. */
function count(passed: number, failed: number, code: number): Counts {
  return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}

/** What the page showed when the test failed, as Playwright describes it for assistive technology, and the site's log. */
async function readAttachments(results: PlaywrightResult[]): Promise<string[]> {
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

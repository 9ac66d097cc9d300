/**
 * `tsx tests/spec/check.ts REPORT…`, the last step of `npm test`: each row of requirements.md with the
 * tests that carry its id in their titles, ran and passed, from the JSON reports of Vitest and Playwright.
 * Fails if a row has no such test, or if a test is marked as expected to fail.
 *
 * `npm run spec`, without reports, reads the titles from the source and runs nothing.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { assignTests, readExpectedFailures, readPassed, readRowIds, readTitles, type Test } from "./rows";

const sources = ["unit", "integration", "e2e"]
  .flatMap((folder) =>
    readdirSync(join("tests", folder), { recursive: true, encoding: "utf8" })
      .filter((name) => /\.test\.tsx?$/.test(name))
      .map((name) => join("tests", folder, name)),
  )
  .map((file) => ({ file, source: readFileSync(file, "utf8") }));

const listTests = (): Test[] =>
  sources.flatMap(({ file, source }) => readTitles(file, source).map((title) => ({ file, title })));

const reports = process.argv.slice(2);
const tests =
  reports.length === 0 ? listTests() : reports.flatMap((file) => readPassed(JSON.parse(readFileSync(file, "utf8"))));
const rows = assignTests(readRowIds(), tests);
if (reports.length === 0) {
  for (const [id, carriers] of rows) {
    process.stdout.write(`${id}\n${carriers.map(({ file, title }) => `    ${file}: ${title}\n`).join("")}`);
  }
}
const missing = [...rows].filter(([, carriers]) => carriers.length === 0).map(([id]) => id);
const verb = reports.length === 0 ? "carry" : "are proven by";
process.stdout.write(`\n${rows.size - missing.length} of ${rows.size} rows ${verb} a test\n`);
if (missing.length > 0) {
  process.stdout.write(`without: ${missing.join(" ")}\n`);
  process.exitCode = 1;
}
for (const { file, source } of sources) {
  for (const call of readExpectedFailures(file, source)) {
    process.stdout.write(`${file} expects a test to fail, which counts as passed: ${call}\n`);
    process.exitCode = 1;
  }
}

/** The rows of requirements.md, and the tests that carry their ids in their own titles. */
import { readFileSync } from "node:fs";
import { relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";

export type Test = { file: string; title: string };

/** A range in a title, `E07–E16`, carries every row between. */
const mention = /\b([A-Z])(\d\d)(?:[–-](?:\1)?(\d\d))?\b/g;

/** The ids of requirements.md. Some rows share a line: `- K01 …; K02 …`. */
export function readRowIds(): string[] {
  const rows = readFileSync(fileURLToPath(new URL("./requirements.md", import.meta.url)), "utf8");
  return [...rows.matchAll(/(?:^- |; )([RSVCEKD]\d\d)\b/gm)].map(([, id = ""]) => id);
}

export function findIds(title: string): string[] {
  return [...title.matchAll(mention)].flatMap(([, letter = "", from = "", to = from]) =>
    Array.from({ length: Math.max(0, Number(to) - Number(from) + 1) }, (_, n) => {
      return `${letter}${String(Number(from) + n).padStart(2, "0")}`;
    }),
  );
}

type VitestReport = { testResults: { name: string; assertionResults: { title: string; status: string }[] }[] };
type PlaywrightSuite = {
  suites?: PlaywrightSuite[];
  specs?: { title: string; file: string; tests: { results: { status: string }[] }[] }[];
};

/** The tests that ran and passed, from the JSON report of Vitest or Playwright. */
export function readPassed(report: VitestReport | { suites: PlaywrightSuite[] }): Test[] {
  if ("suites" in report) return report.suites.flatMap(readSuite);
  return report.testResults.flatMap(({ name, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === "passed")
      .map(({ title }) => ({ file: relative(".", name), title })),
  );
}

/** With a second attempt, the last one counts. */
function readSuite({ suites = [], specs = [] }: PlaywrightSuite): Test[] {
  const own = specs
    .filter(({ tests }) => tests.length > 0 && tests.every(({ results }) => results.at(-1)?.status === "passed"))
    .map(({ title, file }) => ({ file: `tests/e2e/${file}`, title }));
  return [...own, ...suites.flatMap(readSuite)];
}

type Call = Parameters<NonNullable<ConstructorParameters<typeof Visitor>[0]["CallExpression"]>>[0];

/** The titles in a file's source, as written: `it.each` titles keep their placeholders. Skipped tests are left out. */
export function readTitles(file: string, source: string): string[] {
  const titles: string[] = [];
  let skippedTo = 0;
  const visitor = new Visitor({
    CallExpression({ callee, end, arguments: [title] }) {
      if (title && isTest(callee) && end > skippedTo) titles.push(source.slice(title.start + 1, title.end - 1));
      if (isSkipped(callee)) skippedTo = Math.max(skippedTo, end);
    },
  });
  visitor.visit(parseSync(file, source).program);
  return titles;
}

/** `it`, `test` and `it.each(…)`, which take a title, but not `it.skip` or `it.skip.each(…)`. */
function isTest(callee: Call["callee"]): boolean {
  if (callee.type === "Identifier") return callee.name === "it" || callee.name === "test";
  if (callee.type !== "CallExpression" || callee.callee.type !== "MemberExpression") return false;
  const { object, property } = callee.callee;
  return property.type === "Identifier" && property.name === "each" && isTest(object);
}

/** `describe.skip`, `describe.skip.each(…)` or `test.describe.skip`, whose tests do not run either. */
function isSkipped(callee: Call["callee"]): boolean {
  if (callee.type === "CallExpression") return isSkipped(callee.callee);
  if (callee.type !== "MemberExpression") return false;
  const { object, property } = callee;
  return (property.type === "Identifier" && ["skip", "todo", "fixme"].includes(property.name)) || isSkipped(object);
}

/**
 * The tests in a file's source that are expected to fail: `it.fails`, the option `fails`, and Playwright's `test.fail`.
 * The reports count them as passed.
 */
export function readExpectedFailures(file: string, source: string): string[] {
  const calls: string[] = [];
  const add = (start: number) => calls.push(source.slice(start).split("\n", 1)[0] ?? "");
  const visitor = new Visitor({
    MemberExpression({ object, property, start }) {
      const name = property.type === "Identifier" ? property.name : "";
      if (["fails", "fail"].includes(name) && isTest(object)) add(start);
    },
    Property({ key, start }) {
      if (key.type === "Identifier" && key.name === "fails") add(start);
    },
  });
  visitor.visit(parseSync(file, source).program);
  return calls;
}

/** Each row's tests, in the order of the rows. */
export function assignTests(ids: readonly string[], tests: readonly Test[]): Map<string, Test[]> {
  const rows = new Map<string, Test[]>(ids.map((id) => [id, []]));
  for (const test of tests) {
    for (const id of new Set(findIds(test.title))) rows.get(id)?.push(test);
  }
  return rows;
}

import { describe, expect, it } from "vitest";
import { assignTests, findIds, readExpectedFailures, readPassed, readRowIds, readTitles } from "../../spec/rows";

const vitestReport = {
  testResults: [
    {
      name: `${process.cwd()}/tests/unit/a.test.ts`,
      assertionResults: [
        { title: 'R04 /welcome/3 renders (with "quotes")', ancestorTitles: ["R99 a group"], status: "passed" },
        { title: "R05 fails", ancestorTitles: [], status: "failed" },
        { title: "R06 is left out", ancestorTitles: [], status: "skipped" },
        { title: "R07 is not written yet", ancestorTitles: [], status: "todo" },
      ],
    },
  ],
};
const playwrightReport = {
  suites: [
    {
      specs: [
        { title: "S01 passes", file: "a.test.ts", tests: [{ results: [{ status: "passed" }] }] },
        { title: "S02 is skipped", file: "a.test.ts", tests: [{ results: [{ status: "skipped" }] }] },
        { title: "S03 did not run", file: "a.test.ts", tests: [{ results: [] }] },
      ],
      suites: [
        {
          specs: [
            {
              title: "S04 passes at the second attempt",
              file: "b.test.ts",
              tests: [{ results: [{ status: "failed" }, { status: "passed" }] }],
            },
            { title: "S05 fails", file: "b.test.ts", tests: [{ results: [{ status: "timedOut" }] }] },
          ],
        },
      ],
    },
  ],
};

describe("the check of the specification's rows", () => {
  it("reads the tests that ran and passed from Vitest's report", () => {
    expect(readPassed(vitestReport)).toEqual([
      { file: "tests/unit/a.test.ts", title: 'R04 /welcome/3 renders (with "quotes")' },
    ]);
  });

  it("reads the tests that ran and passed from Playwright's report", () => {
    expect(readPassed(playwrightReport)).toEqual([
      { file: "tests/e2e/a.test.ts", title: "S01 passes" },
      { file: "tests/e2e/b.test.ts", title: "S04 passes at the second attempt" },
    ]);
  });

  it("counts the ids in a test's own title, but not in the title of its group", () => {
    const rows = assignTests(["R04", "R05", "R99"], readPassed(vitestReport));
    expect([...rows].map(([id, tests]) => [id, tests.length])).toEqual([
      ["R04", 1],
      ["R05", 0],
      ["R99", 0],
    ]);
  });

  it("finds single ids and ranges in a title", () => {
    expect(findIds("R01 E07–E09 K01-03 shows UTF-8 and T5")).toEqual(["R01", "E07", "E08", "E09", "K01", "K02", "K03"]);
    expect(findIds("shows nothing")).toEqual([]);
  });

  it("reads the titles of tests from source, but not of groups, of skipped tests and groups, or in other calls", () => {
    const source = `
      describe("R01 a group", () => {
        it("R02 plain", () => { expect(page.title("R90")).toBe("R91"); });
        it.each([["a (b)"], ['"c"']])('R03 says "%s" (twice)', () => {});
        it.each<[string, number]>([["x", 1]])(\`R04 template \${1}\`, () => {});
        test.skip("R05 skipped", () => {});
        it.skip.each([1])("R06 skipped", () => {});
        it.todo("R07 later");
        describe.each([1])("R08 groups %i", () => {});
        describe.skip("a group", () => { it("R10 in a skipped group", () => {}); });
        describe.skip.each([1])("a group %i", () => { describe("a", () => { it("R11 deeper", () => {}); }); });
        test.describe.skip("a group", () => { test("R12 in a skipped group", () => {}); });
        for (const n of [1]) test(\`R09 in a loop \${n}\`, async ({ page }) => {});
      });`;
    expect(readTitles("a.test.ts", source).map((title) => title.slice(0, 12))).toEqual([
      "R02 plain",
      'R03 says "%s',
      "R04 template",
      "R09 in a loo",
    ]);
  });

  it("finds tests that are expected to fail, which Vitest and Playwright report as passed", () => {
    const source = `
      it.fails("R01 one", () => {});
      it.fails.each([1])("R02 two", () => {});
      it("R03 three", { fails: true }, () => {});
      test.fail("R04 four", () => {});
      test("R05 five", () => { test.fail(true, "a known fault"); });
      it("R06 six", () => { expect.fail(); other.fails(); });
    `;
    expect(readExpectedFailures("a.test.ts", source)).toHaveLength(5);
  });

  it("reads every row once, including those that share a line", () => {
    const ids = readRowIds();
    expect(ids).toHaveLength(91);
    expect(new Set(ids).size).toBe(91);
    for (const id of ["R01", "R22", "S10", "V09", "C12", "E18", "K01", "K02", "K10", "D08"]) expect(ids).toContain(id);
  });
});

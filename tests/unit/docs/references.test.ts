import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { describe, expect, it } from "vitest";
import { alertKinds } from "~/exchange.server/alerts/alerts";
import { ledgerTransfers } from "~/exchange.server/db/schema/ledger";
import { payments } from "~/exchange.server/db/schema/payments";
import { orderStatuses, orderTransitions } from "~/lib/order-states";
import { readRowIds } from "../../spec/rows";

/*
 * Documentation and code refer to each other. Each reference is checked, so that renaming a
 * file, a heading, a function or a state fails here until the text follows.
 */

const listFiles = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name));

const pages = [
  "README.md",
  "CONTRIBUTING.md",
  ...listFiles("docs").filter((path) => path.endsWith(".md")),
  // Texts of the site are not documentation: their links are the site's.
  ...listFiles("app").filter((path) => path.endsWith(".md") && !path.startsWith("app/content/")),
]
  .filter((path) => existsSync(path))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const sources = [...listFiles("app"), ...listFiles("tests"), "server.ts", "vite.config.ts", "vitest.config.ts"]
  .filter((path) => /\.(tsx?|js|sol|sql)$/.test(path))
  .filter((path) => path !== join("tests", "unit", "docs", "references.test.ts"))
  .map((path) => ({ path, text: readFileSync(path, "utf8") }));

const page = (path: string) => pages.find((one) => one.path === path)?.text ?? "";
const code = sources.map(({ text }) => text).join("\n");
const baseNames = new Set(
  [...listFiles("app"), ...listFiles("tests"), ...readdirSync(".")].map((path) => basename(path)),
);

/** The anchors of a page, as GitHub makes them from headings. */
function readAnchors(text: string): string[] {
  return [...withoutCodeBlocks(text).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .trim()
      .replaceAll(" ", "-"),
  );
}

const withoutCodeBlocks = (text: string) => text.replace(/^```[\s\S]*?^```/gm, "");

function isBroken(from: string, target: string): boolean {
  const [path = "", anchor] = target.split("#");
  const file = path === "" ? from : normalize(join(dirname(from), path));
  if (!existsSync(file)) return true;
  return anchor !== undefined && !readAnchors(readFileSync(file, "utf8")).includes(anchor);
}

/** The text in backticks, outside code blocks. */
function readCodeSpans(text: string): string[] {
  return [...withoutCodeBlocks(text).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
}

/** Decision records may name rejected options, and are not edited afterwards. */
const isRecord = (path: string) => /decisions\/\d/.test(path);

describe.each(pages)("links of $path", ({ path, text }) => {
  it("lead to files and headings that exist", () => {
    const inline = [...withoutCodeBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => target);
    const definitions = [...text.matchAll(/^\[[^\]]+\]: (\S+)$/gm)].map(([, target = ""]) => target);
    const local = [...inline, ...definitions].filter((target) => !/^(https?|mailto):/.test(target));
    expect(local.filter((target) => isBroken(path, target))).toEqual([]);
  });
});

describe.each(pages.filter(({ path }) => !isRecord(path)))("names in $path", ({ text }) => {
  it("are of files that exist", () => {
    const suffixes = ["", ".ts", ".tsx", ".js", ".md"];
    const isThere = (name: string) => suffixes.some((suffix) => existsSync(name + suffix));
    const missing = readCodeSpans(text).filter((span) => {
      if (/^[\w.-]+\.(tsx?|js|sol|sql|md)$/.test(span)) return !baseNames.has(span) && !existsSync(join("docs", span));
      if (!/^[a-z][\w.-]*\/[\w./-]*$/.test(span)) return false;
      const isRepository = /^(app|tests|docs|public)\//.test(span);
      const isApp = !isRepository && existsSync(join("app", span.split("/")[0] ?? ""));
      return (isRepository && !isThere(span)) || (isApp && !isThere(join("app", span)));
    });
    expect(missing).toEqual([]);
  });

  it("are of functions, settings and scripts that exist", () => {
    const spans = readCodeSpans(text).map((span) => span.replace(/\(.*\)$/, ""));
    const names = spans.filter((span) => /^[a-z]+[A-Z]\w*$/.test(span) || /^[A-Z]+(_[A-Z0-9]+)+$/.test(span));
    expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(code))).toEqual([]);
    const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
    const called = [...text.matchAll(/npm run ([a-z][\w:-]*)/g)].map(([, name = ""]) => name);
    expect(called.filter((name) => !(name in scripts))).toEqual([]);
  });
});

describe("comments, test titles and pages", () => {
  it("cite only pages and headings of docs/ that exist", () => {
    const broken = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdocs\/[\w./-]+\.md(?:#[\w-]+)?/g)]
        .filter(([target]) => isBroken("README.md", target))
        .map(([target]) => `${path}: ${target}`),
    );
    expect(broken).toEqual([]);
  });

  it("cite only rows of the specification that exist", () => {
    const ids = new Set(readRowIds());
    const unknown = [...sources, ...pages]
      .filter(({ path }) => !path.startsWith("tests"))
      .flatMap(({ path, text }) =>
        [...text.matchAll(/(?<![\w#.-])[RSVCEKD]\d\d(?![\w.-])/g)]
          .filter(([id]) => !ids.has(id))
          .map(([id]) => `${path}: ${id}`),
      );
    expect(unknown).toEqual([]);
  });

  it("cite only decisions that are recorded", () => {
    const records = readdirSync("docs/decisions").map((name) => Number.parseInt(name, 10));
    const unknown = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/\bdecision (\d+)/g)]
        .filter(([, number]) => !records.includes(Number(number)))
        .map(([cited]) => `${path}: ${cited}`),
    );
    expect(unknown).toEqual([]);
  });

  it("cite only documents in the repository", () => {
    const outside =
      /\bfacts? \d+|\brules? \d+|\bdecisions\.md|(?<!docs\/)\border-lifecycle|(?<![\w/])design\/|\.\.\/shared/i;
    const found = sources.flatMap(({ path, text }) =>
      text.split("\n").flatMap((line, index) => (outside.test(line) ? [`${path}:${index + 1}: ${line.trim()}`] : [])),
    );
    expect(found).toEqual([]);
  });
});

describe("docs/threat-model.md", () => {
  const rows = new Map(
    [...page("docs/threat-model.md").matchAll(/^\| (T\d+) \|(.*)\|([^|]*)\|$/gm)].map(([, id = "", , tests = ""]) => [
      id,
      readCodeSpans(tests),
    ]),
  );

  it("has a row for every threat that code, tests or pages name", () => {
    // A colon and a digit follow the T of a time.
    const named = new Set([...sources, ...pages].flatMap(({ text }) => text.match(/\bT[1-9]\d?\b(?!:\d)/g) ?? []));
    expect([...named].filter((id) => !rows.has(id))).toEqual([]);
  });

  it("names tests that exist and carry the threat's id", () => {
    const wrong = [...rows].flatMap(([id, tests]) =>
      tests
        .filter((path) => !existsSync(path) || !new RegExp(`\\b${id}\\b`).test(readFileSync(path, "utf8")))
        .map((path) => `${id}: ${path}`),
    );
    expect(wrong).toEqual([]);
  });

  it("lists every threat without a test as a known gap", () => {
    const gaps = page("docs/threat-model.md").split("## Known gaps")[1] ?? "";
    const untested = [...rows].filter(([, tests]) => tests.length === 0).map(([id]) => id);
    expect(untested.filter((id) => !gaps.includes(`**${id}`))).toEqual([]);
  });
});

describe("docs/order-lifecycle.md", () => {
  const text = page("docs/order-lifecycle.md");

  it("has the transitions of lib/order-states.ts", () => {
    const table = [...text.matchAll(/^\| `(\w+)` \| ?((?:`\w+`(?:, )?)*) ?\|$/gm)].map(([, from = "", to = ""]) => [
      from,
      readCodeSpans(to),
    ]);
    expect(Object.fromEntries(table)).toEqual(orderTransitions);
  });

  it("draws only transitions that are legal", () => {
    const drawn = [...text.matchAll(/^ {2}(\w+) --> (\w+)/gm)].map(([, from = "", to = ""]) => [from, to] as const);
    expect(drawn.length).toBeGreaterThan(10);
    const legal = drawn.filter(([from, to]) =>
      orderStatuses.some((status) => status === from && orderTransitions[status].some((next) => next === to)),
    );
    expect(legal).toEqual(drawn);
  });

  it("names every status of a payment, and only kinds of transfers that exist", () => {
    for (const status of payments.status.enumValues) expect(text).toContain(`| \`${status}\` |`);
    const ledger = sources.find(({ path }) => path.endsWith("ledger/ledger.ts"))?.text ?? "";
    const section = text.split("| When | Kind |")[1]?.split("\n\n")[0] ?? "";
    const kinds = [...section.matchAll(/^\|[^|]*\| `(\w+)` \|/gm)].map(([, kind = ""]) => kind);
    expect(kinds.length).toBeGreaterThan(8);
    for (const kind of kinds) expect(ledger).toContain(`"${kind}"`);
    expect(ledgerTransfers.kind.name).toBe("kind");
  });
});

describe("docs/operating.md", () => {
  it("has a row for every kind of alert, and only for these", () => {
    const section = page("docs/operating.md").split("\n## Alerts\n")[1]?.split("\n## ")[0] ?? "";
    const kinds = [...section.matchAll(/^\| `([a-z-]+)/gm)].map(([, kind]) => kind);
    expect([...new Set(kinds)]).toEqual([...alertKinds]);
  });
});

describe("docs/decisions/", () => {
  const records = readdirSync("docs/decisions").filter((name) => /^\d{4}-/.test(name));

  it("has an index with every record", () => {
    for (const name of records) expect(page("docs/decisions/README.md")).toContain(`](${name})`);
  });

  it("has records with a unique number, a context, a decision and its consequences", () => {
    expect(new Set(records.map((name) => name.slice(0, 4))).size).toBe(records.length);
    for (const name of records) {
      const text = page(join("docs", "decisions", name));
      expect(text, name).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. `));
      for (const part of ["Context", "Decision", "Consequences"]) expect(text, name).toContain(`\n## ${part}\n`);
    }
  });
});

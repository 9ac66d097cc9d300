import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { analyse } from "scslre";
import { describe, expect, it } from "vitest";

type Pattern = { file: string; expression: RegExp };

/** Every literal regular expression of the app, read from its source. */
function findPatterns(): Pattern[] {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".css.ts"))
    .map((file) => `app/${file}`)
    .concat("server.ts");
  return files.flatMap((file) => {
    const patterns: Pattern[] = [];
    const { program } = parseSync(file, readFileSync(file, "utf8"));
    JSON.stringify(program, (_key, node: unknown) => {
      if (typeof node === "object" && node !== null && "regex" in node && node.regex) {
        const { pattern, flags } = node.regex as { pattern: string; flags: string };
        patterns.push({ file, expression: new RegExp(pattern, flags) });
      }
      return typeof node === "bigint" ? String(node) : node;
    });
    return patterns;
  });
}

/** Whether matching can take more than linear time: by backtracking, or from every start (`\s+$`). */
const isSlow = (expression: RegExp) => analyse(expression).reports.length > 0;

describe("regular expressions", () => {
  it("T14 T17 never backtrack in the app, so that no text makes them take more than linear time", () => {
    const patterns = findPatterns();
    expect(patterns.length).toBeGreaterThan(100);
    const slow = patterns.filter(({ expression }) => isSlow(expression));
    expect(slow.map(({ file, expression }) => `${file}: ${expression}`)).toEqual([]);
  });

  it.each([
    /\s+$/,
    /^(a+)+$/,
    /^\s*,?\s*\s*x/,
    /<.*>/,
    // The patterns with which static files once read Accept-Encoding and If-None-Match.
    /^br\s*;?\s*$x?/,
    /\s*,\s*/,
  ])("T17 %s counts as slow", (expression) => {
    expect(isSlow(expression)).toBe(true);
  });

  it.each([/^[a-z]+$/, /^a+b+$/, /(?:^|;\s*)expired=true(?:;|$)/])("T17 %s does not count as slow", (expression) => {
    expect(isSlow(expression)).toBe(false);
  });
});

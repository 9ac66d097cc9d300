import { readdirSync, readFileSync } from "node:fs";
import { parseSync } from "oxc-parser";
import { describe, expect, it } from "vitest";

type Pattern = { file: string; source: string; flags: string };

/** Patterns that are only given short texts, with the longest. */
const shortTexts: Record<string, number> = {
  // The length is checked first.
  "app/exchange.server/accounts/email.ts": 254,
  "app/lib/email.ts": 254,
  // Typed amounts are cut to 64 characters; others are formatted from numbers.
  "app/lib/amount-input.ts": 64,
  "app/lib/money.ts": 64,
  // Only messages of the exchange, and an address from the configuration.
  "app/lib/error-catalogue.ts": 500,
  "app/exchange.server/kyc/http-provider.ts": 500,
  // A session's User-Agent is stored with 200 characters.
  "app/routes/doger/account/device-label.ts": 200,
};
/** Node.js refuses larger headers (server/listen.server.ts); longer bodies are JSON, whose texts have limits. */
const longestHeader = 16 * 1024;
const maxMs = 60;

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
        const isUnbounded = /[*+]|\{\d+,\}/.test(pattern);
        if (isUnbounded) patterns.push({ file, source: pattern, flags: flags.replace(/[gy]/g, "") });
      }
      return typeof node === "bigint" ? String(node) : node;
    });
    return patterns;
  });
}

const characters = [..." \ta0A.-_/,;:=\"'\\%@(|+[<\n"];
const repeated = [...characters, ...characters.map((c) => `a${c}`), "0.", "1,2;", "%41"];

/**
 * Texts that almost match: a beginning of the pattern, something repeated, and an end that does
 * not fit. Short ones first, which are slow already if the time grows exponentially.
 */
function* createTexts({ file, source }: Pattern): Generator<string> {
  const longest = shortTexts[file] ?? longestHeader;
  for (const length of [28, 250, 2_000, longestHeader]) if (length <= longest) yield* createTextsOf(length, source);
}

function* createTextsOf(length: number, source: string): Generator<string> {
  const literal = /^\^?(?:\\b)?([\w:/\\-]*)/.exec(source)?.[1]?.replaceAll("\\", "") ?? "";
  for (const prefix of new Set(["", literal])) {
    for (const part of repeated) {
      const middle = part.repeat(Math.floor((length - prefix.length - 1) / part.length));
      yield `${prefix}${middle}\u0000`;
    }
  }
}

/** The slowest text's time in ms: the best of three, because the machine may be busy. */
function findSlowest(pattern: Pattern): { ms: number; text: string } {
  const expression = new RegExp(pattern.source, pattern.flags);
  let slowest = { ms: 0, text: "" };
  for (const text of createTexts(pattern)) {
    let ms = Infinity;
    for (let i = 0; i < 3 && ms > maxMs; i += 1) {
      const startedAt = performance.now();
      expression.test(text);
      ms = Math.min(ms, performance.now() - startedAt);
    }
    if (ms > slowest.ms) slowest = { ms, text };
    if (ms > maxMs) break;
  }
  return slowest;
}

describe("regular expressions", () => {
  it("T14 T17 of the app take no more than linear time for texts as long as a header", () => {
    const patterns = findPatterns();
    expect(patterns.length).toBeGreaterThan(20);
    const slow = patterns.flatMap((pattern) => {
      const { ms, text } = findSlowest(pattern);
      return ms > maxMs
        ? [`${pattern.file}: /${pattern.source}/ took ${Math.round(ms)} ms for ${text.slice(0, 12)}…`]
        : [];
    });
    expect(slow).toEqual([]);
  }, 180_000);

  it("T17 are found by this test if they backtrack", () => {
    for (const source of ["\\s+$", "^(a+)+$", "^\\s*,?\\s*\\s*x", "^br\\s*;?\\s*$x?"]) {
      expect([source, findSlowest({ file: "", source, flags: "" }).ms > maxMs]).toEqual([
        source,
        !source.startsWith("^br"),
      ]);
    }
  }, 180_000);
});

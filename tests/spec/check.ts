/**
 * `npm run spec`: each row of requirements.md with the tests that carry its id in their
 * names. Runs nothing; fails where a row has none.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const rows = readFileSync(fileURLToPath(new URL("./requirements.md", import.meta.url)), "utf8");
// Some rows share a line: `- K01 …; K02 …`.
const ids = [...rows.matchAll(/(?:^- |; )([RSVCEK]\d\d)\b/gm)].map(([, id = ""]) => id);
const title = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^()"'`]*\))*\(\s*(["'`])([\s\S]*?)\1/g;
/** A range in a name, `E07–E16`, carries every row between. */
const mention = /\b([RSVCEKT])(\d\d)(?:[–-](?:\1)?(\d\d))?\b/g;

const carriers = new Map<string, string[]>(ids.map((id) => [id, []]));
const files = ["unit", "integration", "e2e"].flatMap((room) =>
  readdirSync(join("tests", room), { recursive: true, encoding: "utf8" })
    .filter((name) => /\.test\.tsx?$/.test(name))
    .map((name) => join("tests", room, name)),
);
for (const file of files) {
  for (const [, , name = ""] of readFileSync(file, "utf8").matchAll(title)) {
    for (const [, letter, from, to] of name.matchAll(mention)) {
      for (let n = Number(from); n <= Number(to ?? from); n += 1) {
        carriers.get(`${letter}${String(n).padStart(2, "0")}`)?.push(`${file}: ${name}`);
      }
    }
  }
}

const missing = ids.filter((id) => carriers.get(id)?.length === 0);
for (const id of ids)
  process.stdout.write(
    `${id}\n${
      carriers
        .get(id)
        ?.map((line) => `    ${line}\n`)
        .join("") ?? ""
    }`,
  );
process.stdout.write(`\n${ids.length - missing.length} of ${ids.length} rows carry a test\n`);
if (missing.length > 0) {
  process.stdout.write(`without: ${missing.join(" ")}\n`);
  process.exitCode = 1;
}

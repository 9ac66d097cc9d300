import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { mutants } from "../../simulation/mutants";
import { plant } from "../../simulation/plant";

it.each(mutants)("mutant $name still applies", ({ edits }) => {
  const changed = new Map<string, string>();
  for (const edit of edits) {
    changed.set(edit.file, plant(changed.get(edit.file) ?? readFileSync(edit.file, "utf8"), edit));
  }
  for (const [file, code] of changed) expect(code).not.toBe(readFileSync(file, "utf8"));
});

/** The names in code, apart from properties, strings and words of the language. */
function listNames(code: string): Set<string> {
  const withoutStrings = code.replace(/"[^"\n]*"|'[^'\n]*'|`[^`]*`/g, "");
  const names = withoutStrings.match(/(?<![\w$.])[A-Za-z_$][\w$]*/g) ?? [];
  return new Set(names.filter((name) => !["as", "false", "null", "string", "true"].includes(name)));
}

// With another name, the exchange would fail for that reason, and the simulator would always find the mutant.
it.each(mutants)("mutant $name uses only names of its files", ({ edits }) => {
  for (const { file, find, replace } of edits) {
    const known = new Set([...listNames(find), ...(readFileSync(file, "utf8").match(/[\w$]+/g) ?? [])]);
    expect([...listNames(replace)].filter((name) => !known.has(name))).toEqual([]);
  }
});

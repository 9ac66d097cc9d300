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

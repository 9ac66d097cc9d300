import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runOperatorCommand } from "~/commands/operator-command";

/** The commands of `npm run operate`, as its usage lists them. */
async function listCommands(): Promise<string[]> {
  const { stdout } = await runOperatorCommand([], () => Promise.reject(new Error("A usage needs no database.")));
  return [...stdout.join().matchAll(/^ {2}([a-z-]+)/gm)].map(([, name = ""]) => name);
}

describe("npm run operate", () => {
  it("has every command that a page or a message names", async () => {
    const commands = await listCommands();
    expect(commands).toEqual(expect.arrayContaining(["status", "record"]));
    const files = ["docs", "app/commands", "app/exchange.server"].flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: "utf8" })
        .filter((name) => /\.(md|ts)$/.test(name) && !name.startsWith("decisions"))
        .map((name) => join(folder, name)),
    );
    const named = files.flatMap((file) => {
      const text = readFileSync(file, "utf8");
      return [...text.matchAll(/[`"]operate ([a-z-]+)|run operate -- ([a-z-]+)/g)].map(
        ([, short, long]) => `${file}: ${short ?? long}`,
      );
    });
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter((use) => !commands.includes(use.split(": ")[1] ?? ""))).toEqual([]);
  });

  it("has only commands that the table in docs/operating.md lists with their use", async () => {
    const [, table = ""] = readFileSync("docs/operating.md", "utf8").split("| Command | Use it for |", 2);
    const rows = table.split("\n\n", 1)[0] ?? "";
    const listed = [...rows.matchAll(/^\| ([^|]+) \|/gm)].flatMap(([, cell = ""]) => cell.match(/[a-z-]{2,}/g) ?? []);
    expect((await listCommands()).filter((command) => !listed.includes(command))).toEqual([]);
  });
});

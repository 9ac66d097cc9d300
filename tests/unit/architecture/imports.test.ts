import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, expect, test } from "vitest";

/** Every import of every file under app/, as paths from app/ (packages as they are). */
const files = readdirSync("app", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => {
    const text = readFileSync(join("app", file), "utf8");
    const imports = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"]+)"/g)].map(([statement, path = ""]) => {
      const typeOnly = new RegExp(`import type [^;]*from "${path.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}"`).test(text);
      const resolved = path.startsWith(".") ? normalize(join(dirname(file), path)) : path.replace(/^~\//, "");
      return { path: resolved, local: path.startsWith(".") || path.startsWith("~/"), typeOnly, statement };
    });
    return { file, text, imports };
  });

const inRoom = (room: string) => files.filter(({ file }) => file.startsWith(room));
const offenders = (room: string, isWrong: (path: string, typeOnly: boolean, local: boolean) => boolean) =>
  inRoom(room).flatMap(({ file, imports }) =>
    imports.filter((i) => isWrong(i.path, i.typeOnly, i.local)).map((i) => `${file} → ${i.path}`),
  );

describe("who may know whom", () => {
  test("the exchange knows nothing of the site but the contract and lib", () => {
    expect(
      offenders(
        "exchange.server/",
        (path, _t, local) => local && !/^(exchange\.server\/|api\/contract$|lib\/)/.test(path),
      ),
    ).toEqual([]);
    expect(offenders("exchange.server/", (path) => /^(react|@remix-run|remix-utils)/.test(path))).toEqual([]);
  });

  test("the exchange is booted by its one binding, and operated by one command", () => {
    const knowing = files
      .filter(({ file }) => !file.startsWith("exchange.server/"))
      .flatMap(({ file, imports }) =>
        imports.filter((i) => i.path.startsWith("exchange.server/") && !i.typeOnly).map((i) => `${file} → ${i.path}`),
      );
    expect(knowing.sort()).toEqual([
      "api/exchange.server.ts → exchange.server/db/lock",
      "api/exchange.server.ts → exchange.server/index",
      "commands/operate.ts → exchange.server/operator",
    ]);
  });

  test("only config reads the environment", () => {
    const reading = files.filter(({ text }) => /process\.env\b/.test(text)).map(({ file }) => file);
    expect(reading).toEqual(["config.server.ts"]);
  });

  test("ui knows nothing of the app, components nothing of routes, lib nothing but itself", () => {
    expect(offenders("ui/", (path, _t, local) => local && !/^(ui\/|styles\/)/.test(path))).toEqual([]);
    expect(offenders("components/", (path) => path.startsWith("routes/"))).toEqual([]);
    expect(
      offenders(
        "lib/",
        (path, typeOnly, local) => local && !path.startsWith("lib/") && !(typeOnly && path === "api/contract"),
      ),
    ).toEqual([]);
    expect(offenders("lib/", (path) => /^(react|node:|@remix-run)/.test(path))).toEqual([]);
    expect(offenders("styles/", (path, _t, local) => local && !path.startsWith("styles/"))).toEqual([]);
  });

  test("no route imports another route's module", () => {
    const crossing = inRoom("routes/").flatMap(({ file, imports }) =>
      imports
        .filter((i) => /^routes\/.*\/route$/.test(i.path) && dirname(i.path) !== dirname(file))
        .map((i) => `${file} → ${i.path}`),
    );
    expect(crossing).toEqual([]);
  });

  test("what browsers load takes types alone from the contract, and never zod", () => {
    const browserRooms = ["ui/", "components/", "wallet/", "browser/"];
    for (const room of browserRooms) {
      expect(offenders(room, (path, typeOnly) => (path === "api/contract" || path === "zod") && !typeOnly)).toEqual([]);
    }
  });

  test("only orders change an order's state, and only the ledger writes its entries", () => {
    const writing = (pattern: RegExp) =>
      files.filter(({ text }) => pattern.test(text)).map(({ file }) => dirname(file));
    expect(new Set(writing(/\.(insert|update)\(ledger(Accounts|Transfers)\)/))).toEqual(
      new Set(["exchange.server/ledger"]),
    );
    expect(new Set(writing(/\.(insert|update)\(orders\)/))).toEqual(new Set(["exchange.server/orders"]));
  });

  const isLight = (path: string): boolean => {
    const found = files.find(({ file }) => file.replace(/\.tsx?$/, "") === path);
    return found?.imports.every((i) => i.typeOnly || !/^(wagmi|viem|wallet\/)/.test(i.path)) === true;
  };

  test("the wallet is behind a lazy import everywhere", () => {
    const outside = files
      .filter(({ file }) => !file.startsWith("wallet/"))
      .flatMap(({ file, imports }) =>
        imports
          .filter((i) => (i.path.startsWith("wallet/") || /^(wagmi|viem)/.test(i.path)) && !i.typeOnly)
          .filter((i) => i.statement.startsWith("from"))
          // What of the wallet's room imports neither may be anywhere.
          .filter((i) => !isLight(i.path))
          .map((i) => `${file} → ${i.path}`),
      )
      .filter((line) => !line.startsWith("exchange.server/"));
    expect(outside).toEqual([]);
  });
});

import { existsSync, readdirSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { createClosure, findCycles, readSourceFiles, type SourceFile } from "./import-graph";
import { allowedComponentsOnServer, allowedCrossRouteImports, exchangeLayers, foundation, siteLayers } from "./layers";

const files = readSourceFiles();
const reach = createClosure(files);

const isWithin = (name: string, folder: string) => name === folder || name.startsWith(`${folder}/`);
const inFolder = (folder: string) => files.filter(({ name }) => isWithin(name, folder));
const show = (from: string, to: string) => `${from} → ${to}`;

/** The local imports for which `isWrong` returns true, as readable text for a failing test. */
function findImports(from: SourceFile[], isWrong: (to: string, file: SourceFile, typeOnly: boolean) => boolean) {
  return from.flatMap((file) =>
    file.imports.filter((i) => i.isLocal && isWrong(i.to, file, i.typeOnly)).map((i) => show(file.name, i.to)),
  );
}

/** The most specific row of a layer table that a file falls under. */
function findLayer(layers: Record<string, readonly string[]>, name: string): string | undefined {
  return Object.keys(layers)
    .filter((layer) => isWithin(name, layer))
    .sort((a, b) => b.length - a.length)[0];
}

function isAllowed(rules: readonly string[], to: string, typeOnly: boolean): boolean {
  return rules.some((rule) => {
    const target = rule.replace(/^type:/, "");
    return isWithin(to, target) && (typeOnly || target === rule);
  });
}

function findForbidden(layers: Record<string, readonly string[]>, from: SourceFile[], common: readonly string[]) {
  return findImports(from, (to, { name }, typeOnly) => {
    const layer = findLayer(layers, name);
    if (layer === undefined) return true;
    const parent = dirname(layer);
    const isBesideLayer = parent in layers && dirname(to) === parent;
    return !isWithin(to, layer) && !isBesideLayer && !isAllowed([...common, ...(layers[layer] ?? [])], to, typeOnly);
  });
}

describe("the layer tables", () => {
  it.each([
    ["the site", siteLayers],
    ["the exchange", exchangeLayers],
  ])("name only rows above their own: %s", (_name, layers) => {
    const rows = Object.keys(layers);
    const upward = Object.entries(layers).flatMap(([layer, rules]) =>
      rules
        .filter(
          (rule) => !rule.startsWith("type:") && rows.indexOf(findLayer(layers, rule) ?? "") >= rows.indexOf(layer),
        )
        .map((rule) => show(layer, rule)),
    );
    expect(upward).toEqual([]);
  });

  it.each([
    ["the site", siteLayers],
    ["the exchange", exchangeLayers],
  ])("allow only imports that exist: %s", (_name, layers) => {
    expect(findUnused(layers)).toEqual([]);
  });
});

/** The rules of a table that no import of their folder uses. */
function findUnused(layers: Record<string, readonly string[]>): string[] {
  return Object.entries(layers).flatMap(([layer, rules]) => {
    const imports = files.filter(({ name }) => findLayer(layers, name) === layer).flatMap((file) => file.imports);
    const isUsed = (rule: string) =>
      imports.some(({ to, isLocal, typeOnly }) => isLocal && isAllowed([rule], to, typeOnly));
    return rules.filter((rule) => !isUsed(rule)).map((rule) => show(layer, rule));
  });
}

describe("layers of the site", () => {
  it("imports only what the table in layers.ts allows", () => {
    const site = files.filter(({ name }) => !isWithin(name, "exchange.server"));
    expect(findForbidden(siteLayers, site, [])).toEqual([]);
  });

  it("has a row for every folder of app/", () => {
    const folders = readdirSync("app", { withFileTypes: true }).filter((entry) => entry.isDirectory());
    for (const { name } of folders) {
      if (name !== "exchange.server") expect(Object.keys(siteLayers)).toContain(name);
    }
  });

  it("keeps React and Node.js out of lib and swaps", () => {
    const packages = ["lib", "swaps"]
      .flatMap(inFolder)
      .flatMap(({ name, imports }) =>
        imports.filter(({ to }) => /^(react|node:|@remix-run)/.test(to)).map(({ to }) => show(name, to)),
      );
    expect(packages).toEqual([]);
  });
});

describe("layers of the exchange", () => {
  it("imports only what the table in layers.ts allows", () => {
    expect(findForbidden(exchangeLayers, inFolder("exchange.server"), foundation)).toEqual([]);
  });

  it("has a row for every file and folder of exchange.server/", () => {
    const missing = inFolder("exchange.server").filter(({ name }) => {
      const isFoundation = foundation.some((rule) => rule.replace(/^type:/, "") === name);
      return !isFoundation && findLayer(exchangeLayers, name) === undefined;
    });
    expect(missing.map(({ name }) => name)).toEqual([]);
  });

  it("imports nothing from the site except the API contract and lib", () => {
    const others = findImports(
      inFolder("exchange.server"),
      (to) => !["exchange.server", "lib", "api/contract"].some((allowed) => isWithin(to, allowed)),
    );
    expect(others).toEqual([]);
    const packages = inFolder("exchange.server").flatMap(({ name, imports }) =>
      imports.filter(({ to }) => /^(react|@remix-run|remix-utils)/.test(to)).map(({ to }) => show(name, to)),
    );
    expect(packages).toEqual([]);
  });

  it("imports nothing from http below http", () => {
    const below = inFolder("exchange.server").filter(
      ({ name }) => !isWithin(name, "exchange.server/http") && name !== "exchange.server/exchange",
    );
    expect(findImports(below, (to) => isWithin(to, "exchange.server/http"))).toEqual([]);
  });

  it("reaches a chain's protocol only through the gateway contract", () => {
    const chains = ["ethereum", "mobilecoin"].map((chain) => `exchange.server/chains/${chain}`);
    for (const chain of chains) {
      const others = files.filter(
        ({ name }) => !isWithin(name, chain) && name !== "exchange.server/live" && !isWithin(name, "sandbox.server"),
      );
      expect(findImports(others, (to) => isWithin(to, chain))).toEqual([]);
    }
  });

  it("writes orders only in orders/, mostly by transition.ts, and the ledger's tables only in ledger/", () => {
    const filesWith = (pattern: RegExp) =>
      files
        .filter(({ text }) => pattern.test(text))
        .map(({ name }) => name)
        .sort();
    const foldersWith = (pattern: RegExp) => [...new Set(filesWith(pattern).map((name) => dirname(name)))];
    const writes = (tables: string) => new RegExp(`\\.(insert|update|delete)\\(\\s*(\\w+\\.)?(${tables})\\s*\\)`);
    expect(foldersWith(writes("ledgerAccounts|ledgerTransfers"))).toEqual(["exchange.server/ledger"]);
    expect(filesWith(writes("orders|orderEvents"))).toEqual([
      "exchange.server/orders/tracking-links",
      "exchange.server/orders/transition",
    ]);
    expect(filesWith(/\binsertIf\([\w.]+,\s*(orders|orderEvents)\b/)).toEqual([
      "exchange.server/orders/locking/lock-quote",
    ]);
    // The table can be a name in SQL or a value in a template.
    const rawWrites = (tables: string) =>
      new RegExp(
        `\\b(insert into|update|delete from|merge into|truncate)\\s+(only\\s+)?("|\\$\\{)?(${tables})\\b`,
        "i",
      );
    expect(foldersWith(rawWrites("ledger_?accounts|ledger_?transfers"))).toEqual(["exchange.server/ledger"]);
    expect(foldersWith(rawWrites("orders|order_?events"))).toEqual([]);
  });

  it("changes the status of orders only in orders/", () => {
    const others = files.filter(({ name }) => !isWithin(name, "exchange.server/orders"));
    const changing = others.filter(({ imports }) =>
      imports.some(
        ({ to, names }) =>
          to === "exchange.server/orders/transition" && names.some((name) => name === "transition" || name === "*"),
      ),
    );
    expect(changing.map(({ name }) => name)).toEqual([]);
  });
});

describe("booting the exchange", () => {
  const bootParts = ["exchange.server/index", "exchange.server/live", "exchange.server/exchange", "sandbox.server"];
  const importersOf = (folder: string) =>
    files
      .filter(({ name }) => !isWithin(name, folder))
      .filter(({ imports }) => imports.some((i) => isWithin(i.to, folder) && !i.typeOnly))
      .map(({ name }) => name)
      .sort();

  it("lets only exchange-binding/exchange.server.ts boot it and choose between sandbox and live", () => {
    expect(bootParts.map((part) => [part, importersOf(part)])).toEqual([
      ["exchange.server/index", ["exchange-binding/exchange.server"]],
      ["exchange.server/live", ["exchange-binding/exchange.server"]],
      ["exchange.server/exchange", ["exchange.server/index"]],
      ["sandbox.server", ["exchange-binding/exchange.server"]],
    ]);
  });

  it("loads the sandbox and the live systems on demand, so that neither is part of the other's process", () => {
    const binding = files.find(({ name }) => name === "exchange-binding/exchange.server");
    const loaded = binding?.imports.filter(({ to }) => bootParts.some((part) => isWithin(to, part)));
    expect(loaded?.length).toBeGreaterThan(0);
    for (const { to, typeOnly, dynamic } of loaded ?? []) expect(typeOnly || dynamic, to).toBe(true);
  });
});

describe("the server's start", () => {
  it("loads none of the 700 modules of viem/chains", () => {
    const server = ["exchange-binding", "exchange.server", "sandbox.server"].flatMap(inFolder);
    const found = server.flatMap(({ name, imports }) =>
      imports.filter((i) => i.to === "viem/chains" && !i.typeOnly && !i.dynamic).map(({ to }) => show(name, to)),
    );
    expect(found).toEqual([]);
  });
});

describe("folders and files", () => {
  it("never have two siblings that import each other", () => {
    const pairs = new Set<string>();
    for (const { name, imports } of files) {
      for (const { to, isLocal } of imports) {
        const [from, target] = [name.split("/"), to.split("/")];
        const depth = from.findIndex((part, at) => part !== target[at]);
        const areFolders = depth >= 0 && depth < from.length - 1 && depth < target.length - 1;
        const toFolder = (parts: string[]) => parts.slice(0, depth + 1).join("/");
        if (isLocal && areFolders) pairs.add(show(toFolder(from), toFolder(target)));
      }
    }
    expect(pairs).toContain("exchange.server/orders/holds → exchange.server/orders/owner-mails");
    const mutual = [...pairs]
      .map((pair) => pair.split(" → "))
      .filter(([a = "", b = ""]) => a < b && pairs.has(show(b, a)))
      .map((pair) => pair.join(" ↔ "));
    expect(mutual).toEqual([]);
  });

  it("have no import cycles between files, types included", () => {
    expect(findCycles(files)).toEqual([]);
  });
});

describe("components", () => {
  it("are used by two routes or more, or by the root or the layout, which every page has", () => {
    const load = createClosure(files, { withDynamic: true });
    const everyPage = ["root", "entry.server", "routes/layout/route"];
    const reached = (name: string) => [...load(name)].filter((to) => isWithin(to, "components"));
    const shared = new Set(everyPage.flatMap(reached));
    const users = new Map<string, number>();
    for (const { name } of inFolder("routes")) {
      if (name.endsWith("/route")) for (const to of reached(name)) users.set(to, (users.get(to) ?? 0) + 1);
    }
    const ofOne = inFolder("components").filter(({ name }) => !shared.has(name) && (users.get(name) ?? 0) < 2);
    expect(ofOne.map(({ path }) => path)).toEqual([]);
  });
});

describe("routes", () => {
  /** The folder of the route module that a file belongs to, or its own folder if that does not hold a route. */
  const groupOf = (name: string): string => {
    for (let folder = dirname(name); folder !== "routes"; folder = dirname(folder)) {
      if (["ts", "tsx"].some((extension) => existsSync(`app/${folder}/route.${extension}`))) return folder;
    }
    return dirname(name);
  };

  it("import nothing from another route's folder, apart from the named exceptions", () => {
    const crossing = inFolder("routes").flatMap((file) =>
      file.imports
        .filter(({ to }) => isWithin(to, "routes") && groupOf(to) !== groupOf(file.name))
        .map(({ to }) => show(groupOf(file.name), to)),
    );
    const isNamed = (line: string) => Object.keys(allowedCrossRouteImports).some((allowed) => line.startsWith(allowed));
    expect([...new Set(crossing)].filter((line) => !isNamed(line))).toEqual([]);
  });

  it("are not imported by other folders", () => {
    const others = files.filter(({ name }) => !isWithin(name, "routes"));
    expect(findImports(others, (to) => isWithin(to, "routes"))).toEqual([]);
  });
});

const serverFile = /\.server$/;

describe("server code", () => {
  /** Loaders, actions, and routes without a page, such as downloads. */
  const serverFiles = files.filter(
    ({ name, path }) => !isWithin(name, "components") && (serverFile.test(name) || path.endsWith("/route.ts")),
  );

  it("imports nothing from components, directly or indirectly, apart from the named exceptions", () => {
    const isComponent = (to: string) => isWithin(to, "components");
    const reached = serverFiles.flatMap(({ name }) => [...reach(name)].filter(isComponent).map((to) => show(name, to)));
    const types = findImports(serverFiles, isComponent);
    expect([...new Set([...reached, ...types])].sort()).toEqual(Object.keys(allowedComponentsOnServer));
  });
});

describe("code loaded by browsers", () => {
  const folders = [
    "ui",
    "styles",
    "components",
    "wallet",
    "browser",
    "query-cache",
    "loaded-data",
    "lib",
    "swaps",
    "entry.client",
  ];

  /** Leaves out route modules, because the build removes their loaders and actions, and what only these import. */
  const ofRoutes = inFolder("routes").filter(
    ({ name, path }) => !serverFile.test(name) && !/\/route$/.test(name) && /\.(tsx|js)$/.test(path),
  );
  const browserFiles = [...folders.flatMap(inFolder), ...ofRoutes];

  it("takes only types from the API contract, and never zod or server code, directly or indirectly", () => {
    expect(ofRoutes.length).toBeGreaterThan(90);
    const isForServers = (name: string) =>
      name === "api/contract" || name === "zod" || serverFile.test(name) || name.startsWith("node:");
    const found = browserFiles.flatMap(({ name }) => [...reach(name)].filter(isForServers).map((to) => show(name, to)));
    expect(found).toEqual([]);
  });

  it("loads wagmi and viem on demand only", () => {
    const outside = files.filter(
      ({ name }) =>
        !["wallet", "exchange.server", "sandbox.server", "commands"].some((folder) => isWithin(name, folder)),
    );
    const found = outside.flatMap(({ name }) =>
      [...reach(name)].filter((to) => /^(wagmi|@wagmi|viem)(\/|$)/.test(to)).map((to) => show(name, to)),
    );
    expect(found).toEqual([]);
  });
});

describe("the globals of Remix's router", () => {
  it("are used by one module only", () => {
    const using = files.filter(({ text }) => /\b__remixRouter\b|\b__remixContext\.state\b/.test(text));
    const inBrowsers = using.filter(({ name }) => !isWithin(name, "vite-plugins"));
    expect(inBrowsers.map(({ path }) => path)).toEqual(["app/query-cache/remix-router.ts"]);
  });
});

describe("the environment", () => {
  it("is read only by config, by the scripts that start a process, and by the route table when it is built", () => {
    // Matches every spelling. DEV, PROD and SSR are allowed, because Vite replaces them with constants.
    const environment =
      /\bprocess\.env\b|\bprocess\[|\benv\b[^;]*(?:= process\b|from "(?:node:)?process")|\bimport\.meta\.env\b(?!\.(?:DEV|PROD|SSR)\b)/;
    const reading = files.filter(({ text }) => environment.test(text)).map(({ path }) => path);
    expect(reading.sort()).toEqual([
      "app/commands/build-when-stale.js",
      "app/commands/load-env.js",
      "app/commands/start.js",
      "app/config/config.server.ts",
      "app/routes.ts",
    ]);
  });
});

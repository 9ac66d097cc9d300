import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Plugin } from "vite";
import { describe, expect, it } from "vitest";
import { fixRemixFlags } from "~/vite-plugins/fix-remix-flags";
import { fixStylePrefetch } from "~/vite-plugins/fix-style-prefetch";
import { toChunkName } from "~/vite-plugins/pack-chunks";
import { reloadOnceForChunks } from "~/vite-plugins/reload-once";
import { trimRemix } from "~/vite-plugins/trim-remix";
import remixConfig from "../../../remix.config.js";

const directory = "node_modules/@remix-run/react/dist/esm";
const read = (file: string, from = directory) => readFileSync(join(from, file), "utf8");

/** Runs a plugin on a file as Vite does; returns the new code, or null if the plugin leaves it alone. */
function transform(plugin: Plugin, file: string, code = read(file), from = directory): string | null {
  const context = {
    error: (message: string) => {
      throw new Error(message);
    },
  };
  const hook = plugin.transform as (this: unknown, code: string, id: string) => { code: string } | undefined;
  return hook.call(context, code, `/x/${join(from, file)}`)?.code ?? null;
}

describe("the patches of Remix fit the installed version", () => {
  const flags = fixRemixFlags({ ...remixConfig.future });

  it("fixRemixFlags replaces every flag in the browser code", () => {
    const files = readdirSync(directory).filter((file) => file.endsWith(".js"));
    const using = files.filter((file) => /\bfuture\.v3_|__remixContext\.isSpaMode/.test(read(file)));
    expect(using.sort()).toEqual([
      "browser.js",
      "components.js",
      "fog-of-war.js",
      "links.js",
      "routeModules.js",
      "routes.js",
      "server.js",
    ]);
    for (const file of using) {
      const code = transform(flags, file) ?? "";
      expect(code.match(/(?<![.\w])future\.v3_\w+|__remixContext\.(?:future\.v3_\w+|isSpaMode)/g), file).toBeNull();
    }
  });

  it("fixRemixFlags fails the build if Remix has changed", () => {
    expect(transform(flags, "routes.js")).not.toContain('typeof singleFetch === "function"');
    for (const file of ["routes.js", "fog-of-war.js", "components.js"]) {
      expect(() => transform(flags, file, "export {};")).toThrow(`Remix's ${file} has changed`);
    }
  });

  it("trimRemix replaces what browsers never use", () => {
    const router = "node_modules/@remix-run/router/dist";
    const trimmed = transform(trimRemix(), "router.js", read("router.js", router), router) ?? "";
    expect(trimmed.match(/(?<![.\w])future\.v7_\w+|init\.patchRoutesOnNavigation/g)).toBeNull();
    expect(trimmed.match(/(?<!function |false && )\bwarning\(/)).toBeNull();
    expect(trimmed).toContain("const patchRoutesOnNavigationImpl = undefined;");
    const components = transform(trimRemix(), "components.js") ?? "";
    expect(components).toContain("let contextScript = false ?");
    expect(components).toContain("let routeModulesScript = true ?");
    expect(() => transform(trimRemix(), "router.js", "export {};", router)).toThrow("has changed");
    expect(() => transform(trimRemix(), "components.js", "export {};")).toThrow("has changed");
    expect(transform(trimRemix(), "routes.js")).not.toMatch(/if \(isSpaMode/);
    expect(transform(trimRemix(), "links.js")).toBeNull();
  });

  it("trimRemix assumes only flags that Remix turns on", () => {
    const passed = [...(transform(flags, "browser.js") ?? "").matchAll(/\b(v7_(?!startTransition)\w+): ([^,\n]+)/g)];
    expect(passed.map(([, name, value]) => [name, value])).toEqual([
      ["v7_normalizeFormMethod", "true"],
      ["v7_fetcherPersist", "true"],
      ["v7_partialHydration", "true"],
      ["v7_prependBasename", "true"],
      ["v7_relativeSplatPath", "true"],
      ["v7_skipActionErrorRevalidation", "true === true"],
    ]);
  });

  it("the app does not use anything that trimRemix drops", () => {
    const files = readdirSync("app", { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
    const using = files.filter((file) =>
      /\b(?:useBlocker|unstable_useBlocker|usePrompt|defer)\(/.test(read(file, "app")),
    );
    expect(using).toEqual([]);
  });

  it("fixStylePrefetch loads the next page's styles without a preload that may stay unused", () => {
    expect(transform(fixStylePrefetch(), "links.js")).toContain('{ rel: "stylesheet", media: "not all" }');
    expect(transform(fixStylePrefetch(), "routes.js")).toBeNull();
    expect(() => transform(fixStylePrefetch(), "links.js", "export {};")).toThrow("has changed");
    const twice = read("links.js").repeat(2);
    expect(() => transform(fixStylePrefetch(), "links.js", twice)).toThrow("Remix's links.js has changed");
  });

  it("the wording of Remix's decoding error is what cached-loader.ts looks for", () => {
    const messages = [...read("single-fetch.js").matchAll(/["`]((?:Unable|No response body) to decode[^"`]*)/g)];
    expect(messages).toHaveLength(2);
  });

  it("E17 reloadOnceForChunks replaces the only reload after a failed import", () => {
    expect(read("routeModules.js").split("window.location.reload()")).toHaveLength(2);
    const code = transform(reloadOnceForChunks(), "routeModules.js");
    expect(code).toContain("__antelopeReloadOnce");
    expect(code).not.toContain("window.location.reload()");
    expect(() => transform(reloadOnceForChunks(), "routeModules.js", "export {};")).toThrow("has changed");
  });
});

describe("packChunks", () => {
  const routes = ["kyc", "sandbox", "swap/index", "swap/quote"];
  const toIds = (folders: string[]) => folders.map((folder) => `${resolve("app/routes", folder)}/route.tsx?route`);
  const name = (id: string, importers: readonly string[] = []) =>
    toChunkName(id, { getModuleInfo: (requested) => (requested === id ? { importers } : { importers: [] }) });

  it.each([
    ["/x/node_modules/react-dom/client.js", "framework"],
    ["/x/node_modules/@remix-run/react/dist/esm/index.js", "framework"],
    ["/x/node_modules/viem/_esm/index.js", undefined],
    ["/x/app/ui/button.css.ts.vanilla.css", "styles"],
    ["/x/app/root.tsx", "shell"],
    ["/x/app/routes/layout/route.tsx", "shell"],
    ["/x/app/routes/auth/login/route.tsx", "sign-in"],
    ["/x/app/routes/kyc/route.tsx", undefined],
    ["/x/app/entry.client.tsx", undefined],
  ])("puts %s into %s", (id, chunk) => {
    expect(name(id)).toBe(chunk);
  });

  it("puts modules of four pages, or of the layout, into the shell", () => {
    expect(name("/x/app/ui/button.tsx", toIds(routes))).toBe("shell");
    expect(name("/x/app/ui/button.tsx", toIds(routes.slice(1)))).toBeUndefined();
    expect(name("/x/app/ui/button.tsx", toIds([...routes.slice(1), "help/index", "fees", "track"]))).toBeUndefined();
    expect(name("/x/app/ui/button.tsx", ["/x/app/routes/layout/route.tsx"])).toBe("shell");
    // However many pages use them: /login or the swap form doesn't.
    for (const some of [routes, routes.slice(2)]) {
      expect(name("/x/app/components/sign-in/code-form.tsx", toIds(some))).toBe("sign-in");
      expect(name("/x/app/components/addresses/grouped-address.tsx", toIds(some))).toBe("addresses");
    }
  });
});

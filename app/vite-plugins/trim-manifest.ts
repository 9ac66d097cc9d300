import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { isDocumentOnly } from "./document-only.ts";

const start = "window.__remixManifest=";
type Route = { imports?: string[]; css?: string[] } & Record<string, unknown>;
type Manifest = { entry: { imports: string[] }; routes: Record<string, Route> };
/** What a page has loaded already: the imports of its entry and the style sheets of the root. */
type Loaded = { imports: readonly string[]; css: readonly string[] };

/**
 * Shortens the manifest that every page with React loads. Removes routes that React never navigates to, values that
 * are false or empty, imports that the entry has already loaded, and the root's style sheets, which every page has. The
 * server keeps the full manifest.
 *
 * Saves 0.6 kB with Brotli on /login. Upstream: Remix lists every route
 * (https://github.com/remix-run/remix/issues/8423), or asks the server for each link (`v3_lazyRouteDiscovery`, which we
 * cannot use: see remix.config.js).
 */
export function trimManifest(): Plugin {
  let directory = "";
  let root = "";
  const readRoute = (id: string) => {
    const path = ["tsx", "ts"].map((extension) => join(root, "app", `${id}.${extension}`)).find(existsSync);
    return path === undefined ? "" : readFileSync(path, "utf8");
  };
  return {
    name: "antelope:trim-manifest",
    apply: "build",
    configResolved(config) {
      root = config.root;
      // Remix writes the manifest during the server build.
      if (config.build.ssr) directory = join(config.build.outDir, "../client/assets");
    },
    closeBundle() {
      if (directory === "") return;
      for (const name of readdirSync(directory)) {
        if (!/^manifest-\w+\.js$/.test(name)) continue;
        const path = join(directory, name);
        writeFileSync(
          path,
          toTrimmed(readFileSync(path, "utf8"), (id) => isDocumentOnly(readRoute(id))),
        );
      }
    },
  };
}

/** @throws if the file does not look as Remix writes it */
export function toTrimmed(script: string, isLeftOut: (id: string) => boolean): string {
  const end = script.endsWith(";") ? ";" : "";
  if (!script.startsWith(start)) throw new Error("The manifest does not start as Remix writes it");
  const manifest = JSON.parse(script.slice(start.length, script.length - end.length)) as Manifest;
  const { root, ...others } = manifest.routes;
  const { imports } = manifest.entry;
  const loaded = { imports, css: root?.css ?? [] };
  const routes = Object.entries(others)
    .filter(([id]) => !isLeftOut(id))
    .map(([id, route]) => [id, toShort(route, loaded)]);
  if (root) routes.unshift(["root", toShort(root, { imports, css: [] })]);
  return `${start}${JSON.stringify({ ...manifest, routes: Object.fromEntries(routes) })}${end}`;
}

function toShort({ imports = [], css = [], ...route }: Route, loaded: Loaded) {
  const more: Record<string, unknown> = {
    ...route,
    css: css.filter((path) => !loaded.css.includes(path)),
    imports: imports.filter((path) => !loaded.imports.includes(path)),
  };
  const members = Object.entries(more).filter(
    ([, value]) => value !== false && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(members);
}

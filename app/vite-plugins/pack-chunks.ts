import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { isDocumentOnly } from "./document-only.ts";

const framework =
  /\/node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run\/(?:react|router))\//;
const sharedStyle = /\/app\/(?:styles|ui|components|routes\/layout)\/.*\.css(?:\?|$)/;
/** Modules for signing in and for passkeys. The swap form, which a customer loads first, uses none of them. */
const signIn =
  /\/app\/(?:routes\/auth\/(?:login|register)\/|components\/sign-in\/|browser\/(?:ceremony|stored-passkey)|lib\/email)[^?]*$/;
/** Modules for choosing and showing addresses, which /login does not use. */
const addresses =
  /\/app\/(?:components\/addresses\/|swaps\/saved-address|ui\/(?:default-submit|focus-keeper|select|split-into-groups))[^?]*$/;
/** Part of every page, or of /login and the start page. */
const everywhere = /\/app\/(?:root|routes\/(?:layout|auth)\/route|components\/price\/[^?]*)\.tsx?(?:\?|$)/;
/** The layout is part of every page, so its other modules go into `shell`. */
const page = /\/app\/(?:entry\.client|routes\/(?!layout\/).*)\.tsx?(?:\?|$)/;

/**
 * A module imported by this many pages goes into `shell`, which every page loads. With a higher number, pages load up
 * to 2.5 kB more in small files; with a lower one, /login loads more than 90 kB.
 */
const shellPages = 4;

/**
 * Groups modules into a few chunks: React and Remix (`framework`), what several pages use (`shell`), the sign-in pages
 * and what they share (`sign-in`), what the pages with addresses share (`addresses`), and one stylesheet for shared
 * components. A route in one of these keeps a module of its own, which only names the route's exports: cached pages do
 * not load it (server/inline-routes.server.ts).
 *
 * Saves 24 kB with Brotli and 69 requests on /login (88 kB in 4 files instead of 112 kB in 73): small files compress
 * badly, and the manifest in every page lists each of them.
 * Upstream: Rolldown splits chunks by who imports them, whatever their size
 * (https://rolldown.rs/in-depth/manual-code-splitting, https://github.com/vitejs/vite/issues/9565).
 */
export function packChunks(): Plugin {
  return {
    name: "antelope:pack-chunks",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    config: () => ({ build: { rolldownOptions: { output: { codeSplitting: { groups: toGroups() } } } } }),
  };
}

/** Used by many pages, but not by /login and the swap form, which most visitors load first. */
const later = /\/app\/(?:components\/locale\/date-time|lib\/format-date-time|ui\/(?:disclosure|empty-state))/;

/** In order of priority. A chunk also includes its modules' imports, unless an earlier chunk has them. */
const chunkNames = ["framework", "styles", "shell", "sign-in", "addresses"];

function toGroups() {
  const found = new Map<string, string | undefined>();
  const find = (id: string, graph: Graph) => {
    if (!found.has(id)) found.set(id, toChunkName(id, graph));
    return found.get(id);
  };
  return chunkNames.map((name, i) => ({
    name: (id: string, graph: Graph) => (find(id, graph) === name ? name : null),
    priority: chunkNames.length - i,
  }));
}

type ModuleInfo = { readonly importers: readonly string[] };
type Graph = { getModuleInfo: (id: string) => ModuleInfo | null };

export function toChunkName(id: string, graph: Graph): string | undefined {
  if (framework.test(id)) return "framework";
  if (sharedStyle.test(id)) return "styles";
  if (everywhere.test(id)) return "shell";
  if (signIn.test(id)) return "sign-in";
  if (!/\/app\//.test(id) || page.test(id) || later.test(id)) return undefined;
  if (addresses.test(id)) return "addresses";
  return countPages(id, graph) >= shellPages ? "shell" : undefined;
}

const pages = new Map<string, boolean>();

/** Whether a module is a page with React. Browsers never load the modules of other pages. */
function isPage(id: string): boolean {
  const [file = "", query] = id.split("?");
  if (query === undefined || !/\/route\.tsx?$/.test(file)) return false;
  const known = pages.get(file) ?? !isDocumentOnly(readFileSync(file, "utf8"));
  pages.set(file, known);
  return known;
}

/**
 * How many pages with React import a module, directly or indirectly. The root and the layout are part of every page.
 */
function countPages(id: string, graph: Graph): number {
  const found = new Set<string>();
  const seen = new Set<string>();
  const queue = [id];
  for (let current = queue.pop(); current !== undefined; current = queue.pop()) {
    if (seen.has(current)) continue;
    seen.add(current);
    if (/\/app\/(?:root|entry\.client|routes\/layout\/route)\.tsx/.test(current)) return Number.POSITIVE_INFINITY;
    if (isPage(current)) found.add(current);
    queue.push(...(graph.getModuleInfo(current)?.importers ?? []));
  }
  return found.size;
}

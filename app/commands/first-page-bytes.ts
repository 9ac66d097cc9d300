/** What keeps the first page's JavaScript small: fewer, better packed files, and no branches that are never taken. */
import { minify } from "terser";
import type { Plugin } from "vite";

type Flags = Record<string, boolean | undefined>;
type Replacement = { file: string; from: RegExp; to: string | ((match: string, flag: string) => string) };

/**
 * Remix's future flags are fixed by remix.config.js, yet its browser code asks for them at run
 * time and so carries both worlds. Written in as constants, the world that is off is left out
 * by the bundler (12 kB before compression). The build fails where Remix has changed here.
 */
export function fixRemixFlags(flags: Flags): Plugin {
  const toValue = (_match: string, flag: string) => String(flags[flag] ?? false);
  const everywhere: Replacement[] = [
    { file: "", from: /window\.__remixContext\.future\.(v3_\w+)/g, to: toValue },
    { file: "", from: /(?<![.\w])future\.(v3_\w+)/g, to: toValue },
    { file: "", from: /window\.__remixContext\.isSpaMode/g, to: "false" },
  ];
  const demanded: Replacement[] = [
    // One Fetch: the data strategy always brings its own way to the server.
    ...(flags.v3_singleFetch ? [{ file: "routes.js", from: /typeof singleFetch === "function"/g, to: "true" }] : []),
    ...(flags.v3_lazyRouteDiscovery
      ? []
      : ["fog-of-war.js", "components.js"].map((file) => ({
          file,
          from: /(?<!function )isFogOfWarEnabled\(future, isSpaMode\)/g,
          to: "false",
        }))),
  ];
  return {
    name: "antelope:fix-remix-flags",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    transform(code, id) {
      const file = /@remix-run\/react\/dist\/esm\/([\w-]+\.js)/.exec(id)?.[1];
      if (!file) return;
      let fixed = code;
      for (const { from, to } of everywhere) fixed = fixed.replace(from, to as string);
      for (const { from, to } of demanded.filter((replacement) => replacement.file === file)) {
        if (!fixed.match(from)) this.error(`Remix's ${file} has changed: ${from} is not where it was.`);
        fixed = fixed.replace(from, to as string);
      }
      return fixed === code ? undefined : { code: fixed, map: null };
    },
  };
}

const framework =
  /\/node_modules\/(?:react|react-dom|scheduler|react-router|react-router-dom|turbo-stream|@remix-run\/(?:react|router))\//;
const sharedStyle = /\/app\/(?:styles|ui|components|routes\/layout)\/.*\.css(?:\?|$)/;
/** What the two sign-in pages draw with and hardly another does. */
const signIn = /\/app\/(?:components\/(?:sign-in\/|test-passkey\/test-passkey-button)|lib\/email)[^?]*$/;
const page = /\/app\/(?:root|entry\.client|routes\/.*)\.tsx?(?:\?|$)/;

/**
 * A handful of files in place of sixty: React and Remix in one, what most pages draw with in a
 * second, the styles of the shared rooms in one stylesheet. Small files compress badly, and the
 * manifest in every page names each of them.
 */
export function packChunks(): Plugin {
  return {
    name: "antelope:pack-chunks",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    config: () => ({
      build: {
        rollupOptions: {
          output: {
            manualChunks(id, { getModuleInfo }) {
              if (framework.test(id)) return "framework";
              if (sharedStyle.test(id)) return "styles";
              if (!/\/app\//.test(id) || page.test(id)) return undefined;
              if (countPages(id, getModuleInfo) >= mostPages) return "shell";
              return signIn.test(id) ? "sign-in" : undefined;
            },
          },
        },
      },
    }),
  };
}

/** Terser makes some 5 % less of it than esbuild, and takes so long that only what every page loads is worth it. */
export function minifyFurther(): Plugin {
  return {
    name: "antelope:minify-further",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    async generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !["framework", "shell"].includes(chunk.name)) continue;
        const { code } = await minify(chunk.code, { module: true, ecma: 2020 });
        if (code) chunk.code = code;
      }
    },
  };
}

/** Used by this many route modules, a part is in the file that every page loads. */
const mostPages = 6;

type Importers = (id: string) => { readonly importers: readonly string[] } | null;

/** How many pages load a module at once; root and layout stand for all of them. */
function countPages(id: string, getModuleInfo: Importers): number {
  const pages = new Set<string>();
  const seen = new Set<string>();
  const open = [id];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (seen.has(at)) continue;
    seen.add(at);
    if (/\/app\/(?:root|entry\.client|routes\/layout\/route)\.tsx/.test(at)) return Number.POSITIVE_INFINITY;
    if (/\/route\.tsx?\?/.test(at)) pages.add(at);
    open.push(...(getModuleInfo(at)?.importers ?? []));
  }
  return pages.size;
}

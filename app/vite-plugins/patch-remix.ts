import type { Plugin } from "vite";

type Patch = {
  /** A file of `@remix-run`, or a pattern for several. */
  file: string | RegExp;
  /** A string must occur exactly once, a pattern at least once. */
  from: string | RegExp;
  to: string | ((match: string, group: string) => string);
  /** Most patches fail the build if there is nothing to replace, but not this one. */
  optional?: boolean;
};

type Options = { name: string; apply?: Plugin["apply"]; patches: readonly Patch[] };

/** A plugin that replaces parts of Remix's code, in the browser's build unless `apply` names another. */
export function patchRemix({ name, apply = isBrowserBuild, patches }: Options): Plugin {
  return {
    name,
    apply,
    transform(code, id) {
      const path = id.split("?")[0]?.split("/@remix-run/")[1];
      if (path === undefined) return;
      let patched = code;
      for (const { file, from, to, optional } of patches) {
        if (typeof file === "string" ? file !== path : !file.test(path)) continue;
        const found = patched.split(from).length - 1;
        if (!optional && (typeof from === "string" ? found !== 1 : found === 0)) {
          this.error(`Remix's ${path.split("/").at(-1)} has changed: ${from} was not found.`);
        }
        patched = typeof to === "string" ? patched.replace(from, to) : patched.replace(from, to);
      }
      return patched === code ? undefined : { code: patched, map: null };
    },
  };
}

const isBrowserBuild: Plugin["apply"] = (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild;

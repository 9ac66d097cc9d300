import type { Plugin } from "vite";

/** What /login loads. */
const chunks = ["framework", "shell", "sign-in"];
const imported = /import\{([^}]*)\}from"\.\/([^"]+)";/g;
const runtimeCode = /^(.*)export\{([^}]*)\};\s*$/s;

/**
 * Copies the functions with which Rolldown loads CommonJS modules into the chunks of /login that use them.
 *
 * Saves a request for 0.5 kB on /login. The functions have no state, so it does not matter that there are several.
 * Upstream: Rolldown keeps them in a chunk of their own and never moves them into a group
 * (https://github.com/rolldown/rolldown/issues/7114). The build fails if that chunk is not as expected.
 */
export function copyRuntime(): Plugin {
  return {
    name: "antelope:copy-runtime",
    apply: (_config, { command, isSsrBuild }) => command === "build" && !isSsrBuild,
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== "chunk" || !chunks.includes(chunk.name)) continue;
        chunk.code = chunk.code.replace(imported, (statement, names: string, file: string) => {
          const runtime = Object.values(bundle).find(({ fileName }) => fileName.endsWith(`/${file}`));
          if (runtime?.type !== "chunk" || runtime.name !== "rolldown-runtime") return statement;
          return toCopy(runtime.code, names);
        });
      }
    },
  };
}

/**
 * @param names As in an import: `o as e,t`.
 * @throws if the code of the runtime is not as Rolldown writes it
 */
export function toCopy(code: string, names: string): string {
  const [, body, exported] = runtimeCode.exec(code) ?? [];
  if (body === undefined || exported === undefined || /\bimport\b/.test(body)) {
    throw new Error("Rolldown's runtime is not as expected");
  }
  const locals = new Map(toPairs(exported).map(([local, name]) => [name, local]));
  const pairs = toPairs(names).map(([name, local]) => ({ local, value: locals.get(name) }));
  return `const [${pairs.map(({ local }) => local)}]=(()=>{${body}return[${pairs.map(({ value }) => value)}]})();`;
}

/** `a as b,c` → `[["a", "b"], ["c", "c"]]` */
function toPairs(names: string): [string, string][] {
  return names.split(",").map((name) => {
    const [first = "", second = first] = name.trim().split(" as ");
    return [first, second];
  });
}

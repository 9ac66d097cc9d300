const moduleScript = /<script[^>]* type="module"[^>]*>(import [^<]+)<\/script>/;
const routeImport = /import \* as (\w+) from "([^"]+)";/g;
const entryImport = /import\("([^"]+)"\);/;
const preload = /<link rel="modulepreload" href="([^"]+)"/g;
/** A module that only names what a chunk exports, because routes share chunks (vite-plugins/pack-chunks.ts). */
const facade = /^export\{([^}]+)\}from"\.([^"]+)";\s*$/;
/** An entry that only calls a function of a chunk. */
const entryCall = /^import\{(\w+)(?: as \w+)?\}from"\.([^"]+)";\w+\(\);\s*$/;
const staticImport = /(?:from|import)"\.([^"]+)"/g;

type ReadText = (path: string) => string | undefined;

/**
 * Makes a function that writes the small modules of a page's routes into the script that imports them, so that the
 * browser requests only chunks. It keeps the links that preload these modules, because React expects them, but
 * without their `rel`.
 */
export function createRouteInliner(readText: ReadText): (html: string) => string {
  const imports = new Map<string, string[]>();
  const findImports = (path: string): string[] => {
    const known = imports.get(path);
    if (known) return known;
    const found = [...(readText(path) ?? "").matchAll(staticImport)].map(([, file = ""]) => toSibling(path, file));
    imports.set(path, found);
    return found;
  };

  return (html) => {
    const script = moduleScript.exec(html)?.[1];
    if (script === undefined) return html;
    const { code, modules } = inlineModules(script, readText);
    const needed = new Set(modules);
    // A set also visits what is added during the loop.
    for (const path of needed) for (const imported of findImports(path)) needed.add(imported);
    return html
      .replace(script, () => code)
      .replaceAll(preload, (link, path: string) => (needed.has(path) ? link : `<link href="${path}"`));
  };
}

function inlineModules(script: string, readText: ReadText) {
  const chunks: string[] = [];
  const toName = (path: string) => {
    if (!chunks.includes(path)) chunks.push(path);
    return `chunk${chunks.indexOf(path)}`;
  };
  const code = script
    .replaceAll(routeImport, (statement, name: string, path: string) => {
      const [, names, file] = facade.exec(readText(path) ?? "") ?? [];
      if (names === undefined || file === undefined) return statement;
      const chunk = toName(toSibling(path, file));
      const members = names.split(",").map((one) => {
        const [exported, member = exported] = one.split(" as ");
        return `${member}:${chunk}.${exported}`;
      });
      return `const ${name}={${members.join()}};`;
    })
    .replace(entryImport, (statement, path: string) => {
      const [, name, file] = entryCall.exec(readText(path) ?? "") ?? [];
      return name === undefined || file === undefined ? statement : `${toName(toSibling(path, file))}.${name}();`;
    });
  const inlined = `${chunks.map((path, i) => `import * as chunk${i} from "${path}";`).join("")}${code}`;
  return {
    code: inlined,
    modules: [...inlined.matchAll(/(?:from |import |import\()"([^"]+)"/g)].map(([, path = ""]) => path),
  };
}

function toSibling(path: string, file: string): string {
  return `${path.slice(0, path.lastIndexOf("/"))}${file}`;
}

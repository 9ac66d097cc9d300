import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseSync, Visitor } from "oxc-parser";

export type Import = {
  /** A path from app/ without its extension (`lib/money`), or a package (`viem/accounts`). */
  to: string;
  isLocal: boolean;
  /** What is imported, by its name in the other module. `*` stands for all of it. */
  names: string[];
  /** Erased by the compiler: `import type`, or nothing but `type` specifiers. */
  typeOnly: boolean;
  /** `import()`: loaded when the line runs, not with the module. */
  dynamic: boolean;
};

export type SourceFile = {
  /** Path from app/ without its extension; `server.ts` is the file beside app/. */
  name: string;
  path: string;
  text: string;
  imports: Import[];
};

const sourceExtension = /\.(tsx?|js)$/;

/** Every source file of app/ and server.ts, with what it imports. */
export function readSourceFiles(): SourceFile[] {
  const paths = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((path) => sourceExtension.test(path) && !path.endsWith(".d.ts"))
    .map((path) => join("app", path));
  return [...paths, "server.ts"].map(readSourceFile);
}

function readSourceFile(path: string): SourceFile {
  const text = readFileSync(path, "utf8");
  return { name: toName(path), path, text, imports: readImports(path, text) };
}

/** Reads imports from the syntax tree: strings and comments that look like imports do not count. */
function readImports(path: string, text: string): Import[] {
  const { program, errors } = parseSync(path, text);
  if (errors.length > 0) throw new Error(`${path} does not parse: ${errors[0]?.message}`);
  const imports: Import[] = [];
  const add = (specifier: { type: string } | null, { names = ["*"], typeOnly = false, dynamic = false }) => {
    const name = readString(specifier);
    if (name !== null) imports.push({ ...resolveImport(path, name), names, typeOnly, dynamic });
  };
  new Visitor({
    ImportDeclaration({ source, importKind, specifiers }) {
      const names = specifiers.map((it) => readName("imported" in it ? it.imported : null));
      add(source, { names, typeOnly: importKind === "type" || isTypeOnly(specifiers, "importKind") });
    },
    ExportNamedDeclaration({ source, exportKind, specifiers }) {
      const names = specifiers.map(({ local }) => readName(local));
      add(source, { names, typeOnly: exportKind === "type" || isTypeOnly(specifiers, "exportKind") });
    },
    ExportAllDeclaration({ source, exportKind }) {
      add(source, { typeOnly: exportKind === "type" });
    },
    ImportExpression({ source }) {
      add(source, { dynamic: true });
    },
    TSImportType({ source }) {
      add(source, { typeOnly: true });
    },
  }).visit(program);
  return imports;
}

/** The name of an import. A default import and a namespace count as everything. */
const readName = (node: { name: string } | { value: string } | null): string =>
  node === null ? "*" : "name" in node ? node.name : node.value;

/** The value of a string literal, or of a template without expressions. */
function readString(node: { type: string } | null): string | null {
  if (node && "value" in node && typeof node.value === "string") return node.value;
  if (node && "quasis" in node) {
    const { quasis } = node as { quasis: { value: { cooked: string | null } }[] };
    return quasis.length === 1 ? (quasis[0]?.value.cooked ?? null) : null;
  }
  return null;
}

/** Whether there are specifiers, and all of them are `type` specifiers. */
function isTypeOnly(specifiers: object[], kind: "importKind" | "exportKind"): boolean {
  return specifiers.length > 0 && specifiers.every((it) => (it as Record<string, unknown>)[kind] === "type");
}

function resolveImport(from: string, specifier: string): { to: string; isLocal: boolean } {
  const [bare = specifier] = specifier.split("?");
  if (bare.startsWith("~/")) return { to: toName(resolveFile(join("app", bare.slice(2)))), isLocal: true };
  if (bare.startsWith(".")) return { to: toName(resolveFile(normalize(join(dirname(from), bare)))), isLocal: true };
  return { to: bare, isLocal: false };
}

/** @throws if an import leads nowhere: this reader then has a gap, and its results prove nothing */
function resolveFile(path: string): string {
  for (const suffix of ["", ".ts", ".tsx", ".js", ".d.ts", "/index.ts"]) {
    if (
      suffix === "" ? sourceExtension.test(path) || /\.(css|svg|json|woff2)$/.test(path) : existsSync(path + suffix)
    ) {
      return path + suffix;
    }
  }
  throw new Error(`${path} is imported and does not exist`);
}

function toName(path: string): string {
  return path.startsWith("app/") ? path.slice("app/".length).replace(sourceExtension, "") : path;
}

/** The modules that a module loads, directly or through others, with `import()` only if `withDynamic` is true. */
export function createClosure(files: SourceFile[], { withDynamic = false } = {}): (name: string) => Set<string> {
  const byName = new Map(files.map((file) => [file.name, file]));
  return (name) => {
    const reached = new Set<string>();
    const open = [name];
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      for (const { to, typeOnly, dynamic } of byName.get(next)?.imports ?? []) {
        if (typeOnly || (dynamic && !withDynamic) || reached.has(to)) continue;
        reached.add(to);
        open.push(to);
      }
    }
    return reached;
  };
}

/** Groups of files that import each other in a circle (Tarjan's strongly connected components). */
export function findCycles(files: SourceFile[]): string[][] {
  const byName = new Map(files.map((file) => [file.name, file]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const stack: string[] = [];
  const cycles: string[][] = [];
  const visit = (name: string): number => {
    const own = order.size;
    order.set(name, own);
    lowest.set(name, own);
    stack.push(name);
    for (const { to } of byName.get(name)?.imports ?? []) {
      if (!byName.has(to)) continue;
      const reach = order.has(to) ? (stack.includes(to) ? (order.get(to) ?? own) : own) : visit(to);
      lowest.set(name, Math.min(lowest.get(name) ?? own, reach));
    }
    if (lowest.get(name) === own) {
      const members = stack.splice(stack.indexOf(name));
      if (members.length > 1) cycles.push(members.sort());
    }
    return lowest.get(name) ?? own;
  };
  for (const { name } of files) if (!order.has(name)) visit(name);
  return cycles;
}

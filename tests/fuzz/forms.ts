import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseSync } from "oxc-parser";

export type FormRoute = { path: string; intents: string[]; fields: string[] };

/**
 * The routes with an action, with the intents and fields of their schemas, read from the sources: a route's own
 * module and what it imports from app/routes and app/sign-in.
 */
export function findForms(): FormRoute[] {
  const table = readFileSync("app/routes.ts", "utf8");
  const routes = [...table.matchAll(/(?:route\("([^"]+)", |index\(|layout\()"(routes\/[^"]+)"/g)];
  return routes.flatMap(([, path = "", file = ""]) => {
    if (
      path.endsWith("*") ||
      !/export (?:const action\b|\{[^}]*\baction\b[^}]*\})/.test(readFileSync(`app/${file}`, "utf8"))
    )
      return [];
    const intents = new Set<string>();
    const fields = new Set<string>();
    for (const module of followImports(`app/${file}`)) collect(module, intents, fields);
    return [{ path: `/${path}`, intents: [...intents].sort(), fields: [...fields].sort() }];
  });
}

function followImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/from "([.~][^"]+)"/g)) {
    const base = specifier.startsWith("~/") ? join("app", specifier.slice(2)) : join(dirname(file), specifier);
    const found = [`${base}.ts`, `${base}.tsx`].find(existsSync);
    if (found && /^app\/(?:routes|sign-in)\//.test(found)) followImports(found, seen);
  }
  return seen;
}

type Node = { type?: string; [member: string]: unknown };
type Property = { key?: { name?: string }; value?: Node };

/** Adds the members of every `z.object({…})` and `….extend({…})`. */
function collect(file: string, intents: Set<string>, fields: Set<string>): void {
  const { program } = parseSync(file, readFileSync(file, "utf8"));
  JSON.stringify(program, (_key, value: unknown) => {
    if (typeof value === "bigint") return String(value);
    const [object] = schemaArguments(value as Node | null);
    for (const { key, value: schema } of (object?.properties as Property[] | undefined) ?? []) {
      if (key?.name === "intent") intents.add(literalOf(schema));
      else if (key?.name) fields.add(key.name);
    }
    return value;
  });
  intents.delete("");
}

function schemaArguments(node: Node | null): Node[] {
  if (node?.type !== "CallExpression") return [];
  const { property } = node.callee as { property?: { name?: string } };
  return property?.name === "object" || property?.name === "extend" ? (node.arguments as Node[]) : [];
}

/** The text of `z.literal("…")`. */
function literalOf(schema: Node | undefined): string {
  const [argument] = (schema?.arguments as { value?: unknown }[] | undefined) ?? [];
  return typeof argument?.value === "string" ? argument.value : "";
}

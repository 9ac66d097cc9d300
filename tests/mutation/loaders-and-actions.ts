import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";

/** What a route module exports for its page, which does not handle requests. */
const ofThePage = ["meta", "links", "handle", "shouldRevalidate", "HydrateFallback", "ErrorBoundary"];

/**
 * The loaders, actions and their helpers in the route modules under a folder, each as a range that Stryker understands
 * (`file:line:column-line:column`): everything at the top level except components and `ofThePage`.
 */
export function listLoadersAndActions(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => /(^|\/)route\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .flatMap((file) => {
      const source = readFileSync(file, "utf8");
      return parseSync(file, source).program.body.flatMap((statement) => {
        const declaration = statement.type === "ExportNamedDeclaration" ? statement.declaration : statement;
        if (declaration?.type !== "FunctionDeclaration" && declaration?.type !== "VariableDeclaration") return [];
        const id = "declarations" in declaration ? declaration.declarations[0]?.id : declaration.id;
        const name = id?.type === "Identifier" ? id.name : "";
        if (/^[A-Z]/.test(name) || ofThePage.includes(name)) return [];
        return [`${file}:${toPosition(source, statement.start)}-${toPosition(source, statement.end)}`];
      });
    });
}

function toPosition(source: string, offset: number): string {
  const lines = source.slice(0, offset).split("\n");
  return `${lines.length}:${lines.at(-1)?.length ?? 0}`;
}

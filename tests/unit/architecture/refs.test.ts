import { readdirSync, readFileSync } from "node:fs";
import { type AssignmentExpression, parseSync, type VariableDeclarator, Visitor } from "oxc-parser";
import { expect, it } from "vitest";

/** The lines at which a component or a hook writes a ref while it renders, not in a function that it calls later. */
function findWrites(file: string, source: string): string[] {
  const writes: string[] = [];
  /** The functions around the current node. */
  const names: (string | undefined)[] = [];
  /** The name of a function that is assigned to a constant. */
  let assigned: string | undefined;
  const enter = ({ id }: { id?: { name: string } | null }) => {
    names.push(id?.name ?? assigned);
    assigned = undefined;
  };
  const leave = () => {
    names.pop();
  };
  const remember = ({ id, init }: VariableDeclarator) => {
    if (id.type === "Identifier" && init?.type === "ArrowFunctionExpression") assigned = id.name;
  };
  const check = ({ left, start }: AssignmentExpression) => {
    if (left.type !== "MemberExpression" || left.computed || left.property.name !== "current") return;
    if (/^(?:use)?[A-Z]/.test(names.at(-1) ?? "")) writes.push(`${file}:${source.slice(0, start).split("\n").length}`);
  };
  new Visitor({
    VariableDeclarator: remember,
    FunctionDeclaration: enter,
    "FunctionDeclaration:exit": leave,
    FunctionExpression: enter,
    "FunctionExpression:exit": leave,
    ArrowFunctionExpression: enter,
    "ArrowFunctionExpression:exit": leave,
    AssignmentExpression: check,
  }).visit(parseSync(file, source).program);
  return writes;
}

it("no component or hook writes a ref while it renders, because React may discard the render", () => {
  const files = readdirSync("app", { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `app/${file}`);
  const sources = files.map((file) => [file, readFileSync(file, "utf8")] as const);
  expect(sources.filter(([, source]) => source.includes(".current = ")).length).toBeGreaterThan(10);
  expect(sources.flatMap(([file, source]) => findWrites(file, source))).toEqual([]);
});

it.each([
  ["function useIt() { ref.current = value; }", ["x.ts:1"]],
  ["const Page = () => {\n  ref.current = value;\n};", ["x.ts:2"]],
  ["function Page() { useEffect(() => { ref.current = value; }); }", []],
  ["function Page() { function close() { ref.current = value; } const open = () => { ref.current = value; }; }", []],
])("a write to a ref is found only while rendering: %s", (source, found) => {
  expect(findWrites("x.ts", source)).toEqual(found);
});

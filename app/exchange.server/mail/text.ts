import { type Letter, type Part, signature } from "./letter";

/** A letter as plain text, its signature set off as mail programs know it ("-- "). */
export function toText({ title, parts, notYou }: Letter): string {
  const blocks = [title, ...parts.map(toBlock), notYou, `-- \n${signature.from}\n${signature.promise}\n`];
  return blocks.join("\n\n");
}

function toBlock(part: Part): string {
  if (typeof part === "string") return part;
  if ("digits" in part) return part.digits;
  if ("list" in part) return part.list.map((item) => `- ${item}`).join("\n");
  return part.facts.map(([name, value]) => `${name}: ${value}`).join("\n");
}

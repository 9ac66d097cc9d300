import { z } from "zod";

/** The settings as a Markdown table: variable, default, what it is for. */
export function toConfigTable(settings: z.AnyZodObject): string {
  const rows = Object.entries(settings.shape as Record<string, z.ZodTypeAny>).map(([name, type]) => {
    const fallback = findDefault(type);
    return `| \`${name}\` | ${fallback === "" ? "" : `\`${fallback}\``} | ${type.description ?? ""} |`;
  });
  return ["| variable | default | what it is for |", "|---|---|---|", ...rows].join("\n");
}

function findDefault(type: z.ZodTypeAny): string {
  if (type instanceof z.ZodDefault) return String(type._def.defaultValue());
  return "";
}

/** Splits a long value into groups of `size` characters, to make it easier to compare. "0x" does not count. */
export function splitIntoGroups(value: string, size: number): string[] {
  const prefix = value.startsWith("0x") ? "0x" : "";
  const [first = "", ...rest] = value.slice(prefix.length).match(new RegExp(`.{1,${size}}`, "gsu")) ?? [];
  return [prefix + first, ...rest];
}

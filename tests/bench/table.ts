/** Prints a table with its numbers aligned to the right. */
export function printTable(title: string, head: readonly string[], rows: readonly (readonly string[])[]): void {
  const widths = head.map((name, i) => Math.max(name.length, ...rows.map((row) => (row[i] ?? "").length)));
  const line = (cells: readonly string[]) =>
    cells.map((cell, i) => (isFigure(cell) ? cell.padStart(widths[i] ?? 0) : cell.padEnd(widths[i] ?? 0))).join("  ");
  const rule = widths.map((width) => "─".repeat(width)).join("  ");
  process.stdout.write(`\n${title}\n${[line(head), rule, ...rows.map(line)].join("\n")}\n`);
}

const isFigure = (cell: string) => /^[-–<≤]?[\d,.]+( ?(?:ms|s|MB|kB|%|×))?$/.test(cell);

export const count = (value: number) => Math.round(value).toLocaleString("en-US");
export const ms = (value: number, digits = 1) => `${value.toFixed(digits)} ms`;
export const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;
export const megabytes = (bytes: number) => `${count(bytes / 1_048_576)} MB`;
export const kilobytes = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;

/** Compares a value with its budget. */
export const verdict = (value: number, budget: number) => (value <= budget ? "OK" : "OVER");

/** The value below which this share of the samples lies; 0 without samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

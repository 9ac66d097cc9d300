/** Log lines for a terminal, made from pino's JSON lines. */
import { type DestinationStream, pino } from "pino";
import { toPrintable } from "../lib/one-line";

type Line = { level: string; time: string; msg?: string; [field: string]: unknown };

/** Identifies a request across JSON lines; in a terminal it only takes up space. */
const hidden = new Set(["requestId"]);

export function createReadableStream(write: (text: string) => void): DestinationStream {
  return { write: (json: string) => write(`${toPrintable(toReadableLine(JSON.parse(json) as Line))}\n`) };
}

/**
 * `14:03:22 GET /login 200 12 ms`, or `14:03:22 warn: An Ethereum node failed (node: node 1)` and the error's stack.
 */
function toReadableLine({ level, time, msg = "", err, ...fields }: Line): string {
  const clock = new Date(time).toTimeString().slice(0, 8);
  if (msg === "request") return `${clock} ${fields.method} ${fields.path} ${fields.status} ${fields.ms} ms`;
  const severity = (pino.levels.values[level] ?? 0) > 30 ? `${level}: ` : "";
  const details = Object.entries(fields)
    .filter(([name]) => !hidden.has(name))
    .map(([name, value]) =>
      `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`.replaceAll("\n", " "),
    );
  const suffix = details.length > 0 ? ` (${details.join(", ")})` : "";
  return `${clock} ${severity}${indent(msg)}${suffix}${toStack(err)}`;
}

/** Text after a line break must not look like a separate log line. */
const indent = (text: string) => text.replaceAll("\n", "\n  ");

function toStack(err: unknown): string {
  if (typeof err !== "object" || err === null) return "";
  const { message, stack } = err as { message?: string; stack?: string };
  return `\n  ${indent(stack ?? message ?? "")}`;
}

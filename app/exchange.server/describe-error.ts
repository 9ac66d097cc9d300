import { toOneLine } from "../lib/one-line";

/**
 * Converts an unexpected error to log fields without personal data (T18). Messages of database
 * errors contain the parameters of the query (e-mail addresses, token hashes), and `detail` of a
 * constraint violation contains the row, so both are omitted.
 */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const query = "query" in error && typeof error.query === "string" ? error.query : undefined;
  const code = "code" in error && typeof error.code === "string" ? error.code : undefined;
  const isOfDatabase = query !== undefined || "severity" in error;
  return {
    name: error.name,
    code,
    message: isOfDatabase ? undefined : error.message,
    query,
    stack: error.stack?.split("\n").filter((line) => line.startsWith("    at ")),
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}

/**
 * The first line of an error's message, for an operator. Other lines may contain a node's URL, which can contain a key.
 */
export const toFirstLine = (error: unknown): string =>
  cutToFirstLine(error instanceof Error ? error.message : "unknown");

/** The first line of another server's text, without control characters, which a terminal would interpret. */
export function cutToFirstLine(text: string): string {
  const [line = ""] = text.split("\n");
  return toOneLine(line).slice(0, 200);
}

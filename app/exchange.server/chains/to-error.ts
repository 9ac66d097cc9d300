/** What was thrown, as an `Error`. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error("not an error", { cause: thrown });
}

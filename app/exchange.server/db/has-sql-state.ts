/** Whether the database refused with an SQLSTATE that matches. Drizzle wraps the database's error. */
export function hasSqlState(error: unknown, pattern: RegExp): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  return (typeof code === "string" && pattern.test(code)) || hasSqlState(error.cause, pattern);
}

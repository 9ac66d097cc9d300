/**
 * The site cannot start, for a reason that its operator can fix. The message is one sentence
 * that names the variable to change; it is printed without a stack trace.
 */
export class StartupError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "StartupError";
  }
}

/**
 * Why a start failed. If a query failed, its message only contains the query, so this returns the database's reason
 * instead.
 */
export function findReason(error: unknown): unknown {
  return error instanceof Error && "query" in error && error.cause !== undefined ? error.cause : error;
}

/**
 * Whether Node.js threw this while it read the body of a client that closed the connection. Nobody receives the
 * response.
 */
export function isDisconnect(error: unknown): boolean {
  return error instanceof Error && error.message === "aborted" && "code" in error && error.code === "ECONNRESET";
}

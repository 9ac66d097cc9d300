/**
 * Whether Node.js threw this error because the client closed the connection before its body was read. There is no
 * client to respond to.
 */
export function isDisconnect(error: unknown): boolean {
  return error instanceof Error && error.message === "aborted" && "code" in error && error.code === "ECONNRESET";
}

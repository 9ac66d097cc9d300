/** An error in the form of full-service: HTTP 200, with a Rust Debug string in `server_error`. */
export class RpcError extends Error {
  readonly code: number;

  constructor(
    readonly serverError: string,
    readonly details: string,
    code: -32603 | -32600 | -32602 = -32603,
  ) {
    super(`${serverError}: ${details}`);
    this.name = "RpcError";
    this.code = code;
  }
}

/** How full-service 2.10 reports that a call to the network has failed after several attempts. */
export function toNetworkError(error: string): string {
  return `Retry(Error { error: ${error}, total_delay: 1.2s, tries: 3 })`;
}

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

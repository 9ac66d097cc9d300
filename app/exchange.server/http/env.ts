import type { Caller } from "../accounts/caller";

/** Passed to `fetch` beside the request. */
type ConnectionInfo = {
  /** The visitor's network address, from the connection and never from a header. Absent for calls from this process. */
  remoteAddress?: string;
};

/** Hono's types for this API: what comes with a request, and what middleware sets on it. */
export type Env = {
  Bindings: ConnectionInfo;
  Variables: {
    requestId: string;
    caller: Caller | null;
    /** The request has a token, but it is expired, revoked or malformed. */
    hasInvalidToken: boolean;
  };
};

import type { Caller } from "../accounts/caller";

/** What the server knows about a visitor's request besides its content; passed to `fetch`. */
export type ClientInfo = {
  /** The visitor's network address, from the connection and never from a header. Absent for calls from this process. */
  remoteAddress?: string;
  /** Identifies the visitor's request in the log. Absent if the site has not set it. */
  requestId?: string;
};

/** Hono's types for this API: what comes with a request, and what middleware sets on it. */
export type Env = {
  Bindings: ClientInfo;
  Variables: {
    requestId: string;
    caller: Caller | null;
    /** The request has a token, but it is expired, revoked or malformed. */
    hasInvalidToken: boolean;
  };
};

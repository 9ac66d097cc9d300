/** The exchange as the site uses it: embedded in this process, or another server over HTTP. */
export type Exchange = {
  /** Handles a request to /api/*. Rate limits per address count `remoteAddress`. */
  fetch(request: Request, env?: { remoteAddress?: string }): Promise<Response>;
  workers: { start(): Promise<void>; stop(): Promise<void> };
  /** Handles requests to /sandbox/*. Null in live mode. */
  sandbox: { fetch(request: Request, env?: { remoteAddress?: string }): Promise<Response> } | null;
  close(): Promise<void>;
};

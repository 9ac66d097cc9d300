import type { Visit } from "./visit";

/** The exchange as the site uses it: embedded in this process, or another server over HTTP. */
export type Exchange = {
  /** Handles a request to /api/*. */
  fetch(request: Request, visit?: Visit): Promise<Response>;
  workers: { start(): Promise<void>; stop(): Promise<void> };
  /** Handles requests to /sandbox/*. Null in live mode. */
  sandbox: { fetch(request: Request, visit?: Visit): Promise<Response> } | null;
  close(): Promise<void>;
};

import type { AppLoadContext } from "@remix-run/node";

/** What the server knows about a visitor's request besides its content. */
export type Visit = {
  /** Rate limits apply to its network. */
  remoteAddress?: string;
  /** Names the request in the log. A remote exchange has ids of its own. */
  requestId?: string;
};

/** The visit that a loader or an action serves. Unit tests may call them without a context. */
export function toVisit(context: AppLoadContext | undefined): Visit {
  return { remoteAddress: context?.remoteAddress, requestId: context?.requestId };
}

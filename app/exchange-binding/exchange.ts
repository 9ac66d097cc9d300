import type { AppLoadContext } from "@remix-run/node";
import type { Exchange, Visit } from "../exchange.server/index";

/** The exchange as the site uses it: embedded in this process, or another server over HTTP. */
export type { Exchange, Visit };

/** The visit that a loader or an action serves. Unit tests may call them without a context. */
export function toVisit(context: AppLoadContext | undefined): Visit {
  return { remoteAddress: context?.remoteAddress, requestId: context?.requestId };
}

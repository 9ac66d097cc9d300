import type { AppLoadContext } from "@remix-run/node";
import type { ClientInfo, Exchange } from "../exchange.server/index";

/** The exchange as the site uses it: embedded in this process, or another server over HTTP. */
export type { ClientInfo, Exchange };

/** Who a loader or an action serves. */
export function toClientInfo({ remoteAddress, requestId }: AppLoadContext): ClientInfo {
  return { remoteAddress, requestId };
}

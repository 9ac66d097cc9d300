import type { AppLoadContext } from "@remix-run/node";
import type { ClientInfo, Exchange } from "../exchange.server/index";

/** The exchange as the site uses it: embedded in this process, or another server over HTTP. */
export type { ClientInfo, Exchange };

/** Who a loader or an action serves. Unit tests may call them without a context. */
export function toClientInfo(context: AppLoadContext | undefined): ClientInfo {
  return { remoteAddress: context?.remoteAddress, requestId: context?.requestId };
}

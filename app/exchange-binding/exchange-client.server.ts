import type { LoaderFunctionArgs } from "@remix-run/node";
import { type ApiClient, createApiClient } from "../api/client";
import { getLog } from "../config/log.server";
import { onlyReads } from "../lib/http/methods";
import { type ClientInfo, toClientInfo } from "./exchange";
import { getExchange } from "./exchange.server";

/** The longest total wait between attempts, in ms: a loader must respond soon. */
const waitBudgetMs = 2_000;

/** Sends a request to the exchange. */
export type Send = (request: Request) => Promise<Response>;

/** An API client for one request to the site. */
export function createExchangeClient(options: {
  accessToken: () => string | null;
  client: ClientInfo;
  /** The visitor's User-Agent. */
  userAgent?: string;
  /**
   * The visitor's request for a page, if it only reads: its calls are cancelled when the visitor leaves. Leave it out
   * for a form.
   */
  abortWith?: Request | undefined;
  /** Wraps every request to the exchange. The session refreshes its token here. */
  intercept?: (send: Send) => Send;
}): ApiClient {
  const send: Send = async (request) => (await getExchange()).fetch(request, options.client);
  return createApiClient({
    baseUrl: "http://exchange.invalid",
    fetch: options.intercept ? options.intercept(send) : send,
    accessToken: options.accessToken,
    userAgent: options.userAgent,
    signal: options.abortWith?.signal,
    waitBudgetMs,
    onContractError: (error) =>
      getLog().error({ err: error, requestId: options.client.requestId }, "The exchange's response can't be used"),
  });
}

/**
 * A client for data that is the same for everyone. It does not send a token: the page must not depend on the session
 * (decision 24).
 */
export const createPublicClient = ({ context, request }: Pick<LoaderFunctionArgs, "context" | "request">): ApiClient =>
  createExchangeClient({
    accessToken: () => null,
    client: toClientInfo(context),
    abortWith: abortableRequest(request),
  });

/**
 * The request if it only reads, so that its calls can be cancelled with it. Undefined for a form, which runs to the
 * end.
 */
export function abortableRequest(request: Request): Request | undefined {
  return onlyReads(request) ? request : undefined;
}

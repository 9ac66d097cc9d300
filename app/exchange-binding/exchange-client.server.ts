import type { LoaderFunctionArgs } from "@remix-run/node";
import { type ApiClient, createApiClient } from "../api/client";
import { getLog } from "../config/log.server";
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
  /** Wraps every request to the exchange. The session refreshes its token here. */
  intercept?: (send: Send) => Send;
}): ApiClient {
  const send: Send = async (request) => (await getExchange()).fetch(request, options.client);
  return createApiClient({
    baseUrl: "http://exchange.invalid",
    fetch: options.intercept ? options.intercept(send) : send,
    accessToken: options.accessToken,
    userAgent: options.userAgent,
    waitBudgetMs,
    onContractError: (error) =>
      getLog().error({ err: error, requestId: options.client.requestId }, "The exchange's response can't be used"),
  });
}

/**
 * A client for what is the same for everyone. It sends no token: the page must not depend on the session (decision 24).
 */
export const createPublicClient = ({ context }: Pick<LoaderFunctionArgs, "context">): ApiClient =>
  createExchangeClient({ accessToken: () => null, client: toClientInfo(context) });

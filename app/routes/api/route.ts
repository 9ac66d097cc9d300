import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { toClientInfo } from "~/exchange-binding/exchange";
import { handleApiRequest } from "~/server/api-mount.server";

/**
 * Serves /api/* in development and under remix-serve; in production server.ts handles it before Remix. The API
 * authenticates only by X-Auth-Token and does not read cookies, so it does not need an origin check.
 */
export const loader = (args: LoaderFunctionArgs) => handleApiRequest(args.request, toClientInfo(args.context));
export const action = (args: ActionFunctionArgs) => handleApiRequest(args.request, toClientInfo(args.context));

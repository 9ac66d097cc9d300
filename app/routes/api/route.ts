import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { toClientInfo } from "~/exchange-binding/exchange";
import { handleApiRequest } from "~/server/api-mount.server";

/**
 * Serves /api/* in development and under remix-serve; in production server.ts handles it before Remix. The API
 * authenticates by X-Auth-Token only and reads no cookies, so it needs no origin check.
 */
export const loader = (args: LoaderFunctionArgs) => handleApiRequest(args.request, toClientInfo(args.context));
export const action = (args: ActionFunctionArgs) => handleApiRequest(args.request, toClientInfo(args.context));

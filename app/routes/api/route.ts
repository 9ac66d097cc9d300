import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { answerApi } from "~/api/pass-through.server";

/**
 * /api/* in development and under remix-serve; server.ts answers it in front of Remix. The
 * API knows a caller by X-Auth-Token alone and reads no cookie, so no origin guard stands here.
 */
export const loader = (args: LoaderFunctionArgs) => answerApi(args.request, args.context.remoteAddress);
export const action = (args: ActionFunctionArgs) => answerApi(args.request, args.context.remoteAddress);

import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { toClientInfo } from "~/exchange-binding/exchange";
import { handleSandboxRequest } from "~/server/api-mount.server";

/** Serves /sandbox/*: the sandbox's API, for scripts, tests and the sandbox page. 404 in live mode. */
export const loader = (args: LoaderFunctionArgs) => handleSandboxRequest(args.request, toClientInfo(args.context));
export const action = (args: ActionFunctionArgs) => handleSandboxRequest(args.request, toClientInfo(args.context));

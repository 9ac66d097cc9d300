import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { answerSandbox } from "~/api/pass-through.server";

/** /sandbox/…: the sandbox's calls, for scripts and tests as for its page; 404 in live mode. */
export const loader = (args: LoaderFunctionArgs) => answerSandbox(args.request);
export const action = (args: ActionFunctionArgs) => answerSandbox(args.request);

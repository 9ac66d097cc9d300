import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { useActionResult } from "~/loaded-data/use-action-result";
import { cachedLoader, invalidates } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { createDirectionAction } from "../direction/action.server";
import { DirectionScreen } from "../direction/direction-screen";
import { loadDirection } from "../direction/loader.server";

/** R08, R09 */
export const loader = (args: LoaderFunctionArgs) => loadDirection(args, "MOB");

export const action = createDirectionAction("MOB");

export const clientLoader = cachedLoader("routes/swap/mob-to-usdt/route", ["assets", "deliveryAddress"]);

export const shouldRevalidate = revalidationPolicy;

/** A request for a price saves the addresses that it contains. */
export const clientAction = invalidates("quote", "activeQuote", "deliveryAddress");

export const meta: MetaFunction = () => [{ title: "MOB to USDT · Antelope" }];

export default function MobToUsdt() {
  return <DirectionScreen data={useLoaderData<typeof loader>()} result={useActionResult<typeof action>()} />;
}

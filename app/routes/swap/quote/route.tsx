import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, useLoaderData } from "@remix-run/react";
import { useEffect } from "react";
import { tolerateTranslatedNodes } from "~/browser/tolerate-translated-nodes";
import { plainNumberStyle } from "~/lib/number-style";
import type { RootData } from "~/loaded-data/root-data";
import { useActionResult } from "~/loaded-data/use-action-result";
import { cachedLoader, invalidates } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { action } from "./action.server";
import { loadQuote, type QuotePageData } from "./loader.server";
import { QuoteScreen } from "./open-quote/quote-screen";
import { OrderScreen } from "./order/order-screen";
import { reloadIfNewer } from "./order/reload-if-newer";
import { toTabTitle } from "./order/shown-state";
import { toSituation } from "./order/situation";

export const loader = (args: LoaderFunctionArgs) => loadQuote(args);

export { action };

const loadCached = cachedLoader("routes/swap/quote/route", ["quote", "fundingAddress", "deliveryAddress"]);

export const clientLoader = async (args: ClientLoaderFunctionArgs) =>
  reloadIfNewer((await loadCached(args)) as QuotePageData);

export const shouldRevalidate = revalidationPolicy;

export const clientAction = invalidates("quote", "activeQuote", "fundingAddress", "swaps");

export const meta: MetaFunction<typeof loader> = ({ data, matches }) => {
  if (data?.kind !== "order") return [{ title: "Your price · Antelope" }];
  const { order, nowMs } = data;
  const root = matches.find(({ id }) => id === "root")?.data as RootData | undefined;
  // Only the page itself knows of a payment under way, so it sets the title again.
  const situation = toSituation(order, data, nowMs, { underWay: null, ended: null });
  return [{ title: toTabTitle(order, situation, root?.locale.numbers ?? plainNumberStyle) }];
};

export default function QuotePage() {
  const data = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  useEffect(() => tolerateTranslatedNodes(Node.prototype), []);
  return data.kind === "order" ? (
    <OrderScreen key={data.order.id} data={data} result={result} />
  ) : (
    <QuoteScreen data={data} result={result} />
  );
}

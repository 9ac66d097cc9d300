import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { orNullIfUnavailable } from "~/api/errors";
import { RefreshScripts } from "~/components/refresh/refresh-scripts";
import { PageEnd } from "~/components/shell/page-end";
import { withoutScripts } from "~/components/shell/use-scripts";
import { createPublicClient } from "~/exchange-binding/exchange-client.server";
import { readLocale } from "~/lib/read-locale.server";
import { markIncomplete } from "~/session/responses.server";
import chartScript from "./chart-reader.js?url";
import { RatesPage, RatesUnavailable } from "./rates-page";
import * as styles from "./rates-page.css";
import { parseRange, toRatesView } from "./rates-view";
import refreshScript from "./refresh.js?url";

// Signed-out visitors get this page from memory: server/public-page-request.server.ts.
/**
 * R02: public and outside the layout. It doesn't read the session, so the page is the same for everyone. If the
 * exchange doesn't respond the page says so instead of failing, because it may be on display unattended.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { request } = args;
  const range = parseRange(new URL(request.url).searchParams);
  const api = createPublicClient(args);
  const found = await orNullIfUnavailable(Promise.all([api.getRates(range), api.getStatus()]));
  if (found === null) {
    markIncomplete(args);
    return { range, view: null };
  }
  const [rates, status] = found;
  return { range, view: toRatesView(rates, status, range, readLocale(request.headers).numbers) };
}

/** The page's only scripts are fetch-page.js, refresh.js and chart-reader.js. */
export const handle = withoutScripts;

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const price = data?.view?.price;
  return [
    { title: price ? `1 MOB = ${price.mobUsdt} USDT · Antelope` : "Rates · Antelope" },
    { name: "description", content: "Live MOB and USDT rates, with price history, limits, fees and system status." },
  ];
};

export default function Rates() {
  const { range, view } = useLoaderData<typeof loader>();
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content="15" />
      </noscript>
      <main className={styles.page}>
        {view ? <RatesPage view={view} range={range} /> : <RatesUnavailable range={range} />}
      </main>
      <PageEnd />
      <RefreshScripts seconds={5} statuses={[200]} script={refreshScript} />
      <script src={chartScript} type="module" />
    </>
  );
}

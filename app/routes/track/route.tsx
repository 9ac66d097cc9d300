import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { isApiError, isUnavailable } from "~/api/errors";
import { ErrorPage } from "~/components/errors/error-page";
import { RefreshScripts } from "~/components/refresh/refresh-scripts";
import { PageShell } from "~/components/shell/page-shell";
import { withoutScripts } from "~/components/shell/use-scripts";
import { createPublicClient } from "~/exchange-binding/exchange-client.server";
import { paths } from "~/lib/paths";
import { isSettled } from "~/swaps/order-sums";
import refreshScript from "./refresh.js?url";
import { TrackedSwap } from "./tracked-swap";

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * What a tracking link shows. It doesn't read the session, so it is the same for everyone. An unknown, revoked or
 * mistyped link gives the same 404. If the exchange doesn't respond, the page says so instead of failing: an error
 * screen would be sent without the headers below, and would not load itself again.
 */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const api = createPublicClient({ request, context });
  const { token = "" } = params;
  if (!tokenPattern.test(token)) return data({ order: null }, { status: 404 });
  try {
    return data({ order: await api.getTrackedOrder(token) });
  } catch (error) {
    if (isApiError(error, 404)) return data({ order: null }, { status: 404 });
    if (isApiError(error)) return data({ order: "unavailable" as const }, { status: error.status });
    if (isUnavailable(error)) return data({ order: "unavailable" as const }, { status: 503 });
    throw error;
  }
}

/** The address is a secret: no cache, search engine or other site may learn it. */
export const headers = () => ({
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
});

/** The page's only scripts are fetch-page.js and refresh.js. */
export const handle = withoutScripts;

export const meta: MetaFunction = () => [
  { title: "Follow a swap · Antelope" },
  { name: "robots", content: "noindex, nofollow" },
];

/** Outside the layout: its header would show the visitor's account, and has a form, which needs a referrer. */
export default function Track() {
  const { order } = useLoaderData<typeof loader>();
  const isStopped = useSearchParams()[0].get("updates") === "off";
  const isUpdated =
    order === "unavailable" || (order !== null && !isSettled(order.status, order.transactions) && !isStopped);
  return (
    <PageShell user={null}>
      {order === null ? (
        <NoSuchLink />
      ) : order === "unavailable" ? (
        <Unavailable />
      ) : (
        <TrackedSwap order={order} isStopped={isStopped} />
      )}
      {isUpdated ? (
        <>
          <noscript>
            <meta httpEquiv="refresh" content="15" />
          </noscript>
          <RefreshScripts seconds={15} statuses={[200, 404]} script={refreshScript} />
        </>
      ) : null}
    </PageShell>
  );
}

function Unavailable() {
  return (
    <ErrorPage title="We can't show this swap right now">
      <p>Our exchange isn't responding. This page retries automatically.</p>
    </ErrorPage>
  );
}

function NoSuchLink() {
  return (
    <ErrorPage title="This link doesn't work">
      <p>It was turned off, or part of it is missing. Ask the person who sent it to you for a new one.</p>
      <p>
        <a href={paths.help}>Help</a>
      </p>
    </ErrorPage>
  );
}

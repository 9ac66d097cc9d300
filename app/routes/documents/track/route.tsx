import { data, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useLoaderData, useSearchParams } from "@remix-run/react";
import { isApiError } from "~/api/errors";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Narrow } from "~/components/shell/layouts";
import { PageShell } from "~/components/shell/page-shell";
import { withoutScripts } from "~/components/shell/use-scripts";
import { createPublicClient } from "~/exchange-binding/exchange-client.server";
import { isFinal } from "~/lib/order-states";
import { paths } from "~/lib/paths";
import { throwAsHttpError } from "~/session/responses.server";
import { Card } from "~/ui/card";
import { EmptyState } from "~/ui/empty-state";
import refreshScript from "./refresh.js?url";
import { TrackedSwap } from "./tracked-swap";

const tokenPattern = /^[A-Za-z0-9_-]{43}$/;

/**
 * What a tracking link shows. It doesn't read the session, so it is the same for everyone. An unknown, revoked or
 * mistyped link gives the same 404.
 */
export async function loader({ params, context }: LoaderFunctionArgs) {
  const api = createPublicClient({ context });
  const { token = "" } = params;
  if (!tokenPattern.test(token)) return data({ order: null }, { status: 404 });
  const order = await api.getTrackedOrder(token).catch((error: unknown) => {
    return isApiError(error, 404) ? null : throwAsHttpError(error);
  });
  return order === null ? data({ order }, { status: 404 }) : data({ order });
}

/** The address is a secret: no cache, search engine or other site may learn it. */
export const headers = () => ({
  "Cache-Control": "private, no-store",
  "Referrer-Policy": "no-referrer",
  "X-Robots-Tag": "noindex, nofollow",
});

/** refresh.js is the page's only script. */
export const handle = withoutScripts;

export const meta: MetaFunction = () => [
  { title: "Follow a swap · Antelope" },
  { name: "robots", content: "noindex, nofollow" },
];

/** Outside the layout, whose header would name the visitor's account and has a form, which needs a referrer. */
export default function Track() {
  const { order } = useLoaderData<typeof loader>();
  const isStopped = useSearchParams()[0].get("updates") === "off";
  return (
    <PageShell user={null}>
      {order === null ? <NoSuchLink /> : <TrackedSwap order={order} isStopped={isStopped} />}
      {order === null || isFinal(order.status) || isStopped ? null : (
        <>
          <noscript>
            <meta httpEquiv="refresh" content="15" />
          </noscript>
          <script src={refreshScript} type="module" />
        </>
      )}
    </PageShell>
  );
}

function NoSuchLink() {
  return (
    <Narrow>
      <Card as="div">
        <EmptyState
          illustration={<LookingAntelope />}
          heading="h1"
          title="This link doesn't work"
          action={<a href={paths.help}>Help</a>}
        >
          <p>It was turned off, or part of it is missing. Ask the person who sent it to you for a new one.</p>
        </EmptyState>
      </Card>
    </Narrow>
  );
}

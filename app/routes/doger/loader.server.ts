import type { LoaderFunctionArgs } from "@remix-run/node";
import { isApiError, orNullIfUnavailable, orNullIfUnknown } from "~/api/errors";
import { listOpenVersions } from "~/content/consent.server";
import { replaceWith, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { toDeviceLabel } from "./account/device-label";
import { countOrders, toOrderCount } from "./activity/count-orders";
import { toFilteredPath } from "./activity/filters";
import { toOrderRow } from "./activity/order-row";
import { readFilters } from "./activity/read-filters.server";

const pageSize = 20;

/** A NUL in the cursor would make the whole request unreadable (400). */
const isRefusedCursor = (error: unknown) => isApiError(error, 422) || isApiError(error, 400);

/** One page of the swaps that match the URL's filters, the totals of all swaps, and the account's settings. */
export async function loadActivityAndAccount(args: LoaderFunctionArgs) {
  const { api } = await getScope(args);
  const cursor = new URL(args.request.url).searchParams.get("cursor") || undefined;
  const { filters, errors, query } = readFilters(args.request);
  const orders = api.listOrders({ limit: pageSize, cursor, count: "true", ...query }).catch(async (error: unknown) => {
    // An invalid cursor is dropped, like any invalid search param.
    if (cursor !== undefined && isRefusedCursor(error)) throw await replaceWith(args, toFilteredPath(filters));
    throw error;
  });
  const lists = [
    api.listPasskeys(),
    api.listSessions(),
    orNullIfUnknown(api.listPriceAlerts()),
    orNullIfUnknown(api.getMailPreferences()),
    orNullIfUnknown(api.listConsents()),
  ] as const;
  // Used only for approximate values, and for the badges of swaps that need a decision.
  const current = orNullIfUnavailable(api.getRates("1h"));
  const [page, published, passkeys, sessions, alerts, mails, accepted] = await unwrapOrThrow(
    Promise.all([orders, current, ...lists]),
  );
  const count = page.count ? toOrderCount(page.count) : await unwrapOrThrow(countOrders(api));
  const nowMs = Date.now();
  return {
    orders: page.items.map((order) => toOrderRow(order, published, nowMs)),
    next: page.next,
    newest: cursor === undefined,
    count,
    rates: published?.rates ?? null,
    /** The rate that price alerts are compared with, without the spread of `rates`. */
    alertRate: (published?.rates && published.history.at(-1)?.rate) ?? null,
    filters,
    errors,
    passkeys,
    alerts,
    mails,
    consents: accepted && { open: listOpenVersions(accepted), accepted },
    sessions: sessions.map(({ user_agent, ...session }) => ({ ...session, device: toDeviceLabel(user_agent) })),
  };
}

import type { LoaderFunctionArgs } from "@remix-run/node";
import type { DeliveryAddress } from "~/api/contract";
import { listOpenVersions } from "~/content/consent.server";
import { readPauseReason } from "~/exchange-binding/pause-reason.server";
import { type AssetSymbol, otherAsset } from "~/lib/assets";
import { readCalculatorForm, toCalculatedPath } from "~/lib/calculation";
import { isOpen } from "~/lib/order-states";
import { readLocale } from "~/lib/read-locale.server";
import { toSparkline } from "~/lib/sparkline";
import { requireVisited, withGuard } from "~/session/guards.server";
import { redirectTo, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { toAddressOptions } from "~/swaps/saved-address";
import { readFlipped } from "./flipped-path";

const shownOrders = 5;
const recentOrders = 3;

/** R06, R07: the start page. Open swaps come first. */
export async function loadStartPage(args: LoaderFunctionArgs) {
  const params = new URL(args.request.url).searchParams;
  const { numbers } = readLocale(args.request.headers);
  const wanted = readCalculatorForm(params);
  if (wanted) {
    await requireVisited(args);
    throw await redirectTo(args, toCalculatedPath(wanted, numbers));
  }
  const scope = await getScope(args);
  const { api } = scope;
  const [user, [{ history, ...rates }, active, open, completed, addresses, accepted, pauseReason]] = await withGuard(
    args,
    requireVisited,
    () =>
      Promise.all([
        unwrapOrThrow(api.getRates("24h")),
        unwrapOrThrow(api.getActiveQuote()),
        unwrapOrThrow(api.listOrders({ limit: shownOrders, state: "active" })),
        unwrapOrThrow(api.listOrders({ limit: recentOrders, state: "completed" })),
        unwrapOrThrow(api.listAddresses()),
        // Optional: only the note about changed documents needs it.
        api.listConsents().catch(() => []),
        readPauseReason(scope),
      ]),
  );
  return {
    user,
    nowMs: Date.now(),
    rates,
    pauseReason,
    chart: toSparkline(history),
    calculation: readFlipped(params, numbers),
    /** The addresses for a swap of each asset. */
    suggested: { USDT: suggest(addresses, "USDT"), MOB: suggest(addresses, "MOB") },
    openQuote: active?.status === "open" ? active : null,
    // Servers that do not support the filter return all swaps.
    orders: open.items.filter(({ status }) => isOpen(status)),
    recent: completed.items.filter(({ status }) => status === "completed"),
    addressCount: addresses.length,
    changedDocuments: accepted.length > 0 ? listOpenVersions(accepted) : [],
  };
}

function suggest(addresses: readonly DeliveryAddress[], source: AssetSymbol) {
  const unasked = { delivery: null, refund: null, added: null };
  const { delivery, refund } = toAddressOptions(addresses, { source, target: otherAsset(source) }, unasked);
  return { delivery: delivery.chosen, refund: refund.chosen };
}

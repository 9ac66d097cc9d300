import type { LoaderFunctionArgs } from "@remix-run/node";
import { chooseAddress, toSavedAddresses } from "~/components/addresses/saved-address";
import { getConfig } from "~/config/config.server";
import { toFieldText } from "~/lib/amount-input";
import { type AssetSymbol, assets, otherAsset } from "~/lib/assets";
import { readLocale } from "~/lib/read-locale.server";
import { requireApprovedUser, withGuard } from "~/session/guards.server";
import { unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { requireBothAssets } from "./assets.server";
import { readTypedSearch, toFirstAmount } from "./typed-swap.server";

/** R08, R09: the user, both assets, and what the swap form needs: rates, addresses, amounts from the URL. */
export async function loadDirection(args: LoaderFunctionArgs, source: AssetSymbol) {
  const scope = await getScope(args);
  const target = otherAsset(source);
  const [user, [both, { history: _, ...rates }, saved]] = await withGuard(args, requireApprovedUser, () =>
    Promise.all([
      requireBothAssets(scope),
      unwrapOrThrow(scope.api.getRates("1h")),
      unwrapOrThrow(scope.api.listAddresses()),
    ]),
  );
  const typed = readTypedSearch(new URL(args.request.url).searchParams);
  const delivery = toSavedAddresses(saved, assets[target].addressType);
  const refund = toSavedAddresses(saved, assets[source].addressType);
  const { numbers } = readLocale(args.request.headers);
  return {
    user,
    sourceAsset: both[source],
    targetAsset: both[target],
    rates,
    sandbox: getConfig().hasSandbox,
    walletRpc: getConfig().walletRpc,
    ensNames: getConfig().exchange.ensRpcUrl !== null,
    typed: {
      side: typed.side,
      text: toFieldText(
        typed.text || (typed.side === "source" ? toFirstAmount({ source, target }, rates) : ""),
        numbers,
      ),
    },
    delivery: { addresses: delivery, chosen: chooseAddress(delivery, typed.delivery, typed.added) },
    refund: { addresses: refund, chosen: chooseAddress(refund, typed.refund, typed.added) },
  };
}

export type DirectionData = Awaited<ReturnType<typeof loadDirection>>;

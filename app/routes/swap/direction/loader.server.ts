import type { LoaderFunctionArgs } from "@remix-run/node";
import { readPauseReason } from "~/exchange-binding/pause-reason.server";
import { toFieldText } from "~/lib/amount-input";
import { type AssetSymbol, otherAsset } from "~/lib/assets";
import { readLocale } from "~/lib/read-locale.server";
import { dropRedirect, requireApprovedUser, withGuard } from "~/session/guards.server";
import { unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { toAddressOptions } from "~/swaps/saved-address";
import { readAddressSettings } from "../address-entry/address-settings.server";
import { readTypedSearch } from "../address-entry/typed-search.server";
import { requireBothAssets } from "./assets.server";
import { toFirstAmount } from "./first-amount.server";

/** R08, R09: the user, both assets, and what the swap form needs: rates, whether swaps are paused, addresses, amounts from the URL. */
export async function loadDirection(args: LoaderFunctionArgs, source: AssetSymbol) {
  const scope = await getScope(args);
  const target = otherAsset(source);
  const [user, [both, rates, saved, pauseReason]] = await withGuard(args, requireApprovedUser, () =>
    Promise.all([
      requireBothAssets(scope),
      unwrapOrThrow(scope.api.getCurrentRates()),
      unwrapOrThrow(scope.api.listAddresses()),
      readPauseReason(scope),
    ]),
  );
  await dropRedirect(args);
  const typed = readTypedSearch(new URL(args.request.url).searchParams);
  const { numbers } = readLocale(args.request.headers);
  return {
    user,
    sourceAsset: both[source],
    targetAsset: both[target],
    rates,
    pauseReason,
    settings: readAddressSettings(),
    typed: {
      side: typed.side,
      text: toFieldText(
        typed.text || (typed.side === "source" ? toFirstAmount({ source, target }, rates) : ""),
        numbers,
      ),
    },
    ...toAddressOptions(saved, { source, target }, typed),
  };
}

export type DirectionData = Awaited<ReturnType<typeof loadDirection>>;

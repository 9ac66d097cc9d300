import type { Asset } from "~/api/contract";
import { isApiError } from "~/api/errors";
import type { AssetSymbol } from "~/lib/assets";
import { errorTexts } from "~/lib/error-catalogue";
import { raise } from "~/session/responses.server";
import type { RequestScope } from "~/session/scope.server";
import { toAssetsErrorText } from "~/session/user-error";

/** R09, V04: both assets, matched by their symbols. Raises E02 where the list cannot be had, E04 where one is missing. */
export async function requireBothAssets(scope: RequestScope): Promise<Record<AssetSymbol, Asset>> {
  let list: Asset[];
  try {
    list = await scope.api.getAssets();
  } catch (error) {
    return raise(toAssetsErrorText(error), isApiError(error) ? error.status : 503);
  }
  const USDT = list.find(({ symbol }) => symbol === "USDT");
  const MOB = list.find(({ symbol }) => symbol === "MOB");
  if (!USDT || !MOB) return raise(errorTexts.assetsNotFound, 503);
  return { USDT, MOB };
}

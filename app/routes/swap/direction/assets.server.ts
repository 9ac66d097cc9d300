import type { Asset } from "~/api/contract";
import type { AssetSymbol } from "~/lib/assets";
import * as errorTexts from "~/lib/error-catalogue";
import { throwHttpError, toPageStatus } from "~/session/responses.server";
import type { RequestScope } from "~/session/scope.server";
import { toAssetsErrorText } from "~/session/user-error";

/** R09, V04: both assets by symbol. @throws E02 if the list cannot be fetched, E04 if one is missing */
export async function requireBothAssets(scope: RequestScope): Promise<Record<AssetSymbol, Asset>> {
  let list: Asset[];
  try {
    list = await scope.api.getAssets();
  } catch (error) {
    return throwHttpError(toAssetsErrorText(error), toPageStatus(error));
  }
  const USDT = list.find(({ symbol }) => symbol === "USDT");
  const MOB = list.find(({ symbol }) => symbol === "MOB");
  if (!USDT || !MOB) return throwHttpError(errorTexts.assetsNotFound, 503);
  return { USDT, MOB };
}

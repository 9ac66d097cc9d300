import { ApiError, ApiUnreachableError } from "~/api/errors";
import { assets } from "~/lib/assets";
import * as errorTexts from "~/lib/error-catalogue";
import { throwHttpError, toPageStatus } from "~/session/responses.server";
import type { RequestScope } from "~/session/scope.server";

/** R09, V04: both assets by symbol. @throws E02 if the list cannot be fetched, E04 if one is missing */
export async function requireBothAssets(scope: RequestScope): Promise<typeof assets> {
  let list: { symbol: string }[];
  try {
    list = await scope.api.getAssets();
  } catch (error) {
    return throwHttpError(toAssetsErrorText(error), toPageStatus(error));
  }
  const isListed = ({ symbol }: { symbol: string }) => list.some((asset) => asset.symbol === symbol);
  return Object.values(assets).every(isListed) ? assets : throwHttpError(errorTexts.assetsNotFound, 503);
}

/** E02: the server's message or one per kind of failure. */
export function toAssetsErrorText(error: unknown): string {
  if (error instanceof ApiError) return error.detailMessage ?? errorTexts.assetsFallback;
  if (error instanceof ApiUnreachableError) return errorTexts.assetsFallback;
  return errorTexts.unknown;
}

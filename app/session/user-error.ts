import { ApiError, ApiUnreachableError } from "../api/errors";
import { errorTexts } from "../lib/error-catalogue";

/** E01 in words: 401 and 403 have their own, then the server's, then one for each kind of failure. */
export function toUserErrorText(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) return errorTexts.userTokenExpired;
    if (error.status === 403) return errorTexts.userUnauthorized;
    return error.detailMessage ?? errorTexts.userFallback;
  }
  if (error instanceof ApiUnreachableError) return errorTexts.userFetchFailed;
  return errorTexts.unknown;
}

/** E02 in words. */
export function toAssetsErrorText(error: unknown): string {
  if (error instanceof ApiError) return error.detailMessage ?? errorTexts.assetsFallback;
  if (error instanceof ApiUnreachableError) return errorTexts.assetsFallback;
  return errorTexts.unknown;
}

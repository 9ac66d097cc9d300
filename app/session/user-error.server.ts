import { ApiError, ApiUnreachableError } from "../api/errors";
import * as errorTexts from "../lib/error-catalogue";

/** E01: a fixed text for 401 and 403, otherwise the server's message or one per kind of failure. */
export function toUserErrorText(error: unknown): string {
  if (error instanceof ApiError) {
    if (error.status === 401) return errorTexts.userTokenExpired;
    if (error.status === 403) return errorTexts.userUnauthorized;
    return error.detailMessage ?? errorTexts.userFallback;
  }
  if (error instanceof ApiUnreachableError) return errorTexts.userFetchFailed;
  return errorTexts.unknown;
}

import { ApiError, ApiUnreachableError } from "~/api/errors";
import { type Calculation, readCalculatedPath } from "~/components/price/calculator-target";
import { toSparkline } from "~/components/price/sparkline";
import { readLocale } from "~/lib/locale";
import type { RequestScope } from "~/session/scope.server";

/**
 * The price calculator for a visitor who is not signed in, at the amount that `redirect` leads to. Null if it leads
 * somewhere else than to a swap, or if the exchange doesn't respond: signing in must work without prices.
 */
export async function loadPrice(scope: RequestScope, headers: Headers, redirect: string | null) {
  const calculation: Calculation | null = readCalculatedPath(redirect, readLocale(headers).numbers);
  if (!calculation || scope.isSignedIn || scope.getChallenge("email")) return null;
  try {
    const { history, ...rates } = await scope.api.getRates("24h");
    return { calculation, rates, chart: toSparkline(history) };
  } catch (error) {
    if (error instanceof ApiError || error instanceof ApiUnreachableError) return null;
    throw error;
  }
}

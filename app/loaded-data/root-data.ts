import { useRouteLoaderData } from "@remix-run/react";
import { hourMs, minuteMs } from "~/lib/durations";
import type { Locale } from "~/lib/locale";
import type { Currency } from "~/lib/worth";

/** Settings that appear in texts on the pages. */
export type SiteTerms = {
  /** Null if the operator has set none. */
  supportEmail: string | null;
  codeTtlMs: number;
  decisionTtlMs: number;
  recoveryHoldMs: number;
  overpaidToleranceBps: number;
};

/** The part of the root loader's data that components need. */
export type RootData = {
  locale: Locale;
  /** The money is not real (EXCHANGE_MODE=sandbox). */
  isPlayMoney: boolean;
  /** This site has the page /sandbox and its test wallets. False if another server runs the exchange (API_URL). */
  hasSandbox: boolean;
  /** The most that the sandbox's faucet gives at a time, as decimal strings. Null without a sandbox. */
  faucetMax: { ETH: string; USDT: string } | null;
  terms: SiteTerms;
  /** The currency for approximate values. Null: show none. */
  currency: Currency | null;
};

/**
 * The defaults of these settings, for the error screen of the root, when its loader failed, and for tests of single
 * components. Browsers do not load the settings, so these are copies; a test checks that they are equal.
 */
export const usualTerms: SiteTerms = {
  supportEmail: null,
  codeTtlMs: 10 * minuteMs,
  decisionTtlMs: 72 * hourMs,
  recoveryHoldMs: 24 * hourMs,
  overpaidToleranceBps: 200,
};

export function useSiteTerms(): SiteTerms {
  return useRootData()?.terms ?? usualTerms;
}

export function useHasSandbox(): boolean {
  return useRootData()?.hasSandbox ?? false;
}

/** Undefined if the root loader failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<RootData>("root");
}

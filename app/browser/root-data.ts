import { useRouteLoaderData } from "@remix-run/react";
import type { Locale } from "~/lib/locale";

/** The part of the root loader's data that components need. */
export type RootData = { locale: Locale; sandbox: boolean };

/** Undefined if the root loader failed. */
export function useRootData(): RootData | undefined {
  return useRouteLoaderData<RootData>("root");
}

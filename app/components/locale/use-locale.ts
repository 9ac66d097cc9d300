import { useRouteLoaderData } from "@remix-run/react";
import { type Locale, plainLocale } from "~/lib/locale";

/** How this visitor writes numbers and times; the root's loader reads it from the request. */
export function useLocale(): Locale {
  return useRouteLoaderData<{ locale?: Locale }>("root")?.locale ?? plainLocale;
}

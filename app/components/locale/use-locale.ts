import { type Locale, plainLocale } from "~/lib/locale";
import { useRootData } from "~/loaded-data/root-data";

/** The visitor's formats for numbers and times, which the root loader reads from the request. */
export function useLocale(): Locale {
  return useRootData()?.locale ?? plainLocale;
}

import { z } from "zod";
import type { OrderFilters } from "~/api/contract";
import { toDayStart, toNextDay } from "~/lib/days";
import { longestSearch, orderGroupNames, shortestSearch } from "~/lib/order-filters";
import { readLocale } from "~/lib/read-locale.server";
import { directions, type FilterErrors, type Filters } from "./filters";

const day = z
  .string()
  .date()
  // The day after 9999-12-31 cannot be written in this form.
  .refine((text) => text >= "2000-01-01" && text < "9999-12-31")
  .nullable()
  .catch(null);

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are refused
const hasNoControls = (text: string) => !/[\u0000-\u001f\u007f]/.test(text);

/** Invalid values count as absent, as in all search params. */
const schema = z.object({
  q: z.string().trim().max(longestSearch).refine(hasNoControls).catch(""),
  state: z.enum(orderGroupNames).nullable().catch(null),
  direction: z.enum(directions).nullable().catch(null),
  since: day,
  until: day,
});

type ReadFilters = {
  filters: Filters;
  /** Errors to show beside fields. */
  errors: FilterErrors;
  /** The filters for the exchange, without those that have an error. */
  query: OrderFilters;
};

/** Reads the filters of the activity page and of its CSV file from a request's URL. */
export function readFilters(request: Request): ReadFilters {
  const filters = schema.parse(Object.fromEntries(new URL(request.url).searchParams));
  const errors = findErrors(filters);
  const { timeZone } = readLocale(request.headers);
  const { q, state, direction, since, until } = filters;
  const query = {
    ...(q !== "" && !errors.q && { search: q }),
    ...(state && { state }),
    ...(direction && { source_asset_symbol: direction === "usdt-to-mob" ? "USDT" : "MOB" }),
    ...(since && { created_from: toDayStart(since, timeZone).toISOString() }),
    ...(until && !errors.until && { created_before: toDayStart(toNextDay(until), timeZone).toISOString() }),
  } as const satisfies OrderFilters;
  return { filters, errors, query };
}

function findErrors({ q, since, until }: Filters): FilterErrors {
  return {
    ...(q !== "" &&
      q.length < shortestSearch && {
        q: `Enter at least ${shortestSearch} characters, or a full swap number.`,
      }),
    ...(since && until && until < since && { until: "The last day must not be before the first day." }),
  };
}

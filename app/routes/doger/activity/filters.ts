import type { OrderGroup } from "~/lib/order-filters";
import { paths, withParams } from "~/lib/paths";

export const directions = ["usdt-to-mob", "mob-to-usdt"] as const;

/** What the URL of the activity page filters by, as the form shows it. Null and "" are no filter. */
export type Filters = {
  q: string;
  state: OrderGroup | null;
  direction: (typeof directions)[number] | null;
  /** Days such as "2026-01-31", in the visitor's time zone. Both are included. */
  since: string | null;
  until: string | null;
};

export type FilterErrors = Partial<Record<keyof Filters, string>>;

export function isFiltered(filters: Filters): boolean {
  return Object.values(filters).some(Boolean);
}

/** The page of the swaps that match, or the file with all of them. */
export function toFilteredPath(filters: Filters, { cursor, isFile }: { cursor?: string; isFile?: boolean } = {}) {
  const params = { ...filters, q: filters.q === "" ? null : filters.q, cursor };
  return withParams(isFile ? `${paths.doger}/export.csv` : paths.doger, params);
}

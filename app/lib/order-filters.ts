/** The filters for a customer's swaps, shared by the exchange and the activity page. */
import { type OrderStatus, openStatuses } from "./order-states";

/** Groups of states. An order that needs a decision is also in progress. */
export const orderGroups = {
  active: openStatuses,
  needs_decision: ["needs_decision"],
  completed: ["completed"],
  refunded: ["refunded"],
  unpaid: ["expired", "cancelled"],
} as const satisfies Record<string, readonly OrderStatus[]>;
export type OrderGroup = keyof typeof orderGroups;
export const orderGroupNames = Object.keys(orderGroups) as [OrderGroup, ...OrderGroup[]];

/** A search matches the beginnings of hashes and addresses. Shorter texts would match too many. */
export const shortestSearch = 6;
/** Longer than any address. */
export const longestSearch = 512;

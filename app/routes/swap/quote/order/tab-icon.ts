import type { Order } from "~/api/contract";
import { markPaths, mirror } from "~/components/brand/mark";
import type { OrderStatus } from "~/lib/order-states";
import { tabIconColors } from "~/styles/tab-icon";
import { toProgress, toShownStatus } from "~/swaps/order-sums";

type Appearance = {
  /** Progress from 0 to 1: the tile fills from the bottom and the horns rise. */
  level: number;
  tone?: "moving" | "done" | "stuck";
};

/** Null: nothing is in progress, so the tab shows the plain icon. */
const appearances: Record<OrderStatus, Appearance | null> = {
  awaiting_deposit: { level: 0 },
  confirming: { level: 0.25 },
  needs_decision: { level: 1, tone: "stuck" },
  paying_out: { level: 0.85 },
  completed: { level: 1, tone: "done" },
  refunding: { level: 0.85 },
  refunded: null,
  expired: null,
  cancelled: null,
  on_hold: { level: 1, tone: "stuck" },
};

const confirmationsShare = 0.5;
/** In degrees: how far the horns lean back at the start, and how far they cross when the order is stuck. */
const leanAngle = 26;
const crossAngle = 42;

/** The tab icon of an order as a data URI (the CSP's img-src allows them); null for the plain icon. */
export function drawTabIcon(order: Pick<Order, "status" | "incoming_txs" | "outgoing_txs">): string | null {
  const appearance = appearances[toShownStatus(order)];
  if (!appearance) return null;
  const progress = order.status === "confirming" ? toProgress(order) : null;
  const counted = progress ? (confirmationsShare * progress.confirmations) / progress.required : 0;
  return `data:image/svg+xml,${encodeURIComponent(draw({ ...appearance, level: appearance.level + counted }))}`;
}

function draw({ level, tone = "moving" }: Appearance): string {
  const top = Math.round(64 * (1 - level));
  const cross = tone === "stuck" ? crossAngle : 0;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><clipPath id="a"><rect width="64" height="64" rx="15"/></clipPath>' +
    `<g clip-path="url(#a)"><path fill="${tabIconColors.waiting}" d="M0 0h64v64H0z"/><path fill="${tabIconColors[tone]}" d="M0 ${top}h64v64H0z"/></g>` +
    `<g fill="${tabIconColors.mark}" transform="translate(11.2 3.8) scale(1.04 1.02)"><g transform="rotate(${Math.round(leanAngle * (level - 1))} 20 27)">` +
    `<path d="${markPaths.leftHorn}" transform="rotate(${cross} 15 27)"/><path d="${markPaths.leftHorn}" transform="rotate(${-cross} 25 27) ${mirror}"/></g>` +
    `<path d="${markPaths.leftEar}"/><path d="${markPaths.leftEar}" transform="${mirror}"/><path d="${markPaths.face}"/></g></svg>`
  );
}

import type { Order } from "~/api/contract";
import { markPaths } from "~/components/brand/mark";
import type { OrderStatus } from "~/lib/order-states";
import { tabIconColors } from "~/styles/tab-icon";
import { toProgress } from "./order-sums";

type Look = {
  /** How far it is, from 0 to 1: the tile fills from its foot and the horns rise. */
  level: number;
  tone?: "moving" | "done" | "stuck";
};

/** Null: nothing is under way, so the tab shows the plain mark. */
const looks: Record<OrderStatus, Look | null> = {
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
/** Degrees: how far the horns lie at the start, and how far they cross where somebody has to decide. */
const lean = 26;
const crossing = 42;

/** The mark as the tab of an order shows it, as a data URI (img-src allows them); null where it is the plain one. */
export function drawTabIcon(order: Pick<Order, "status" | "incoming_txs">): string | null {
  const look = looks[order.status];
  if (!look) return null;
  const progress = order.status === "confirming" ? toProgress(order) : null;
  const counted = progress ? (confirmationsShare * progress.confirmations) / progress.required : 0;
  return `data:image/svg+xml,${encodeURIComponent(draw({ ...look, level: look.level + counted }))}`;
}

function draw({ level, tone = "moving" }: Look): string {
  const top = Math.round(64 * (1 - level));
  const cross = tone === "stuck" ? crossing : 0;
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><clipPath id="a"><rect width="64" height="64" rx="15"/></clipPath>' +
    `<g clip-path="url(#a)"><path fill="${tabIconColors.waiting}" d="M0 0h64v64H0z"/><path fill="${tabIconColors[tone]}" d="M0 ${top}h64v64H0z"/></g>` +
    `<g fill="${tabIconColors.mark}" transform="translate(11.2 3.8) scale(1.04 1.02)"><g transform="rotate(${Math.round(lean * (level - 1))} 20 27)">` +
    `<path d="${markPaths.leftHorn}" transform="rotate(${cross} 15 27)"/><path d="${markPaths.rightHorn}" transform="rotate(${-cross} 25 27)"/></g>` +
    `<path d="${markPaths.ears}"/><path d="${markPaths.face}"/></g></svg>`
  );
}

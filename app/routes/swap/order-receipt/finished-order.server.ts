import type { LoaderFunctionArgs } from "@remix-run/node";
import type { Order } from "~/api/contract";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { requirePasskey } from "~/session/guards.server";
import { throwNotFound, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";

/**
 * The swap of a receipt. Only completed and refunded swaps have one; any other is not found. Sign-in leads to the list
 * of swaps: the receipt is a file, which would leave the sign-in page open.
 */
export async function requireFinishedOrder(args: LoaderFunctionArgs): Promise<Order> {
  await requirePasskey(args, { redirect: paths.doger });
  const order = await unwrapOrThrow((await getScope(args)).api.getOrder(args.params.orderId ?? ""));
  return order.status === "completed" || order.status === "refunded" ? order : throwNotFound();
}

export function toReceiptName({ quote_id }: Order, extension: "json" | "pdf"): string {
  return `antelope-${toOrderNumber(quote_id)}.${extension}`;
}

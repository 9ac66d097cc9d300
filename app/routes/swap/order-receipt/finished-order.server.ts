import type { LoaderFunctionArgs } from "@remix-run/node";
import type { Order } from "~/api/contract";
import { toOrderNumber } from "~/lib/order-number";
import { paths } from "~/lib/paths";
import { requirePasskey } from "~/session/guards.server";
import { throwNotFound, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { hasReceipt } from "~/swaps/receipt-parts";

/**
 * The swap that a receipt is for. If the swap has no receipt, the response is 404. Sign-in leads to the list of swaps,
 * because the receipt is a file, which would leave the sign-in page open.
 */
export async function requireFinishedOrder(args: LoaderFunctionArgs): Promise<Order> {
  await requirePasskey(args, { redirect: paths.doger });
  const order = await unwrapOrThrow((await getScope(args)).api.getOrder(args.params.orderId ?? ""));
  return hasReceipt(order) ? order : throwNotFound();
}

export function toReceiptName({ quote_id }: Order, extension: "json" | "pdf"): string {
  return `antelope-${toOrderNumber(quote_id)}.${extension}`;
}

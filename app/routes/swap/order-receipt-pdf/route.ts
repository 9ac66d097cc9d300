import type { LoaderFunctionArgs } from "@remix-run/node";
import { getConfig } from "~/config/config.server";
import { toOrderNumber } from "~/lib/order-number";
import { readLocale } from "~/lib/read-locale.server";
import { requirePasskey } from "~/session/guards.server";
import { sendFile, throwNotFound, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { toReceiptText } from "./receipt-text";

/** The receipt of a swap as a PDF file. Only completed and refunded swaps have one. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  await requirePasskey(args);
  const order = await unwrapOrThrow((await getScope(args)).api.getOrder(args.params.orderId ?? ""));
  if (order.status !== "completed" && order.status !== "refunded") return throwNotFound();
  // pdfkit takes 27 MB of memory, so it is loaded with the first receipt.
  const { drawReceipt } = await import("./draw-receipt.server");
  const text = toReceiptText(order, readLocale(args.request.headers), { origin: getConfig().origin, now: new Date() });
  const name = `antelope-${toOrderNumber(order.quote_id)}.pdf`;
  return sendFile(args, await drawReceipt(text), { type: "application/pdf", name });
}

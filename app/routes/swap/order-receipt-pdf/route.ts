import type { LoaderFunctionArgs } from "@remix-run/node";
import { getConfig } from "~/config/config.server";
import { readLocale } from "~/lib/read-locale.server";
import { sendFile } from "~/session/responses.server";
import { requireFinishedOrder, toReceiptName } from "../order-receipt/finished-order.server";
import { toReceiptText } from "./receipt-text";

/** The receipt of a swap as a PDF file. */
export async function loader(args: LoaderFunctionArgs): Promise<Response> {
  const order = await requireFinishedOrder(args);
  // pdfkit takes 27 MB of memory, so it is loaded with the first receipt.
  const { drawReceipt } = await import("./draw-receipt.server");
  const text = toReceiptText(order, readLocale(args.request.headers), { origin: getConfig().origin, now: new Date() });
  return sendFile(args, await drawReceipt(text), { type: "application/pdf", name: toReceiptName(order, "pdf") });
}

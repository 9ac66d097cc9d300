import type { LoaderFunctionArgs } from "@remix-run/node";
import { getConfig } from "~/config/config.server";
import { byteOrderMark, toCsvLine } from "~/lib/csv";
import { toDay } from "~/lib/days";
import { readLocale } from "~/lib/read-locale.server";
import { requirePasskey } from "~/session/guards.server";
import { sendFile, unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { toFilteredPath } from "../activity/filters";
import { readFilters } from "../activity/read-filters.server";
import { exportHeader, toOrderCells } from "./order-cells";

/**
 * The customer's swaps that match the URL's filters, as a CSV file. It is streamed a page at a time. The first page is
 * fetched before the response starts, so that errors get the right status. A later failure aborts the download, so
 * that a truncated file cannot pass for a complete one. Sign-in leads to the page that links to the file: a file would
 * leave the sign-in page open.
 */
export async function loader(args: LoaderFunctionArgs) {
  const { filters, query } = readFilters(args.request);
  await requirePasskey(args, { redirect: toFilteredPath(filters), message: true });
  const scope = await getScope(args);
  const { origin } = getConfig();
  const pages = scope.createStreamingApi().walkOrders(query);
  let page = await unwrapOrThrow(pages.next());
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(byteOrderMark + toCsvLine(exportHeader)));
    },
    async pull(controller) {
      if (page.done) return controller.close();
      controller.enqueue(encoder.encode(page.value.map((order) => toCsvLine(toOrderCells(order, origin))).join("")));
      page = await pages.next();
    },
    async cancel() {
      await pages.return();
    },
  });
  const day = toDay(new Date(), readLocale(args.request.headers).timeZone);
  return sendFile(args, body, { type: "text/csv; charset=utf-8", name: `antelope-swaps-${day}.csv` });
}

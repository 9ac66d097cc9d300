import type { LoaderFunctionArgs } from "@remix-run/node";
import { byteOrderMark, toCsvLine } from "~/components/tally/csv";
import { exportHeader, toOrderCells } from "~/components/tally/order-cells";
import { walkOrders } from "~/components/tally/walk-orders";
import { getConfig } from "~/config.server";
import { requirePasskeyForKyc } from "~/session/guards.server";
import { attached, orRaise } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";

/**
 * Every swap of the account as a file, streamed a page at a time. The first page is asked for
 * before anything is sent, so that a refused session or an exchange that is down is answered
 * as such; a failure after that breaks the download off rather than cut it short unseen.
 */
export async function loader(args: LoaderFunctionArgs) {
  await requirePasskeyForKyc(args);
  const scope = await getScope(args);
  const { origin } = getConfig();
  const pages = walkOrders(scope.api);
  let page = await orRaise(pages.next());
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
  const day = new Date().toISOString().slice(0, 10);
  return attached(
    args,
    new Response(body, {
      headers: {
        "Content-Type": "text/csv; charset=utf-8",
        "Content-Disposition": `attachment; filename="antelope-swaps-${day}.csv"`,
      },
    }),
  );
}

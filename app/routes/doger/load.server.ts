import type { LoaderFunctionArgs } from "@remix-run/node";
import { isApiError } from "~/api/errors";
import { countOrders } from "~/components/tally/count-orders";
import { toDeviceWords } from "~/components/tally/device-words";
import { paths } from "~/lib/paths";
import { orRaise, replaceWith } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";

const pageSize = 20;

/** A page of swaps, the totals over all of them, and what is signed in. */
export async function loadTally(args: LoaderFunctionArgs) {
  const { api } = await getScope(args);
  const cursor = new URL(args.request.url).searchParams.get("cursor") || undefined;
  const orders = api.listOrders({ limit: pageSize, cursor }).catch(async (error: unknown) => {
    // A cursor that is none of ours is dropped, as any search param that does not fit.
    if (cursor !== undefined && isApiError(error, 422)) throw await replaceWith(args, paths.doger);
    throw error;
  });
  const [page, count, passkeys, sessions] = await orRaise(
    Promise.all([orders, countOrders(api), api.listPasskeys(), api.listSessions()]),
  );
  return {
    orders: page.items,
    next: page.next,
    newest: cursor === undefined,
    count,
    passkeys,
    sessions: sessions.map(({ user_agent, ...session }) => ({ ...session, device: toDeviceWords(user_agent) })),
  };
}

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, useLoaderData } from "@remix-run/react";
import { useRef } from "react";
import { ApiError, ApiUnreachableError } from "~/api/errors";
import { createExchangeClient } from "~/api/exchange.server";
import { BigBoard, BoardTop } from "~/components/board/big-board";
import { parseRange, toBoard } from "~/components/board/board";
import * as styles from "~/components/board/board.css";
import { useBoardUpdates } from "~/components/board/use-board-updates";
import { PageEnd } from "~/components/shell/page-end";
import { readLocale } from "~/lib/locale";
import { Badge } from "~/ui/badge";
import { Spinner } from "~/ui/spinner";

/**
 * R02: no guard, outside the layout, and of nobody's account: the session is not even read.
 * An exchange that does not answer is something the board tells, since it hangs on walls.
 */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const range = parseRange(new URL(request.url).searchParams);
  const api = createExchangeClient({ accessToken: () => null, remoteAddress: context?.remoteAddress });
  try {
    const [rates, status] = await Promise.all([api.getRates(range), api.getStatus()]);
    return { range, board: toBoard(rates, status, readLocale(request.headers).numbers) };
  } catch (error) {
    if (error instanceof ApiError || error instanceof ApiUnreachableError) return { range, board: null };
    throw error;
  }
}

/** Where this site itself is out of reach, what was known stays on the wall and is asked for again. */
export async function clientLoader({ request, serverLoader }: ClientLoaderFunctionArgs) {
  try {
    return await serverLoader<typeof loader>();
  } catch (error) {
    if (request.signal.aborted) throw error;
    return { range: parseRange(new URL(request.url).searchParams), board: null };
  }
}

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const price = data?.board?.price;
  return [
    { title: price ? `${price.mobUsdt} USDT a MOB · Antelope` : "The big board · Antelope" },
    { name: "description", content: "The price of MOB in USDT, live, both ways: history, limits, fee and status." },
  ];
};

export default function Vegas() {
  const { range, board } = useLoaderData<typeof clientLoader>();
  const known = useRef(board && { board, range });
  if (board) known.current = { board, range };
  useBoardUpdates();
  return (
    <main className={styles.board}>
      <noscript>
        <meta httpEquiv="refresh" content="15" />
      </noscript>
      {known.current ? (
        <BigBoard {...known.current} lost={board === null} />
      ) : (
        <>
          <BoardTop range={range}>
            <Badge tone="waiting">Out of reach</Badge>
          </BoardTop>
          <div className={styles.silent}>
            <Spinner>The exchange does not answer yet. This board asks again by itself.</Spinner>
          </div>
        </>
      )}
      <PageEnd />
    </main>
  );
}

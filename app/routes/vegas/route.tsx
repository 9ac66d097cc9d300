import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, useLoaderData } from "@remix-run/react";
import { ApiError, ApiUnreachableError } from "~/api/errors";
import { createExchangeClient } from "~/api/exchange.server";
import { BigBoard, SilentBoard } from "~/components/board/big-board";
import { parseRange, toBoard } from "~/components/board/board";
import * as styles from "~/components/board/board.css";
import { PageEnd } from "~/components/shell/page-end";
import { withoutScripts } from "~/components/shell/use-scripts";
import { readLocale } from "~/lib/locale";
import askAgain from "./ask-again.js?url";

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

/** The board is a document of its own: whoever comes to it from a page with scripts leaves them behind. */
export function clientLoader({ request }: ClientLoaderFunctionArgs): Promise<never> {
  window.location.assign(request.url);
  return new Promise(() => undefined);
}

/** It asks again by a small script of its own. */
export const handle = withoutScripts;

export const meta: MetaFunction<typeof loader> = ({ data }) => {
  const price = data?.board?.price;
  return [
    { title: price ? `${price.mobUsdt} USDT a MOB · Antelope` : "The big board · Antelope" },
    { name: "description", content: "The price of MOB in USDT, live, both ways: history, limits, fee and status." },
  ];
};

export default function Vegas() {
  const { range, board } = useLoaderData<typeof loader>();
  return (
    <>
      <noscript>
        <meta httpEquiv="refresh" content="15" />
      </noscript>
      <main className={styles.board}>
        {board ? <BigBoard board={board} range={range} /> : <SilentBoard range={range} />}
      </main>
      <PageEnd />
      <script src={askAgain} type="module" />
    </>
  );
}

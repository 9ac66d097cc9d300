import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Page } from "~/components/shell/arrangements";
import { OrdersCard } from "~/components/tally/orders-card";
import { PasskeysCard } from "~/components/tally/passkeys-card";
import { SessionsCard } from "~/components/tally/sessions-card";
import * as styles from "~/components/tally/tally.css";
import { TotalsCard } from "~/components/tally/totals-card";
import { changing, throughCache } from "~/session/client-cache";
import { requirePasskeyForKyc } from "~/session/guards.server";
import { getScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { readForm, siteAction } from "~/session/site-action.server";
import { act, type TallyResult } from "./act.server";
import { loadTally } from "./load.server";

/** R14: the antelope that keeps your tally. */
export async function loader(args: LoaderFunctionArgs) {
  const { email } = await requirePasskeyForKyc(args);
  return { email, ...(await loadTally(args)) };
}

export const shouldRevalidate = whenItMayHaveChanged;

export const action = siteAction(async (args): Promise<TallyResult> => {
  const { email } = await requirePasskeyForKyc(args);
  const result = await act(await getScope(args), email, await readForm(args.request));
  if (!result) throw new Response(null, { status: 400 });
  return result;
});

export const clientLoader = throughCache("routes/doger/route", "swaps");

export const clientAction = changing("swaps");

export const meta: MetaFunction = () => [{ title: "Your tally · Antelope" }];

export default function Doger() {
  const { email, orders, next, newest, count, passkeys, sessions } = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  return (
    <Page title="Your tally" lede="The antelope counts for you: what came, what went, and who holds a key.">
      {count.orders > 0 ? <TotalsCard count={count} /> : null}
      <OrdersCard orders={orders} next={next} newest={newest} />
      <div className={styles.two}>
        <PasskeysCard passkeys={passkeys} email={email} answer={answer?.about === "passkeys" ? answer : undefined} />
        <SessionsCard sessions={sessions} answer={answer?.about === "sessions" ? answer : undefined} />
      </div>
    </Page>
  );
}

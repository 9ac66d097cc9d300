import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { Link, useLoaderData } from "@remix-run/react";
import { Page } from "~/components/shell/layouts";
import { listCurrencyOptions } from "~/currency/currency.server";
import { useRouteContext } from "~/loaded-data/route-context";
import { useActionResult } from "~/loaded-data/use-action-result";
import { cachedLoader, invalidates } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { requirePasskeyReturningToKyc, withGuard } from "~/session/guards.server";
import { Stack } from "~/ui/layout";
import { visuallyHidden } from "~/ui/visually-hidden.css";
import { CurrencyCard } from "./account/currency-card";
import { DataCard } from "./account/data-card";
import { DeletionCard } from "./account/deletion-card";
import { DocumentsCard } from "./account/documents-card";
import { MailsCard } from "./account/mails-card";
import { PasskeysCard } from "./account/passkeys-card";
import { PriceAlertsCard } from "./account/price-alerts-card";
import { ProfileCard } from "./account/profile-card";
import { SessionsCard } from "./account/sessions-card";
import { type AccountActionResult, type AccountCard, action, type CardResult } from "./action.server";
import { OrdersCard } from "./activity/orders-card";
import { TotalsCard } from "./activity/totals-card";
import * as styles from "./doger.css";
import { loadActivityAndAccount } from "./loader.server";
import { useOutcome } from "./use-outcome";

/** R14: the customer's activity (totals, swaps, export), account (profile, e-mails, passkeys, sessions) and data. */
export async function loader(args: LoaderFunctionArgs) {
  // The exchange looks up the caller once for reads that arrive together.
  const [user, data] = await withGuard(args, requirePasskeyReturningToKyc, () => loadActivityAndAccount(args));
  return { user, currency: listCurrencyOptions(args.request.headers), ...data };
}

export const shouldRevalidate = revalidationPolicy;

export { action };

export const clientLoader = cachedLoader("routes/doger/route", ["swaps"]);

export const clientAction = invalidates("swaps");

export const meta: MetaFunction = () => [{ title: "Activity and account · Antelope" }];

function isAbout<Card extends AccountCard>(result: AccountActionResult, card: Card): result is CardResult<Card> {
  return result.about === card;
}

export default function ActivityAndAccount() {
  const data = useLoaderData<typeof loader>();
  const { orders, next, newest, count, rates, alertRate, filters, errors } = data;
  const { passkeys, sessions, alerts, mails, consents, currency } = data;
  const result: AccountActionResult | undefined = useActionResult<typeof action>();
  const resultOf = <Card extends AccountCard>(card: Card) => (result && isAbout(result, card) ? result : undefined);
  // The links keep the filters. The router scrolls to a fragment only after its own navigations.
  const { isCurrencySaved, dataRefusal, search } = useOutcome();
  // The layout loads the user more often than this page's data, but does not have one if its call failed.
  const user = useRouteContext().user ?? data.user;
  return (
    <Page title="Activity and account" lede="Your swaps and totals, and the passkeys and devices that can access them.">
      <nav className={styles.contents} aria-label="On this page">
        <Link to={{ search, hash: "activity" }}>Activity</Link>
        <Link to={{ search, hash: "account" }}>Account</Link>
        <Link to={{ search, hash: "your-data" }}>Your data</Link>
      </nav>
      <section id="activity" className={styles.section} aria-labelledby="activity-title">
        <h2 className={visuallyHidden} id="activity-title">
          Activity
        </h2>
        {count.orders > 0 ? <TotalsCard count={count} rates={rates} /> : null}
        <OrdersCard
          orders={orders}
          next={next}
          newest={newest}
          hasOrders={count.orders > 0}
          filters={filters}
          errors={errors}
        />
      </section>
      <section id="account" className={styles.section} aria-labelledby="account-title">
        <h2 className={styles.sectionTitle} id="account-title">
          Account
        </h2>
        <div className={styles.columns}>
          <Stack className={styles.column}>
            <ProfileCard user={user} />
            <PasskeysCard passkeys={passkeys} email={user.email} result={resultOf("passkeys")} />
            <SessionsCard sessions={sessions} email={user.email} result={resultOf("sessions")} />
            {currency ? <CurrencyCard options={currency} isSaved={isCurrencySaved} /> : null}
          </Stack>
          <Stack className={styles.column}>
            {alerts ? (
              <PriceAlertsCard
                rate={alertRate}
                alerts={alerts}
                emailVerified={user.email_verified}
                result={resultOf("alerts")}
              />
            ) : null}
            {mails ? <MailsCard preferences={mails} result={resultOf("mails")} /> : null}
            {consents ? <DocumentsCard consents={consents} result={resultOf("documents")} /> : null}
          </Stack>
        </div>
      </section>
      <section id="your-data" className={styles.section} aria-labelledby="your-data-title">
        <h2 className={styles.sectionTitle} id="your-data-title">
          Your data
        </h2>
        <div className={`${styles.columns} ${styles.lastColumns}`}>
          <DataCard user={user} refusal={dataRefusal} />
          <DeletionCard />
        </div>
      </section>
    </Page>
  );
}

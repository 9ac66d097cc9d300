import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Page } from "~/components/shell/layouts";
import { useActionResult } from "~/loaded-data/use-action-result";
import { invalidates, uncachedLoader } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { ButtonLink } from "~/ui/button";
import { Row } from "~/ui/layout";
import { drawQr } from "~/ui/qr-drawing.server";
import { action } from "./action.server";
import { ChainsCard } from "./chains-card";
import { readInbox, readMobWallet, readStatus, requireSandbox } from "./embedded-sandbox.server";
import { FaucetCard } from "./faucet-card";
import { InboxCard } from "./inbox-card";
import { MobilecoinCard } from "./mobilecoin-card";
import * as styles from "./sandbox.css";
import { parseSandboxParams, toSandboxPath } from "./search-params";
import { TestPasskeyCard } from "./test-passkey-card";

const mailsShown = 12;
/** As many as fit above other cards. */
const fewMails = 3;

/** 404 in live mode. The page needs no sign-in and is the same for everyone. */
export async function loader({ request }: LoaderFunctionArgs) {
  const exchange = await requireSandbox();
  const params = parseSandboxParams(new URL(request.url).searchParams);
  const [mails, wallet, status] = await Promise.all([
    readInbox(exchange, params.to),
    readMobWallet(exchange),
    readStatus(exchange),
  ]);
  return { params, mails: mails.slice(0, mailsShown), wallet, status, qr: drawQr(wallet.address) };
}

export const clientLoader = uncachedLoader("routes/sandbox/route");

export { action };

export const shouldRevalidate = revalidationPolicy;

export const clientAction = invalidates();

/** The page and its data show e-mails. */
export const headers = () => ({ "Cache-Control": "private, no-store" });

export const meta: MetaFunction = () => [{ title: "Sandbox · Antelope" }, { name: "robots", content: "noindex" }];

export default function Sandbox() {
  const { params, mails, wallet, status, qr } = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  const formAction = toSandboxPath(params);
  const inbox = <InboxCard key="inbox" mails={mails} params={params} />;
  const passkey = <TestPasskeyCard key="passkey" />;
  const mobilecoin = (
    <MobilecoinCard key="mobilecoin" action={formAction} wallet={wallet} qr={qr} params={params} result={result} />
  );
  const faucet = <FaucetCard key="faucet" action={formAction} result={result} params={params} />;
  const chains = <ChainsCard key="chains" status={status} />;
  // The card that a swap's page linked to comes first.
  const [left, right] = {
    // A full inbox is the longest by far.
    none:
      mails.length > fewMails
        ? [[inbox], [mobilecoin, faucet, passkey, chains]]
        : [
            [inbox, passkey, chains],
            [mobilecoin, faucet],
          ],
    MOB: [[mobilecoin, faucet, passkey, chains], [inbox]],
    USDT: [
      [faucet, inbox],
      [mobilecoin, passkey, chains],
    ],
  }[params.asset ?? "none"];
  return (
    <Page
      title="Sandbox"
      lede="Everything here works like the real thing, except the money: two private chains, and coins that are worth nothing. This page gives you what a customer would already have: an inbox, wallets and coins."
    >
      {params.redirect ? (
        <Row>
          <ButtonLink to={params.redirect} size="small">
            Back to where you were
          </ButtonLink>
        </Row>
      ) : null}
      <div className={styles.columns}>
        <div className={styles.column}>{left}</div>
        <div className={styles.column}>{right}</div>
      </div>
    </Page>
  );
}

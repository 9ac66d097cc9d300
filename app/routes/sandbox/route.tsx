import { data, type HeadersFunction, type LoaderFunctionArgs, type MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { Page } from "~/components/shell/arrangements";
import { askOnGoing, changing } from "~/session/client-cache";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { readForm, siteAction } from "~/session/site-action.server";
import { ButtonLink } from "~/ui/button";
import { Row } from "~/ui/layout";
import { drawQr } from "~/ui/qr-drawing.server";
import { act, type SandboxResult } from "./act.server";
import { ChainsCard } from "./chains-card";
import { FaucetCard } from "./faucet-card";
import { InboxCard } from "./inbox-card";
import { MobilecoinCard } from "./mobilecoin-card";
import * as styles from "./sandbox.css";
import { readInbox, readMobWallet, readStatus, requireSandbox } from "./sandbox-calls.server";
import { parseSandboxParams, toSandboxPath } from "./search-params";
import { TestPasskeyCard } from "./test-passkey-card";

const mailsShown = 12;

/** 404 in live mode. The page shows what anybody with this sandbox may see; it knows no user. */
export async function loader({ request }: LoaderFunctionArgs) {
  const exchange = await requireSandbox();
  const params = parseSandboxParams(new URL(request.url).searchParams);
  const [mails, wallet, status] = await Promise.all([
    readInbox(exchange, params.to),
    readMobWallet(exchange),
    readStatus(exchange),
  ]);
  return data(
    { params, mails: mails.slice(0, mailsShown), wallet, status, qr: drawQr(wallet.address) },
    { headers: { "Cache-Control": "private, no-store" } },
  );
}

export const clientLoader = askOnGoing;

/** The faucet and the wallet's payment, so that both work without scripts. */
export const action = siteAction(async ({ request }) => {
  const exchange = await requireSandbox();
  const result = await act(exchange, await readForm(request));
  if (!result) throw new Response(null, { status: 400 });
  return data<SandboxResult>(result, {
    status: result.error ? 422 : 200,
    headers: { "Cache-Control": "private, no-store" },
  });
});

export const shouldRevalidate = whenItMayHaveChanged;

export const clientAction = changing();

export const headers: HeadersFunction = ({ loaderHeaders }) => loaderHeaders;

export const meta: MetaFunction = () => [{ title: "Sandbox · Antelope" }, { name: "robots", content: "noindex" }];

export default function Sandbox() {
  const { params, mails, wallet, status, qr } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const to = toSandboxPath(params);
  const inbox = <InboxCard key="inbox" mails={mails} params={params} />;
  const passkey = <TestPasskeyCard key="passkey" />;
  const mobilecoin = (
    <MobilecoinCard key="mobilecoin" action={to} wallet={wallet} qr={qr} params={params} result={result} />
  );
  const faucet = <FaucetCard key="faucet" action={to} result={result} params={params} />;
  const chains = <ChainsCard key="chains" status={status} />;
  // What an order's page sent the visitor for comes first, also in the hand.
  const [left, right] = {
    none: [
      [inbox, passkey, chains],
      [mobilecoin, faucet],
    ],
    MOB: [[mobilecoin], [inbox, faucet, passkey, chains]],
    USDT: [
      [faucet, inbox, chains],
      [mobilecoin, passkey],
    ],
  }[params.asset ?? "none"];
  return (
    <Page
      title="The sandbox"
      lede="Everything here is real but the money: two private chains, an exchange, and coins made of nothing. Here is what a visitor would bring along."
    >
      {params.redirect ? (
        <Row>
          <ButtonLink to={params.redirect} size="small">
            Back to where you were
          </ButtonLink>
        </Row>
      ) : null}
      <div className={styles.board}>
        <div className={styles.column}>{left}</div>
        <div className={styles.column}>{right}</div>
      </div>
    </Page>
  );
}

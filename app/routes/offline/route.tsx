import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Landscape } from "~/components/brand/landscape";
import { Mark } from "~/components/brand/mark";
import { wordmark } from "~/components/brand/wordmark.css";
import { ErrorPage } from "~/components/errors/error-page";
import { header } from "~/components/shell/header.css";
import { PageEnd } from "~/components/shell/page-end";
import { footer, frame, main } from "~/components/shell/page-shell.css";
import { withoutScripts } from "~/components/shell/use-scripts";
import { text } from "~/styles/text.css";
import { Button } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";
import retryScript from "./try-again.js?url";

/**
 * The page that the service worker shows instead of one that cannot be loaded, at the URL the visitor opened. It is
 * cached as rendered for a signed-out visitor, so it must not contain personal data or links to other pages. `?server`
 * means that the browser is online, so our server is not responding; `?order` means that the page is an order's.
 */
export function loader({ request }: LoaderFunctionArgs) {
  const params = new URL(request.url).searchParams;
  return { isOrder: params.has("order"), isOnline: params.has("server") };
}

export const handle = withoutScripts;

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${toProblem(data?.isOnline)} · Antelope` },
  { name: "robots", content: "noindex" },
];

function toProblem(isOnline: boolean | undefined): string {
  return isOnline ? "We can't be reached right now" : "You are offline";
}

export default function Offline() {
  const { isOrder, isOnline } = useLoaderData<typeof loader>();
  return (
    <div className={frame}>
      <header className={header}>
        <span className={wordmark}>
          <Mark />
          Antelope
        </span>
      </header>
      <main id="main" className={main}>
        <ErrorPage title={isOrder ? `${toProblem(isOnline)}. Your swap is safe.` : `${toProblem(isOnline)}.`}>
          <p>
            {isOrder ? null : "We couldn't load this page. "}
            {isOnline
              ? "Your device is online, but our site isn't responding. It may be restarting."
              : "Your device has no connection to the internet."}{" "}
            This page retries automatically.
          </p>
          {isOrder ? <AboutTheOrder /> : null}
          <Row>
            <Button id="try-again" type="button" kind="primary">
              Try again now
            </Button>
          </Row>
        </ErrorPage>
      </main>
      <Landscape />
      <footer className={footer} />
      <PageEnd />
      <script src={retryScript} type="module" />
    </div>
  );
}

function AboutTheOrder() {
  return (
    <Stack gap={3}>
      <p>
        <strong>Already paid?</strong> Your swap continues even while you can't see this page. If we need anything from
        you, such as a decision, we <span className={text.unbroken}>e-mail</span> you.
      </p>
      <p>
        <strong>Not paid yet?</strong> Your time to pay is still counting down. Don't send anything from memory: wait
        until you can see the address and the amount again.
      </p>
    </Stack>
  );
}

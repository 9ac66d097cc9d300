import { type MetaFunction, useLocation, useRouteError } from "@remix-run/react";
import { useState } from "react";
import { useReloadIfOutdated } from "~/browser/use-reload-if-outdated";
import { ErrorPage } from "~/components/errors/error-page";
import { methodNotAllowedTexts } from "~/components/errors/method-not-allowed";
import { type DisplayError, readError } from "~/components/errors/read-error";
import { ContactSupport } from "~/components/shell/contact-support";
import * as errorTexts from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button, ButtonLink } from "~/ui/button";
import { Row } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import * as styles from "./error-screen.css";

/** R19, R20: the error screen of a route inside the layout. */
export function ErrorScreen() {
  const thrown = useRouteError();
  const error = readError(thrown);
  const { message, status } = error;
  const { pathname, search } = useLocation();
  const [expanded, setExpanded] = useState(false);
  const isRefused = status === 404 || status === 405;
  // After any other error, the same request would fail again.
  const canRetry = status === null || status === 429 || status >= 500;
  useReloadIfOutdated(thrown);
  return (
    <ErrorPage title={toTitle(error)}>
      {isRefused ? (
        <p>{status === 404 ? toNotFoundText(pathname) : methodNotAllowedTexts.text}</p>
      ) : (
        <p>
          We couldn't load this page. Swaps in progress continue. <ContactSupport />
        </p>
      )}
      <Row>
        <ButtonLink
          to={canRetry ? pathname + search : paths.swap}
          kind="primary"
          reloadDocument={!isRefused}
          prefetch={isRefused ? "intent" : "none"}
        >
          {isRefused ? "Go to Swap" : canRetry ? "Try again" : "Start again"}
        </ButtonLink>
        <ButtonLink to={paths.help} reloadDocument prefetch="none">
          Help
        </ButtonLink>
        {isRefused ? null : (
          <NeedsScripts>
            <Button
              type="button"
              kind="quiet"
              aria-expanded={expanded}
              aria-controls="error-details"
              onClick={() => setExpanded(!expanded)}
            >
              {expanded ? "Hide Error" : "Show Error"}
            </Button>
          </NeedsScripts>
        )}
      </Row>
      {/* R19: collapsed; without JavaScript always visible. */}
      {isRefused ? null : (
        <div id="error-details" className={expanded ? undefined : styles.collapsed}>
          <p className={text.code}>{message ?? errorTexts.unknown}</p>
        </div>
      )}
    </ErrorPage>
  );
}

/** The title of the error screen's document. Every page has its own title. */
export const errorMeta: MetaFunction = ({ error }) =>
  error ? [{ title: `${toTitle(readError(error))} · Antelope` }] : undefined;

function toTitle({ status }: DisplayError): string {
  if (status === 405) return methodNotAllowedTexts.title;
  return status === 404 ? errorTexts.notFound : errorTexts.somethingWentWrong;
}

/** A swap that belongs to another account is not found either. */
function toNotFoundText(pathname: string): string {
  return pathname.startsWith(paths.quote(""))
    ? "This swap doesn't exist, or it belongs to another account."
    : "This page doesn't exist.";
}

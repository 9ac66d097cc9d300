import { type MetaFunction, useLocation, useRouteError } from "@remix-run/react";
import { useState } from "react";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { methodNotAllowedTexts } from "~/components/errors/method-not-allowed";
import { type DisplayError, readError } from "~/components/errors/read-error";
import { ContactSupport } from "~/components/shell/contact-support";
import { Narrow } from "~/components/shell/layouts";
import * as errorTexts from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import * as styles from "./error-screen.css";

/** R19, R20: the error screen of a route inside the layout. */
export function ErrorScreen() {
  const error = readError(useRouteError());
  const { status } = error;
  const { pathname } = useLocation();
  return (
    <Narrow title={toTitle(error)}>
      <Card roomy>
        {status === 404 || status === 405 ? (
          <RequestRefused text={status === 404 ? toNotFoundText(pathname) : methodNotAllowedTexts.text} />
        ) : (
          <SomethingWentWrong error={error} />
        )}
      </Card>
    </Narrow>
  );
}

/** The title of the error screen's document. Every page has a title of its own. */
export const errorMeta: MetaFunction = ({ error }) =>
  error ? [{ title: `${toTitle(readError(error))} · Antelope` }] : undefined;

function toTitle({ status }: DisplayError): string {
  if (status === 405) return methodNotAllowedTexts.title;
  return status === 404 ? errorTexts.notFound : errorTexts.somethingWentWrong;
}

/** Only swaps belong to an account. */
function toNotFoundText(pathname: string): string {
  return pathname.startsWith("/swap/")
    ? "This swap doesn't exist, or it belongs to another account."
    : "This page doesn't exist.";
}

function RequestRefused({ text }: { text: string }) {
  return (
    <Stack gap={4}>
      <LookingAntelope />
      <p>{text}</p>
      <Row>
        <ButtonLink to={paths.swap} kind="primary">
          Go to Swap
        </ButtonLink>
        <a href={paths.help}>Help</a>
      </Row>
    </Stack>
  );
}

/** R19: the details are collapsed; without JavaScript they are always visible. */
function SomethingWentWrong({ error }: { error: DisplayError }) {
  const [expanded, setExpanded] = useState(false);
  return (
    <Stack gap={4}>
      <p>
        We couldn't load this page. Swaps in progress continue. <ContactSupport />
      </p>
      <Row>
        <ButtonLink to={paths.swap} kind="primary" reloadDocument>
          Start again
        </ButtonLink>
        <a href={paths.help}>Help</a>
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
      </Row>
      <div id="error-details" className={expanded ? undefined : styles.collapsed}>
        <p className={text.code}>{error.message ?? errorTexts.unknown}</p>
        {error.stack ? <pre className={text.code}>{error.stack}</pre> : null}
      </div>
    </Stack>
  );
}

import { useRouteError } from "@remix-run/react";
import { useReloadIfOutdated } from "~/browser/use-reload-if-outdated";
import { Landscape } from "~/components/brand/landscape";
import { Wordmark } from "~/components/brand/wordmark";
import { ContactSupport } from "~/components/shell/contact-support";
import { header } from "~/components/shell/header.css";
import { PageEnd } from "~/components/shell/page-end";
import { footer, frame, main } from "~/components/shell/page-shell.css";
import * as errorTexts from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Row } from "~/ui/layout";
import { ErrorPage } from "./error-page";
import { methodNotAllowedTexts } from "./method-not-allowed";
import { readError } from "./read-error";

const unexpectedError = { title: errorTexts.rootTitle, text: errorTexts.rootText };

/** R18: shown outside the layout. Its links reload the document, because the app itself may have failed. */
export function RootErrorScreen() {
  const thrown = useRouteError();
  const { status } = readError(thrown);
  // The layout's error screen fails as well if the layout can't read its own data.
  useReloadIfOutdated(thrown);
  const { title, text } = status === 405 ? methodNotAllowedTexts : unexpectedError;
  return (
    <div className={frame}>
      <header className={header}>
        <Wordmark reloadDocument />
      </header>
      <main id="main" className={main}>
        <ErrorPage title={title}>
          <p>{text}</p>
          <p>
            Any coins you have sent are safe, and swaps in progress continue. <ContactSupport />
          </p>
          <Row>
            <ButtonLink to={paths.home} kind="primary" reloadDocument>
              Start again
            </ButtonLink>
          </Row>
        </ErrorPage>
      </main>
      <Landscape />
      <footer className={footer} />
      <PageEnd />
    </div>
  );
}

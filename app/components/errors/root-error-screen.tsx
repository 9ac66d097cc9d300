import { useRouteError } from "@remix-run/react";
import { Landscape } from "~/components/brand/landscape";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Wordmark } from "~/components/brand/wordmark";
import { Narrow } from "~/components/shell/arrangements";
import { header } from "~/components/shell/header.css";
import { PageEnd } from "~/components/shell/page-end";
import { footer, frame, main } from "~/components/shell/page-shell.css";
import { errorTexts } from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { methodRefused } from "./method-refused";
import { readError } from "./read-error";

const rootFailed = { title: errorTexts.rootTitle, text: errorTexts.rootText };

/** R18. The land without its ways: whatever failed, a fresh document is the way on. */
export function RootErrorScreen() {
  const { status } = readError(useRouteError());
  const { title, text } = status === 405 ? methodRefused : rootFailed;
  return (
    <div className={frame}>
      <header className={header}>
        <Wordmark reloadDocument />
      </header>
      <main id="main" className={main}>
        <Narrow title={title}>
          <Card roomy>
            <Stack gap={4}>
              <LookingAntelope />
              <p>{text}</p>
              <p>Coins that you have sent are safe: swaps under way go on without this page.</p>
              <Row>
                <ButtonLink to={paths.home} kind="primary" reloadDocument>
                  Start again
                </ButtonLink>
              </Row>
            </Stack>
          </Card>
        </Narrow>
      </main>
      <Landscape />
      <footer className={footer} />
      <PageEnd />
    </div>
  );
}

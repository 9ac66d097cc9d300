import { useRouteError } from "@remix-run/react";
import { useState } from "react";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Narrow } from "~/components/shell/arrangements";
import { errorTexts } from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { Button, ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { NeedsScripts } from "~/ui/needs-scripts";
import * as styles from "./error-screen.css";
import { methodRefused } from "./method-refused";
import { readError } from "./read-error";

/** R19 and R20: what a route's failure looks like inside the layout. What was refused has its own screen. */
export function ErrorScreen() {
  const error = readError(useRouteError());
  if (error.status === 405) return <Refused {...methodRefused} />;
  return error.status === 404 ? <Refused {...notFound} /> : <SomethingWentWrong error={error} />;
}

/** R20: a thing that is not there, or not yours. */
const notFound = {
  title: errorTexts.notFound,
  text: "What you asked for is not here, or it belongs to somebody else's account.",
};

function Refused({ title, text }: { title: string; text: string }) {
  return (
    <Narrow title={title}>
      <Card roomy>
        <Stack gap={4}>
          <LookingAntelope />
          <p>{text}</p>
          <Row>
            <ButtonLink to={paths.swap} kind="primary">
              To your swaps
            </ButtonLink>
          </Row>
        </Stack>
      </Card>
    </Narrow>
  );
}

/** R19: the details are hidden until asked for, and without scripts they are simply there. */
function SomethingWentWrong({ error }: { error: ReturnType<typeof readError> }) {
  const [opened, setOpened] = useState(false);
  return (
    <Narrow title={errorTexts.somethingWentWrong}>
      <Card roomy>
        <Stack gap={4}>
          <p>This page could not be made. Swaps under way go on without it; nothing was half done.</p>
          <Row>
            <ButtonLink to={paths.swap} kind="primary" reloadDocument>
              Start again
            </ButtonLink>
            <NeedsScripts>
              <Button
                type="button"
                kind="quiet"
                aria-expanded={opened}
                aria-controls="error-details"
                onClick={() => setOpened(!opened)}
              >
                {opened ? "Hide Error" : "Show Error"}
              </Button>
            </NeedsScripts>
          </Row>
          <div id="error-details" className={opened ? undefined : styles.untilAskedFor}>
            <p className={text.code}>{error.message ?? errorTexts.unknown}</p>
            {error.stack ? <pre className={text.code}>{error.stack}</pre> : null}
          </div>
        </Stack>
      </Card>
    </Narrow>
  );
}

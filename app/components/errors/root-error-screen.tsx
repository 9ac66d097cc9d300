import { useRouteError } from "@remix-run/react";
import { Narrow } from "~/components/shell/arrangements";
import { errorTexts } from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { methodRefused } from "./method-refused";
import { readError } from "./read-error";

const rootFailed = { title: errorTexts.rootTitle, text: errorTexts.rootText };

/** R18. Plain links: whatever failed, a fresh document is the way on. */
export function RootErrorScreen() {
  const { status } = readError(useRouteError());
  const { title, text } = status === 405 ? methodRefused : rootFailed;
  return (
    <main id="main">
      <Narrow title={title}>
        <Card roomy>
          <Stack gap={4}>
            <p>{text}</p>
            <p>Coins that you have sent are safe: swaps under way go on without this page.</p>
            <p>
              <a href={paths.home}>Start again</a>
            </p>
          </Stack>
        </Card>
      </Narrow>
    </main>
  );
}

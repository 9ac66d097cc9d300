import { Narrow } from "~/components/shell/arrangements";
import { errorTexts } from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";

/** R18. Plain links: whatever failed, a fresh document is the way on. */
export function RootErrorScreen() {
  return (
    <main id="main">
      <Narrow title={errorTexts.rootTitle}>
        <Card roomy>
          <Stack gap={4}>
            <p>{errorTexts.rootText}</p>
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

import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";

/** Links to the page that explains what is deleted. */
export function DeletionCard() {
  return (
    <Card aria-labelledby="deletion-title">
      <Stack gap={4}>
        <h3 className={text.heading} id="deletion-title">
          Delete your account
        </h3>
        <p>Before you confirm, we show you what we delete and what the law requires us to keep.</p>
        <Row>
          <ButtonLink to={paths.deleteAccount}>Delete your account…</ButtonLink>
        </Row>
      </Stack>
    </Card>
  );
}

import { Antelope } from "~/components/brand/antelope";
import { Narrow } from "~/components/shell/layouts";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";
import { bare } from "./error-page.css";

/** R17: what any other URL shows. */
export function NotFoundPage() {
  return (
    <Narrow>
      <div className={bare}>
        <Antelope pose="looking" size="large" label="An antelope looking around" />
        <Stack gap={6}>
          <h1 className={text.hero}>404</h1>
          <p className={text.lede}>
            This page has wandered off the trail
            <br />
            and left no hoofprint in the clay.
            <br />
            The antelope just flicks her tail
            <br />
            and says she saw it run away.
          </p>
          <Row>
            <ButtonLink to={paths.swap} kind="primary">
              Go to Swap
            </ButtonLink>
            <ButtonLink to={paths.help} reloadDocument prefetch="none">
              Help
            </ButtonLink>
          </Row>
        </Stack>
      </div>
    </Narrow>
  );
}

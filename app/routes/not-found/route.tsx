import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Narrow } from "~/components/shell/layouts";
import { paths } from "~/lib/paths";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";

/** R17 */
export function loader(_args: LoaderFunctionArgs) {
  return data(null, { status: 404 });
}

export const shouldRevalidate = revalidationPolicy;

export const meta: MetaFunction = () => [{ title: "404 · Antelope" }];

export default function NotFound() {
  return (
    <Narrow>
      <h1 className={text.hero}>404</h1>
      <Row gap={8}>
        <LookingAntelope size="large" label="An antelope looking around" />
        <Stack gap={6}>
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
      </Row>
    </Narrow>
  );
}

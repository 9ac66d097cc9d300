import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Narrow } from "~/components/shell/arrangements";
import { paths } from "~/lib/paths";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";

/** R17: an unknown URL, whatever the method. */
export function loader(_args: LoaderFunctionArgs) {
  return data(null, { status: 404 });
}

export const shouldRevalidate = whenItMayHaveChanged;

export const meta: MetaFunction = () => [{ title: "404 · Antelope" }];

export default function NotFound() {
  return (
    <Narrow>
      <h1 className={text.hero}>404</h1>
      <Row gap={8}>
        <LookingAntelope size="large" label="An antelope that looks about" />
        <Stack gap={6}>
          <p className={text.lede}>
            A page went walking past the hill,
            <br />
            and left no print in dust or dew.
            <br />
            The antelope stands very still:
            <br />
            she came here looking for it too.
          </p>
          <Row>
            <ButtonLink to={paths.swap} kind="primary">
              Back to the track
            </ButtonLink>
          </Row>
        </Stack>
      </Row>
    </Narrow>
  );
}

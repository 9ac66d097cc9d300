import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { Narrow } from "~/components/shell/arrangements";
import { paths } from "~/lib/paths";
import { ButtonLink } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";

/** R17: an unknown URL, whatever the method. */
export function loader(_args: LoaderFunctionArgs) {
  return data(null, { status: 404 });
}

export const meta: MetaFunction = () => [{ title: "404 · Antelope" }];

export default function NotFound() {
  return (
    <Narrow title="404">
      <Stack gap={6}>
        <LookingAntelope size="large" label="An antelope that looks about" />
        <p>
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
    </Narrow>
  );
}

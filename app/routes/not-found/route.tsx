import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { LookingAntelope } from "~/components/brand/looking-antelope";
import { bare } from "~/components/errors/error-page.css";
import { Narrow } from "~/components/shell/layouts";
import { paths } from "~/lib/paths";
import { text } from "~/styles/text.css";
import { ButtonLink } from "~/ui/button";
import { Row, Stack } from "~/ui/layout";

/** R17: any other URL. */
export function loader(_args: LoaderFunctionArgs) {
  return data(null, { status: 404 });
}

/**
 * Loads the URL as a document. In the browser, pages and files that are missing from the manifest (trim-manifest.ts)
 * match this route too, for example after signing in with `redirect=/help`. Remix doesn't call it when it hydrates
 * a 404.
 */
export function clientLoader({ request }: ClientLoaderFunctionArgs): Promise<never> {
  window.location.replace(request.url);
  return new Promise(() => undefined);
}

/** Otherwise a 404 would be loaded as a document again whenever the layout's user is refreshed. */
export const shouldRevalidate = () => false;

export const meta: MetaFunction = () => [{ title: "404 · Antelope" }];

export default function NotFound() {
  return (
    <Narrow>
      <div className={bare}>
        <LookingAntelope size="large" label="An antelope looking around" />
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

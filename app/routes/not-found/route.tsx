import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { data } from "@remix-run/node";
import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { NotFoundPage } from "~/components/errors/not-found-page";

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

/** Prevents the 404 page from loading as a document again whenever the layout's user is refreshed. */
export const shouldRevalidate = () => false;

export const meta: MetaFunction = () => [{ title: "404 · Antelope" }];

export default NotFoundPage;

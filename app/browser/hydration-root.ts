import { errorTexts } from "~/lib/error-catalogue";

/**
 * E06: the document that the server rendered, with what Remix needs to take it over.
 * Raised where there is nothing to hydrate: a page that was cut off, or is not ours.
 */
export function requireHydrationRoot(page: { document: Document; __remixContext?: unknown }): Document {
  if (!page.document.documentElement || !page.document.body || page.__remixContext === undefined) {
    throw new Error(errorTexts.rootNotFound);
  }
  return page.document;
}

import * as errorTexts from "~/lib/error-catalogue";

/**
 * E06: the document to hydrate.
 * @throws E06 if it was cut off or was not rendered by this site
 */
export function requireHydrationRoot(page: { document: Document; __remixContext?: unknown }): Document {
  if (!page.document.documentElement || !page.document.body || page.__remixContext === undefined) {
    throw new Error(errorTexts.rootNotFound);
  }
  return page.document;
}

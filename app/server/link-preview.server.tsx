import type { EntryContext } from "@remix-run/node";
import type { ReactNode } from "react";

/** The start of the first tag of a preview. */
export const previewStart = '<meta property="og:';

/**
 * What messaging apps and social networks show with a link to this page. Only public pages have a description, so other
 * pages don't get a preview. It never depends on the visitor.
 */
export function toLinkPreview(context: EntryContext, origin: string): ReactNode {
  const { title, description } = readMeta(context);
  if (title === undefined || description === undefined) return null;
  return (
    <>
      <meta property="og:type" content="website" />
      <meta property="og:site_name" content="Antelope" />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:image" content={`${origin}/share.png`} />
      <meta property="og:image:width" content="1200" />
      <meta property="og:image:height" content="630" />
      <meta property="og:image:alt" content="A leaping antelope. “From dollars to Signal, in one leap.”" />
      <meta name="twitter:card" content="summary_large_image" />
    </>
  );
}

/** The title and the description of the page, both undefined if it is an error screen. */
function readMeta({ routeModules, staticHandlerContext }: EntryContext): { title?: string; description?: string } {
  const { matches, loaderData, location, errors } = staticHandlerContext;
  const page = matches.at(-1);
  if (!page || errors) return {};
  const { id } = page.route;
  const data: unknown = loaderData[id];
  const tags = routeModules[id]?.meta?.({ data, params: page.params, location, matches: [] }) ?? [];
  const texts: { title?: string; description?: string } = {};
  for (const tag of tags) {
    if ("title" in tag && typeof tag.title === "string") texts.title = tag.title;
    if ("name" in tag && tag.name === "description" && "content" in tag && typeof tag.content === "string") {
      texts.description = tag.content;
    }
  }
  return texts;
}

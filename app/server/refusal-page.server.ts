import * as errorTexts from "../lib/error-catalogue";
import { paths } from "../lib/paths";

type Refusal = { title: string; text: string };

/**
 * Whether the response is for a visitor to read. Health checks, API clients and scripts of pages do not ask for HTML.
 */
export function asksForHtml({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") === true;
}

const notFound = {
  title: errorTexts.notFound,
  text: "This file doesn't exist yet, or it belongs to another account.",
};
const failed = {
  title: errorTexts.somethingWentWrong,
  text: "We couldn't load this. Any coins you have sent are safe, and swaps in progress continue. Try again in a minute.",
};

const refused = {
  title: errorTexts.somethingWentWrong,
  text: "This request was refused. Go back and try again, or sign in again.",
};

/**
 * Replaces an error that a browser would show as JSON or as an empty page. These come from routes without a component,
 * such as a receipt: Remix sends the error's status but not its text. Other clients get plain text instead of Remix's
 * JSON (X-Remix-Error). A thrown Response is sent as it is (X-Remix-Catch).
 */
export function toReadableError(request: Request, response: Response): Response {
  const { status } = response;
  const headers = new Headers(response.headers);
  const type = headers.get("Content-Type") ?? "";
  const isReadable = headers.has("X-Remix-Catch") || type.startsWith("text/html");
  // For an unexpected error, Remix sends a plain 500 without the header.
  const isByRemix = headers.has("X-Remix-Error") || (status === 500 && type === "text/plain");
  const isPage = asksForHtml(request);
  if (status < 400 || isReadable || !(isPage || isByRemix)) return response;
  headers.set("Content-Type", `text/${isPage ? "html" : "plain"}; charset=utf-8`);
  headers.delete("Content-Length");
  const page = status === 404 ? notFound : status >= 500 || status === 429 ? failed : refused;
  return new Response(isPage ? toRefusalPage(page) : page.text, { status, headers });
}

/** The page of a refusal that does not reach Remix. Its texts must not contain anything from the request. */
export function toRefusalPage({ title, text }: Refusal): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Antelope</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/refusal.css">
</head>
<body>
<main>
<h1>${title}</h1>
<p>${text}</p>
<p><a href="${paths.swap}">Go to Swap</a></p>
</main>
</body>
</html>
`;
}

import { paths } from "../lib/paths";

type Refusal = { title: string; text: string };

/** Whether the response is for a visitor to read. Health checks, API clients and scripts of pages do not ask for HTML. */
export function asksForHtml({ headers }: Request): boolean {
  return headers.get("accept")?.includes("text/html") === true;
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

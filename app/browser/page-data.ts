import { RemixBrowser } from "@remix-run/react";

/**
 * Resolves when the data of the page, which follow its HTML in a stream, can be read without waiting.
 *
 * Remix waits for them while it renders, by a thrown promise above every Suspense boundary. A key or a
 * click in that moment makes React 18 hydrate at once, find no data, and give the page up for good
 * ("Root did not complete": remix-run/remix#10214). So they are asked for before anything is hydrated;
 * until its data are there, RemixBrowser throws before it uses a hook.
 */
export async function pageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (awaited) {
    if (awaited instanceof Promise) await awaited;
    else throw awaited;
  }
}

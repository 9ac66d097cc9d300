import { RemixBrowser } from "@remix-run/react";

/**
 * Resolves once the page's data, which is streamed after the HTML, has arrived.
 *
 * Remix waits for the data while rendering, with a promise thrown above every Suspense boundary. If the
 * visitor presses a key or clicks during that time, React 18 hydrates synchronously, finds no data and
 * fails permanently ("Root did not complete": remix-run/remix#10214). Waiting before hydration avoids
 * this. Until the data is there, RemixBrowser throws its promise before it calls any hook.
 */
export async function waitForPageData(): Promise<void> {
  try {
    RemixBrowser({});
  } catch (awaited) {
    if (awaited instanceof Promise) await awaited;
    else throw awaited;
  }
}

/**
 * T9: the one Trusted Types policy of pages with React. The content security policy makes the browser pass it every
 * string that would become markup or a script's URL, and block the strings that it refuses. The policy leaves out
 * `createScript`, so no string ever becomes code.
 */

type Policy = {
  createHTML(html: string): string | null;
  createScriptURL(url: string): string | null;
};

/** How React 18 creates script elements in a way that never runs them. */
const inertScript = "<script></script>";

/** The service worker with the build's version (browser/offline-page.ts). */
const serviceWorker = /^\/sw\.js\?[\w-]{1,64}$/;

/** Text without "<" cannot become an element. Remix fills its inert scripts with such text. */
const policy: Policy = {
  createHTML: (html) => (html === inertScript || !html.includes("<") ? html : null),
  createScriptURL: (url) => (serviceWorker.test(url) ? url : null),
};

/** Call before hydration. Does nothing in browsers without Trusted Types. */
export function limitTrustedTypes(page: Window): void {
  page.trustedTypes?.createPolicy("default", policy);
}

declare global {
  interface Window {
    /** Not in TypeScript's library yet. */
    trustedTypes?: { createPolicy(name: "default", policy: Policy): unknown };
  }
}

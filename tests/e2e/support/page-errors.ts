import type { BrowserContext } from "@playwright/test";

/** Remix logs an error for a response that it stopped reading because of a navigation. */
function isAbortedResponse(text: string): boolean {
  return text.startsWith("AbortError: signal is aborted without reason");
}

/**
 * The errors of all pages: console errors (including CSP violations and failed resources), uncaught
 * exceptions, and requests to the site that fail or get a 5xx response.
 */
export class PageErrors {
  readonly #seen: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(readonly origin: string) {}

  /** Allows errors that the test causes on purpose. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  get unexpected(): string[] {
    return this.#seen.filter((error) => !this.#expected.some((pattern) => pattern.test(error)));
  }

  watch(context: BrowserContext): void {
    context.on("console", (message) => {
      if (message.type() !== "error" || isAbortedResponse(message.text())) return;
      this.#seen.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.#seen.push(`exception: ${error.error().message}`));
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // Leaving a page aborts its requests.
      if (!request.url().startsWith(this.origin) || reason === "net::ERR_ABORTED") return;
      this.#seen.push(`request: ${request.method()} ${request.url()} ${reason}`);
    });
    context.on("response", (response) => {
      if (response.url().startsWith(this.origin) && response.status() >= 500) {
        this.#seen.push(`response: ${response.status()} ${response.url()}`);
      }
    });
  }
}

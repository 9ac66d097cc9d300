import type { BrowserContext } from "@playwright/test";

/** Remix writes an answer it stopped reading, because the page went elsewhere meanwhile, to the console. */
function isDroppedAnswer(words: string): boolean {
  return words.startsWith("AbortError: signal is aborted without reason");
}

/**
 * Whatever a page complains of: console errors (a violated CSP and a failed resource write
 * one), exceptions that nobody caught, requests to our own origin that failed or met a fault
 * of the server.
 */
export class Troubles {
  readonly #seen: string[] = [];
  readonly #expected: RegExp[] = [];

  constructor(readonly origin: string) {}

  /** What this test brings about on purpose. */
  expect(...patterns: RegExp[]): void {
    this.#expected.push(...patterns);
  }

  get unexpected(): string[] {
    return this.#seen.filter((words) => !this.#expected.some((pattern) => pattern.test(words)));
  }

  watch(context: BrowserContext): void {
    context.on("console", (message) => {
      if (message.type() !== "error" || isDroppedAnswer(message.text())) return;
      this.#seen.push(`console: ${message.text()} (${message.location().url})`);
    });
    context.on("weberror", (error) => this.#seen.push(`exception: ${error.error().message}`));
    context.on("requestfailed", (request) => {
      const reason = request.failure()?.errorText ?? "";
      // A page that is left drops what it had asked for.
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

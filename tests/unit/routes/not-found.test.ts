import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { describe, expect, it, vi } from "vitest";
import { clientLoader, shouldRevalidate } from "~/routes/not-found/route";

describe("a URL that the browser's routes do not know", () => {
  it("is loaded as a document, and the page stays until then", async () => {
    const replace = vi.fn();
    vi.stubGlobal("window", { location: { replace } });
    const request = new Request("http://localhost:3000/help?q=fees");
    const isLoaded = clientLoader({ request } as ClientLoaderFunctionArgs).then(() => true);
    const wait = new Promise((resolve) => setTimeout(() => resolve(false), 10));
    expect(await Promise.race([isLoaded, wait])).toBe(false);
    expect(replace.mock.calls).toEqual([["http://localhost:3000/help?q=fees"]]);
  });

  it("is loaded only once, even though the layout's user is refreshed every minute", () => {
    expect(shouldRevalidate()).toBe(false);
    // Remix calls it for a page that the server has rendered only if `hydrate` is set.
    expect(clientLoader).not.toHaveProperty("hydrate");
  });
});

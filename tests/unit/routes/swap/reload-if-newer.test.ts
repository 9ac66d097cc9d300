import type { ClientLoaderFunctionArgs } from "@remix-run/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { clearQueryCache } from "~/query-cache/invalidation";
import { clientLoader } from "~/routes/swap/quote/route";

afterEach(() => {
  vi.unstubAllGlobals();
  clearQueryCache();
});

const url = "http://localhost:3000/swap/quote/7";

/** Loads the page's data in a browser, with an order of this status. @returns how often the page was reloaded */
async function load(status: string, stored: Record<string, string> = {}) {
  const reload = vi.fn();
  vi.stubGlobal("window", {
    __remixContext: { state: { loaderData: {} } },
    __remixManifest: { version: "1" },
    fetch: async () => new Response(),
    location: { href: url, reload },
    sessionStorage: {
      getItem: (key: string) => stored[key] ?? null,
      setItem: (key: string, value: string) => {
        stored[key] = value;
      },
    },
  });
  clearQueryCache();
  const order = { kind: "order", order: { status } };
  const args = { request: new Request(url), serverLoader: async () => order };
  const loaded = clientLoader(args as unknown as ClientLoaderFunctionArgs);
  const arrived = await Promise.race([loaded, vi.waitFor(() => expect(reload).toHaveBeenCalled(), 30_000)]);
  return { hasData: arrived === order, reloads: reload.mock.calls.length, stored };
}

describe("the data of an order", () => {
  it("shows a status that this build has", async () => {
    expect(await load("on_hold")).toMatchObject({ hasData: true, reloads: 0 });
  });

  it("reloads the page for a status of a newer build, but only once", async () => {
    const { hasData, reloads, stored } = await load("a_new_status");
    expect([hasData, reloads]).toEqual([false, 1]);
    expect(await load("a_new_status", stored)).toMatchObject({ hasData: true, reloads: 0 });
  });
});

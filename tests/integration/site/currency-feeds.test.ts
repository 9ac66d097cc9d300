import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createCurrencyFeeds } from "~/currency/feeds.server";
import type { CurrencySource } from "~/currency/source";

const minute = 60_000;
const day = 86_400_000;

describe("currency feeds", () => {
  let server: Server;
  let now = Date.parse("2026-03-02T12:00:00Z");
  /** The response of each path; all others respond with 404. */
  let responses: Record<string, unknown> = {};
  let requested: string[] = [];
  const warnings: unknown[] = [];
  const log = { warn: (...line: unknown[]) => void warnings.push(line) };

  beforeEach(async () => {
    requested = [];
    warnings.length = 0;
    server = createServer((incoming, outgoing) => {
      const path = incoming.url ?? "";
      requested.push(path);
      const response = responses[path];
      if (response === "redirect") outgoing.writeHead(302, { Location: "/first" }).end();
      else outgoing.writeHead(response === undefined ? 404 : 200).end(JSON.stringify(response));
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  const open = (...paths: string[]): CurrencySource => {
    const { port } = server.address() as AddressInfo;
    return createCurrencyFeeds({ urls: paths.map((path) => `http://127.0.0.1:${port}${path}`), log, now: () => now });
  };
  const at = (ms: number) => new Date(ms).toISOString();
  const untilKnown = (source: CurrencySource) =>
    vi.waitFor(() => {
      const table = source.current();
      if (table === null) throw new Error("not known yet");
      return table;
    }, 30_000);
  const untilWarnings = (count: number) => vi.waitFor(() => expect(warnings).toHaveLength(count), 30_000);

  it("have no rates until the first response, and then its rates to 12 decimals", async () => {
    responses = { "/first": { at: at(now), rates: { EUR: "0.8612", JPY: 152.25, USD: "1.0000000000009" } } };
    const source = open("/first");
    expect(source.current()).toBeNull();
    const { perUsdt } = await untilKnown(source);
    expect(Object.fromEntries(perUsdt)).toEqual({
      EUR: 861_200_000_000n,
      JPY: 152_250_000_000_000n,
      USD: 1_000_000_000_000n,
    });
  });

  it("leave out unknown currencies and rates that are not positive", async () => {
    const rates = { EUR: "0.86", XXX: "1", GBP: "-1", CHF: "0", SEK: "1e3", PLN: "", NOK: "0.0000000000001" };
    responses = { "/first": { at: at(now), rates } };
    const { perUsdt } = await untilKnown(open("/first"));
    expect([...perUsdt.keys()]).toEqual(["EUR"]);
  });

  it.each([
    ["fails", undefined],
    ["redirects", "redirect"],
    ["is malformed", { rates: { EUR: "0.9" } }],
    ["has old rates", { at: at(now - 5 * day), rates: { EUR: "0.9" } }],
    ["has rates from the future", { at: at(now + minute + 1), rates: { EUR: "0.9" } }],
    ["has no rates", { at: at(now), rates: {} }],
  ])("are called in turn if the first one %s", async (_how, first) => {
    responses = { "/bad": first, "/first": { at: at(now), rates: { EUR: "0.86" } } };
    const { perUsdt } = await untilKnown(open("/bad", "/first"));
    expect(perUsdt.get("EUR")).toBe(860_000_000_000n);
    expect(warnings).toHaveLength(1);
  });

  it("accept a time that is up to a minute ahead of our clock", async () => {
    responses = { "/first": { at: at(now + minute), rates: { EUR: "0.86" } } };
    const { perUsdt } = await untilKnown(open("/first"));
    expect(perUsdt.get("EUR")).toBe(860_000_000_000n);
  });

  it("are called every ten minutes, and old rates are shown until new ones arrive", async () => {
    responses = { "/first": { at: at(now), rates: { EUR: "0.86" } } };
    const source = open("/first");
    await untilKnown(source);
    now += 10 * minute - 1;
    responses = { "/first": { at: at(now), rates: { EUR: "0.87" } } };
    expect(source.current()?.perUsdt.get("EUR")).toBe(860_000_000_000n);
    expect(requested).toHaveLength(1);
    now += 1;
    expect(source.current()?.perUsdt.get("EUR")).toBe(860_000_000_000n);
    await vi.waitFor(() => expect(source.current()?.perUsdt.get("EUR")).toBe(870_000_000_000n), 30_000);
    expect(requested).toHaveLength(2);
  });

  it("keep the known rates for four days while none of the feeds responds", async () => {
    responses = { "/first": { at: at(now), rates: { EUR: "0.86" } } };
    const source = open("/first");
    await untilKnown(source);
    responses = {};
    now += 4 * day;
    expect(source.current()?.perUsdt.get("EUR")).toBe(860_000_000_000n);
    await untilWarnings(1);
    now += 1;
    expect(source.current()).toBeNull();
  });

  it("don't exist without a URL", () => expect(open().current()).toBeNull());
});

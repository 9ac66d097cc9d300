import { describe, expect, it } from "vitest";
import { toFilteredPath } from "~/routes/doger/activity/filters";
import { readFilters } from "~/routes/doger/activity/read-filters.server";
import { loader } from "~/routes/doger/route";
import { loader as exportLoader } from "~/routes/doger/swaps-csv/route";
import { makeCompletedOrder } from "../../../support/orders";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../../support/site";

const read = (search: string, headers?: HeadersInit) =>
  readFilters(new Request(`https://antelope.example/doger?${search}`, headers && { headers }));

describe("the filters in the URL of the activity page", () => {
  it("become the exchange's filters, with whole days in the visitor's time zone", () => {
    const search = "q=+0xABCDEF&state=unpaid&direction=mob-to-usdt&since=2026-03-29&until=2026-03-29";
    const { filters, errors, query } = read(search, { cookie: "tz=Europe/Zurich" });
    expect(errors).toEqual({});
    expect(filters).toEqual({
      q: "0xABCDEF",
      state: "unpaid",
      direction: "mob-to-usdt",
      since: "2026-03-29",
      until: "2026-03-29",
    });
    expect(query).toEqual({
      search: "0xABCDEF",
      state: "unpaid",
      source_asset_symbol: "MOB",
      created_from: "2026-03-28T23:00:00.000Z",
      created_before: "2026-03-29T22:00:00.000Z",
    });
  });

  it("are ignored if the exchange couldn't read them: the last day of all, and control characters", () => {
    expect(read("since=9999-12-31&until=9999-12-31&q=%00abcdef").query).toEqual({});
    expect(read("until=9999-12-30").query).toEqual({ created_before: "9999-12-31T00:00:00.000Z" });
  });

  it.each(["", "q=&state=&direction=&since=&until=", "state=paid&direction=up&since=31.1.2026&until=2026-02-30"])(
    "are ignored if they are empty or invalid: %j",
    (search) => {
      const { filters, errors, query } = read(search);
      expect([errors, query]).toEqual([{}, {}]);
      expect(toFilteredPath(filters)).toBe("/doger");
    },
  );

  it("are named beside the field if the visitor has to change them, and not sent", () => {
    const { errors, query } = read("q=abc&since=2026-02-01&until=2026-01-31&state=completed");
    expect(errors).toEqual({
      q: "Enter at least 6 characters, or a full swap number.",
      until: "The last day must not be before the first day.",
    });
    expect(query).toEqual({ state: "completed", created_from: "2026-02-01T00:00:00.000Z" });
  });

  it("may be a search of six characters, one day alone, and days since 2000", () => {
    expect(read("q=abcdef")).toMatchObject({ errors: {}, query: { search: "abcdef" } });
    expect(read("since=2000-01-01").query).toEqual({ created_from: "2000-01-01T00:00:00.000Z" });
    expect(read("until=2026-01-31")).toMatchObject({
      errors: {},
      query: { created_before: "2026-02-01T00:00:00.000Z" },
    });
    expect(read("since=1999-12-31&until=1999-12-31").query).toEqual({});
  });

  it("are part of the links to other pages and to the CSV file", () => {
    const { filters } = read("q=0xabcdef&since=2026-01-31");
    expect(toFilteredPath(filters, { cursor: "next" })).toBe("/doger?q=0xabcdef&since=2026-01-31&cursor=next");
    expect(toFilteredPath(filters, { isFile: true })).toBe("/doger/export.csv?q=0xabcdef&since=2026-01-31");
  });
});

describe("a filtered activity page", () => {
  const withOrders = (seen: string[]) => ({
    "GET /api/users/me": () => Response.json(makeUser()),
    "GET /api/users/me/passkeys": () => Response.json({ items: [], next: null }),
    "GET /api/users/me/consents": () => Response.json({ items: [] }),
    "GET /api/users/me/mail-preferences": () => Response.json({ payment_seen: true, paid_out: true, refunded: true }),
    "GET /api/users/me/sessions": () => Response.json({ items: [], next: null }),
    "GET /api/users/me/price-alerts": () => Response.json({ items: [] }),
    "GET /api/swap/swaps": (request: Request) => {
      const { searchParams } = new URL(request.url);
      seen.push(searchParams.toString());
      if (searchParams.get("cursor") === "nonsense") return refusal(422, "invalid", "No such cursor.");
      return Response.json({ items: searchParams.has("state") ? [] : [makeCompletedOrder()], next: null });
    },
  });
  const open = async (path: string) => args(path, { cookie: await sessionCookie() });

  it("requests the orders that match, and counts all of them", async () => {
    const seen: string[] = [];
    fakeExchange(withOrders(seen));
    const data = await loader(await open("/doger?state=completed"));
    expect(data).toMatchObject({ orders: [], filters: { state: "completed" }, count: { orders: 1 } });
    expect(seen.sort()).toEqual(["limit=100", "limit=20&count=true&state=completed"]);
  });

  it("keeps the filters when it drops an invalid cursor", async () => {
    fakeExchange(withOrders([]));
    const response = await responseOf(loader(await open("/doger?direction=usdt-to-mob&cursor=nonsense")));
    expect(response.headers.get("Location")).toBe("/doger?direction=usdt-to-mob");
  });

  it("has a CSV file with the orders that match", async () => {
    const seen: string[] = [];
    fakeExchange(withOrders(seen));
    const response = await exportLoader(await open("/doger/export.csv?state=completed&q=short"));
    expect((await response.text()).split("\r\n")).toHaveLength(2);
    expect(seen).toEqual(["limit=100&state=completed"]);
  });
});

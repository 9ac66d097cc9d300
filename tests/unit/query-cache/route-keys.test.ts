// @vitest-environment jsdom
import type { ClientActionFunctionArgs, ClientLoaderFunctionArgs } from "@remix-run/react";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { getQueryClient } from "~/query-cache/query-client";
import * as login from "~/routes/auth/login/route";
import * as register from "~/routes/auth/register/route";
import * as activity from "~/routes/doger/route";
import * as kyc from "~/routes/kyc/route";
import * as layout from "~/routes/layout/route";
import * as addAddress from "~/routes/swap/add-delivery-address/route";
import * as addresses from "~/routes/swap/delivery-addresses/route";
import * as swap from "~/routes/swap/index/route";
import * as mobToUsdt from "~/routes/swap/mob-to-usdt/route";
import * as quote from "~/routes/swap/quote/route";
import * as usdtToMob from "~/routes/swap/usdt-to-mob/route";
import "../../support/site";

// The files of a worker share its globals.
afterEach(() => vi.unstubAllGlobals());

type ClientLoader = (args: ClientLoaderFunctionArgs) => Promise<unknown>;

const cached: [path: string, loader: ClientLoader, names: string[]][] = [
  ["/swap", swap.clientLoader, ["activeQuote", "swaps", "deliveryAddress"]],
  ["/swap/usdt-to-mob", usdtToMob.clientLoader, ["assets", "deliveryAddress"]],
  ["/swap/mob-to-usdt", mobToUsdt.clientLoader, ["assets", "deliveryAddress"]],
  ["/swap/deliveryaddress", addresses.clientLoader, ["deliveryAddress"]],
  ["/swap/quote/7", quote.clientLoader, ["quote", "fundingAddress", "deliveryAddress"]],
  ["/doger", activity.clientLoader, ["swaps"]],
];
const allNames = ["user", "assets", "quote", "activeQuote", "fundingAddress", "deliveryAddress", "swaps"];

const load = (path: string, loader: ClientLoader) =>
  loader({
    request: new Request(`http://localhost:3000${path}`),
    params: {},
    serverLoader: async () => ({ path }),
  } as ClientLoaderFunctionArgs);

const readKeys = () =>
  getQueryClient()
    .getQueryCache()
    .getAll()
    .map(({ queryKey }) => queryKey);

describe("K07 the keys of the routes", () => {
  beforeEach(() => {
    vi.stubGlobal("__remixContext", { state: { loaderData: {} } });
    getQueryClient().clear();
  });

  it.each(cached)("K07 %s is cached by its URL and the names of what it shows", async (path, loader, names) => {
    await load(path, loader);
    expect(readKeys()).toEqual([[...names, path]]);
  });

  it("K07 the layout's user is cached once for all pages, and every key of the specification is used", async () => {
    await load("/swap", layout.clientLoader);
    await load("/doger", layout.clientLoader);
    expect(readKeys()).toEqual([["user", ""]]);
    expect([...new Set(["user", ...cached.flatMap(([, , names]) => names)])].sort()).toEqual([...allNames].sort());
  });

  it("K07 /kyc always loads from the server and drops everything, because the decision changes what other pages show", async () => {
    for (const [path, loader] of cached) await load(path, loader);
    expect(await load("/kyc", kyc.clientLoader)).toEqual({ path: "/kyc" });
    expect(readKeys()).toEqual([]);
  });

  it.each([
    ["/login", login.clientAction, []],
    ["/register", register.clientAction, []],
    ["/kyc", kyc.clientAction, []],
    [
      "/doger",
      activity.clientAction,
      ["/swap/usdt-to-mob", "/swap/mob-to-usdt", "/swap/deliveryaddress", "/swap/quote/7"],
    ],
    ["/swap/usdt-to-mob", usdtToMob.clientAction, ["/doger"]],
    ["/swap/mob-to-usdt", mobToUsdt.clientAction, ["/doger"]],
    ["/swap/deliveryaddress", addresses.clientAction, ["/doger"]],
    ["/swap/deliveryaddress/add", addAddress.clientAction, ["/doger"]],
    ["/swap/quote/7", quote.clientAction, ["/swap/usdt-to-mob", "/swap/mob-to-usdt", "/swap/deliveryaddress"]],
  ])("K07 a form on %s drops what it may have changed and keeps the rest", async (_path, clientAction, kept) => {
    for (const [path, loader] of cached) await load(path, loader);
    await clientAction({
      request: new Request("http://localhost:3000/", { method: "POST", body: new URLSearchParams() }),
      serverAction: async () => ({ ok: true }),
    } as unknown as ClientActionFunctionArgs);
    expect(readKeys().map((key) => key.at(-1))).toEqual(kept);
  });
});

describe("K07 the data of the document", () => {
  // Fresh modules: no other test may have dropped what the document contained.
  beforeAll(() => void vi.resetModules());
  // However long this worker has been running.
  beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: performance.timeOrigin + 1_000 }));
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  const routes = import.meta.glob<{ clientLoader: ClientLoader }>(
    "../../../app/routes/{layout,doger,swap/index,swap/usdt-to-mob,swap/mob-to-usdt,swap/delivery-addresses,swap/quote}/route.tsx",
  );
  it.each(Object.entries(routes).map(([file, open]) => [file.replace(/^.*\/app\/|\.tsx$/g, ""), open] as const))(
    "K07 %s is not loaded again while it is fresh",
    async (id, open) => {
      vi.stubGlobal("__remixContext", { state: { loaderData: { [id]: "from the document" } } });
      const document = { name: "http://localhost:3000/page" } as PerformanceEntry;
      vi.spyOn(performance, "getEntriesByType").mockReturnValue([document]);
      const { clientLoader } = await open();
      expect(await load("/page", clientLoader)).toBe("from the document");
    },
  );
});

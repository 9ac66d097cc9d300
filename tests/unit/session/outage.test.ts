import type { LoaderFunctionArgs } from "@remix-run/node";
import { describe, expect, it } from "vitest";
import { loader as loadActivity } from "~/routes/doger/route";
import { loader as loadKyc } from "~/routes/kyc/route";
import { loader as loadLayout } from "~/routes/layout/route";
import { loader as loadAddAddress } from "~/routes/swap/add-delivery-address/route";
import { loader as loadAddresses } from "~/routes/swap/delivery-addresses/route";
import { loader as loadSwap } from "~/routes/swap/index/route";
import { loader as loadMobToUsdt } from "~/routes/swap/mob-to-usdt/route";
import { loader as loadQuote } from "~/routes/swap/quote/route";
import { loader as loadUsdtToMob } from "~/routes/swap/usdt-to-mob/route";
import { getScope } from "~/session/scope.server";
import { args, fakeExchange, readSession, refusal, sessionCookie, withoutRetryWaits } from "../../support/site";

type Loader = (args: LoaderFunctionArgs) => Promise<unknown>;

const privatePages: [path: string, loader: Loader, params?: Record<string, string>][] = [
  ["/swap", loadSwap],
  ["/swap/usdt-to-mob", loadUsdtToMob],
  ["/swap/mob-to-usdt", loadMobToUsdt],
  ["/swap/deliveryaddress/", loadAddresses],
  ["/swap/deliveryaddress/add", loadAddAddress],
  ["/swap/quote/7", loadQuote, { quoteId: "7" }],
  ["/kyc", loadKyc],
  ["/doger", loadActivity],
];

/** The access token has expired, and the exchange cannot refresh it at the moment. The other calls would work. */
const outage = () =>
  fakeExchange({
    "GET /api/users/me": () => refusal(401, "token_expired", "Token expired"),
    "POST /api/auth/refresh": () => refusal(503, "starting", "The exchange is starting."),
    "GET /api/swap/delivery-addresses": () => Response.json({ items: [], next: null }),
    "GET /api/swap/swaps": () => Response.json({ items: [], next: null }),
  });

describe("S06 an outage during the refresh (decision 10)", () => {
  it.each(privatePages)(
    "S06 %s shows an error and nothing private, and stays signed in",
    async (path, loader, params) => {
      outage();
      const request = args(path, { cookie: await sessionCookie() });
      const load = () => loader({ ...request, params: params ?? {} }).catch((error: unknown) => error);
      const outcome = await withoutRetryWaits(load);
      expect(outcome).toMatchObject({ data: { message: "An error occurred fetching user" }, init: { status: 503 } });
      expect(Object.keys((outcome as { data: object }).data)).toEqual(["message"]);
      const headers = new Headers();
      (await getScope(request)).writeCookies(headers);
      expect(await readSession(headers)).toBeUndefined();
    },
  );

  it("S06 the layout shows the reason, without a user or an address", async () => {
    outage();
    const request = args("/welcome/1", { cookie: await sessionCookie() });
    expect(await withoutRetryWaits(async () => loadLayout(request))).toEqual({
      auth: "passkey",
      user: null,
      email: null,
      userError: "An error occurred fetching user",
    });
  });
});

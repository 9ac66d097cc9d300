import { describe, expect, it } from "vitest";
import { loader as indexLoader } from "~/routes/welcome/index/route";
import * as welcome from "~/routes/welcome/route";
import * as step from "~/routes/welcome/step/route";
import { getScope } from "~/session/scope.server";
import { makeRates } from "../../../support/rates";
import { args, fakeExchange, refusal, responseOf, sessionCookie } from "../../../support/site";

const at = (value: string) => ({ ...args(`/welcome/${value}`), params: { step: value } });

describe("/welcome", () => {
  it("R03 sets hasVisited once", async () => {
    const first = args("/welcome/1");
    await welcome.loader(first);
    const headers = new Headers();
    (await getScope(first)).writeCookies(headers);
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^hasVisited=true;/)]);

    const again = args("/welcome/1", { cookie: "hasVisited=true" });
    await welcome.loader(again);
    expect((await getScope(again)).isPrivate).toBe(false);
  });

  it("R03 the index redirects to the first step, replacing history", async () => {
    const response = await responseOf(indexLoader(args("/welcome")));
    expect(response.headers.get("Location")).toBe("/welcome/1");
    expect(response.headers.get("X-Remix-Replace")).toBe("true");
  });

  it("loads a step once, so that a failed refresh does not replace the page by an error", () => {
    const change = (from: string, to: string) =>
      step.shouldRevalidate({
        currentParams: { step: from },
        nextParams: { step: to },
        defaultShouldRevalidate: true,
      } as unknown as Parameters<typeof step.shouldRevalidate>[0]);
    expect([change("2", "2"), change("2", "3")]).toEqual([false, true]);
  });

  it("does not load React scripts", () => expect(welcome.handle).toEqual({ scripts: false }));

  it.each(["1", "2", "3", "4", "5", "6", "7", "8", "9"])("R04 K08 /welcome/%s shows a step", async (n) => {
    fakeExchange({});
    expect(await step.loader(at(n))).toMatchObject({ step: Number(n) });
  });

  it.each(["0", "10", "01", "1.0", "-1", "٣", "one", ""])("R04 R20 /welcome/%s is not found", async (n) => {
    await expect(step.loader(at(n))).rejects.toMatchObject({ init: { status: 404 } });
  });

  it("C01 requests the terms without a session, because they are the same for everyone (decision 24)", async () => {
    const { calls } = fakeExchange({});
    const cookie = await sessionCookie();
    for (const n of ["7", "8"]) await step.loader({ ...args(`/welcome/${n}`, { cookie }), params: { step: n } });
    expect(calls.map(({ call, token }) => [call, token])).toEqual([
      ["GET /api/rates", null],
      ["GET /api/rates", null],
    ]);
  });

  it("shows the exchange's terms, and renders without them if the exchange is unavailable", async () => {
    fakeExchange({ "GET /api/rates": () => refusal(418, "x", "No.") });
    expect((await step.loader(at("7"))).terms).toBeNull();
    fakeExchange({
      "GET /api/rates": () =>
        Response.json(
          makeRates({
            fee_bps: 75,
            limits: { min_usdt: "20", max_usdt: "5000" },
            quote_ttl_seconds: 45,
            lock_ttl_seconds: 1200,
            grace_seconds: 60,
          }),
        ),
    });
    const data = await step.loader(at("7"));
    expect(data.terms).toEqual({
      fee: "0.75%",
      minAmount: "20",
      maxAmount: "5,000",
      quoteValidity: "45 seconds",
      lockDuration: "20 minutes",
      grace: "60 seconds",
    });
  });
});

import { describe, expect, it } from "vitest";
import { action, loader } from "~/routes/swap/notifications/route";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../../support/site";
import { respondWith } from "./fixtures";

const path = "/swap/notifications";
const me = { "GET /api/users/me": respondWith(makeUser()) };
const keyCall = "GET /api/users/me/push-key";
const subscribeCall = "POST /api/users/me/push-subscriptions";
const form = { endpoint: "https://push.example/1", p256dh: "p".repeat(87), auth: "a".repeat(22) };
const readHeaders = ({ headers }: Response) => ["Cache-Control", "X-Content-Type-Options"].map((n) => headers.get(n));

describe("/swap/notifications", () => {
  it("gives a signed-in browser the key with which it subscribes", async () => {
    const exchange = fakeExchange({ ...me, [keyCall]: respondWith({ public_key: "key-1" }) });
    const response = await responseOf(loader(args(path, { cookie: await sessionCookie() })));
    expect(await response.json()).toEqual({ publicKey: "key-1" });
    expect(readHeaders(response)).toEqual(["private, no-store", "nosniff"]);
    expect(exchange.calls.at(-1)).toEqual({ call: keyCall, token: "access-1", body: null });
  });

  it("T84 sends the exchange the subscription, with the session that it ends with", async () => {
    const exchange = fakeExchange({ ...me, [subscribeCall]: () => new Response(null, { status: 204 }) });
    const response = await responseOf(action(args(path, { cookie: await sessionCookie(), form })));
    expect([response.status, await response.text()]).toEqual([204, ""]);
    expect(readHeaders(response)).toEqual(["private, no-store", "nosniff"]);
    const { endpoint, ...keys } = form;
    expect(exchange.calls.at(-1)).toEqual({ call: subscribeCall, token: "access-1", body: { endpoint, keys } });
  });

  it("S01 T84 does not give a key or accept a subscription without a passkey", async () => {
    const exchange = fakeExchange({ [keyCall]: respondWith({ public_key: "key-1" }) });
    for (const response of [loader(args(path)), action(args(path, { form }))]) {
      expect((await responseOf(response)).headers.get("Location")).toBe("/login?redirect=%2Fswap%2Fnotifications");
    }
    expect(exchange.calls).toEqual([]);
  });

  it.each(Object.keys(form))("refuses a subscription whose %s is missing, empty or too long", async (name) => {
    const exchange = fakeExchange({ ...me, [subscribeCall]: () => new Response(null, { status: 204 }) });
    const cookie = await sessionCookie();
    const rest = Object.entries(form).filter(([field]) => field !== name);
    for (const value of [[], [[name, ""]], [[name, "x".repeat(1_001)]]]) {
      const response = await responseOf(action(args(path, { cookie, form: Object.fromEntries([...rest, ...value]) })));
      expect(response.status).toBe(400);
    }
    expect(exchange.count(subscribeCall)).toBe(0);
    await action(args(path, { cookie, form: { ...form, [name]: "x".repeat(1_000) } }));
    expect(exchange.count(subscribeCall)).toBe(1);
  });

  it("passes on the exchange's refusals", async () => {
    fakeExchange({
      ...me,
      [keyCall]: () => refusal(403, "off", "Notifications are off."),
      [subscribeCall]: () => refusal(422, "endpoint_invalid", "This push service is not supported."),
    });
    const cookie = await sessionCookie();
    await expect(loader(args(path, { cookie }))).rejects.toMatchObject({
      data: { message: "Notifications are off." },
      init: { status: 403 },
    });
    await expect(action(args(path, { cookie, form }))).rejects.toMatchObject({
      data: { message: "This push service is not supported." },
      init: { status: 422 },
    });
  });
});

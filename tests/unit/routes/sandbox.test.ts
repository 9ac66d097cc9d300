import { describe, expect, it } from "vitest";
import { toRefused } from "~/lib/form-result";
import { runIntent } from "~/routes/sandbox/action.server";
import { readInbox, readMobWallet } from "~/routes/sandbox/embedded-sandbox.server";
import { parseSandboxParams, toHiddenFields, toSandboxPath } from "~/routes/sandbox/search-params";

const mob = "5QhFByaFYQAUhCekhmjPPAoQnAdqAW3DAMn8eEfoFB1b6";
const parse = (search: string) => parseSandboxParams(new URLSearchParams(search));
type Exchange = Parameters<typeof runIntent>[0];

/** Records the requests to the sandbox, and responds with the given response. */
function fakeSandbox(respond: () => Response) {
  const requests: { call: string; body: unknown }[] = [];
  const visitors: unknown[] = [];
  const sandbox = {
    async fetch(request: Request, visitor: unknown) {
      visitors.push(visitor);
      const body = request.method === "POST" ? await request.json() : null;
      requests.push({ call: `${request.method} ${new URL(request.url).pathname}`, body });
      return respond();
    },
  };
  return { requests, visitors, exchange: { sandbox } as unknown as Exchange };
}

const post = (exchange: Exchange, form: Record<string, string>) =>
  runIntent(exchange, new Request("http://localhost/sandbox", { method: "POST", body: new URLSearchParams(form) }));

describe("the sandbox page", () => {
  it("reads the payment and the return path from the link on a swap's page", () => {
    expect(parse(`payTo=${mob}&amount=12.5&redirect=/swap/quote/7`)).toEqual({
      to: null,
      asset: "MOB",
      address: mob,
      amount: "12.5",
      redirect: "/swap/quote/7",
    });
    const usdt = `asset=USDT&address=0x${"1".repeat(40)}&amount=10`;
    expect(parse(usdt)).toMatchObject({ asset: "USDT", address: `0x${"1".repeat(40)}` });
    expect(parse(toSandboxPath(parse(usdt)).split("?")[1] ?? "")).toEqual(parse(usdt));
  });

  it("keeps the payment in the fields of the inbox's filter", () => {
    const { to, ...others } = parse(`payTo=${mob}&amount=12.5&redirect=/swap/quote/7`);
    const fields = new URLSearchParams([...toHiddenFields(others), ["to", "ada@example.org"]]);
    expect(parse(String(fields))).toEqual({ ...others, to: "ada@example.org" });
    expect(to).toBeNull();
  });

  it("T1 drops invalid params, above all redirects to other sites", () => {
    expect(parse("redirect=//evil.example&amount=1e9&payTo=<b>&to=nobody&asset=BTC")).toEqual({
      to: null,
      asset: null,
      address: null,
      amount: null,
      redirect: null,
    });
    expect(parse(`asset=USDT&address=${mob}`).address).toBeNull();
  });

  it.each(["a%00@example.org", "ada@example.org%00", "a%1Bda@example.org"])(
    "drops an address with control characters, which the inbox cannot search for: %s",
    (to) => expect(parse(`to=${to}`).to).toBeNull(),
  );

  it("posts the faucet form to the faucet and shows the hash", async () => {
    const { requests, exchange } = fakeSandbox(() => Response.json({ hash: "0xabc" }));
    const result = await post(exchange, { intent: "faucet", address: " 0x12 ", asset: "USDT", amount: "1,000" });
    expect(requests).toEqual([
      { call: "POST /sandbox/faucet", body: { address: "0x12", asset: "USDT", amount: "1000" } },
    ]);
    expect(result).toEqual({
      intent: "faucet",
      kind: "done",
      values: { address: "0x12", asset: "USDT", amount: "1000" },
      text: "1000 USDT sent and confirmed",
      hash: "0xabc",
    });
  });

  it.each([
    ["1,234,567.5", "1234567.5"],
    ["1.234,567", "1.234,567"],
    ["1,5", "1,5"],
    ["1234,567", "1234,567"],
  ])("drops only commas between thousands: %s is sent as %s", async (amount, sent) => {
    const { requests, exchange } = fakeSandbox(() => Response.json({ hash: "0xabc" }));
    await post(exchange, { intent: "pay", address: mob, amount });
    expect(requests).toMatchObject([{ body: { amount: sent } }]);
  });

  it("shows the sandbox's error and keeps the typed values", async () => {
    const refusal = { detail: { code: "amount_too_large", message: "Too much." } };
    const { requests, exchange } = fakeSandbox(() => Response.json(refusal, { status: 422 }));
    const result = await post(exchange, { intent: "pay", address: mob, amount: "999" });
    expect(requests).toEqual([{ call: "POST /sandbox/mobilecoin/pay", body: { address: mob, amount: "999" } }]);
    expect(result).toEqual({
      intent: "pay",
      kind: "refused",
      error: "Too much.",
      values: { address: mob, amount: "999" },
    });
  });

  it("T14 tells the sandbox who the visitor is, because visitors take turns", async () => {
    const { visitors, exchange } = fakeSandbox(() => Response.json({ hash: "0xabc" }));
    for (const form of [
      { intent: "faucet", asset: "ETH" },
      { intent: "pay", asset: "MOB" },
    ]) {
      const body = new URLSearchParams({ ...form, address: "0x12", amount: "1" });
      await runIntent(exchange, new Request("http://localhost/sandbox", { method: "POST", body }), "192.0.2.1");
    }
    expect(visitors).toEqual([{ remoteAddress: "192.0.2.1" }, { remoteAddress: "192.0.2.1" }]);
  });

  it("is a 503 if the sandbox cannot read its e-mails or its wallet, as while the database is down", async () => {
    const failure = { detail: { code: "sandbox_failed", message: "The sandbox couldn't do this." } };
    const { exchange } = fakeSandbox(() => Response.json(failure, { status: 502 }));
    await expect(readInbox(exchange, null)).rejects.toMatchObject({ init: { status: 503 } });
    await expect(readMobWallet(exchange)).rejects.toMatchObject({ init: { status: 503 } });
  });

  it("reports missing fields without calling the sandbox, and refuses unknown intents", async () => {
    const { requests, exchange } = fakeSandbox(() => Response.json({}));
    const fields = async (form: Record<string, string>) => toRefused(await post(exchange, form))?.fields;
    expect(await fields({ intent: "pay", address: "", amount: "1" })).toEqual({ address: expect.any(String) });
    expect(await fields({ intent: "pay", address: mob, amount: " " })).toEqual({ amount: expect.any(String) });
    expect(await fields({ intent: "faucet", address: "0x12", amount: "1" })).toEqual({ asset: "Choose USDT or ETH." });
    await expect(post(exchange, { intent: "drain" })).rejects.toMatchObject({ status: 400 });
    expect(requests).toEqual([]);
  });
});

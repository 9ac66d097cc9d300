import { describe, expect, it } from "vitest";
import { act } from "~/routes/sandbox/act.server";
import { parseSandboxParams, toSandboxPath } from "~/routes/sandbox/search-params";

const mob = "5QhFByaFYQAUhCekhmjPPAoQnAdqAW3DAMn8eEfoFB1b6";
const parse = (search: string) => parseSandboxParams(new URLSearchParams(search));
type Exchange = Parameters<typeof act>[0];

/** Remembers what the page asked of the sandbox, and answers as told. */
function fakeSandbox(answer: () => Response) {
  const asked: { call: string; body: unknown }[] = [];
  const sandbox = {
    async fetch(request: Request) {
      asked.push({ call: `${request.method} ${new URL(request.url).pathname}`, body: await request.json() });
      return answer();
    },
  };
  return { asked, exchange: { sandbox } as unknown as Exchange };
}

describe("the sandbox page", () => {
  it("takes from an order's page what is to be paid, and the way back", () => {
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

  it("T1 drops what does not fit, other sites' addresses before all", () => {
    expect(parse("redirect=//evil.example&amount=1e9&payTo=<b>&to=nobody&asset=BTC")).toEqual({
      to: null,
      asset: null,
      address: null,
      amount: null,
      redirect: null,
    });
    expect(parse(`asset=USDT&address=${mob}`).address).toBeNull();
  });

  it("posts the faucet's form to the faucet and tells the hash", async () => {
    const { asked, exchange } = fakeSandbox(() => Response.json({ hash: "0xabc" }));
    const result = await act(exchange, { intent: "faucet", address: " 0x12 ", asset: "USDT", amount: "1,000" });
    expect(asked).toEqual([{ call: "POST /sandbox/faucet", body: { address: "0x12", asset: "USDT", amount: "1000" } }]);
    expect(result).toMatchObject({ error: null, done: { title: "1000 USDT sent, and in a block", hash: "0xabc" } });
  });

  it("shows a refusal's own words and keeps what was typed", async () => {
    const refusal = { detail: { code: "amount_too_large", message: "Too much." } };
    const { asked, exchange } = fakeSandbox(() => Response.json(refusal, { status: 422 }));
    const result = await act(exchange, { intent: "pay", address: mob, amount: "999" });
    expect(asked).toEqual([{ call: "POST /sandbox/mobilecoin/pay", body: { address: mob, amount: "999" } }]);
    expect(result).toMatchObject({ error: "Too much.", done: null, values: { address: mob, amount: "999" } });
  });

  it("asks for what is missing without troubling the sandbox, and knows no other form", async () => {
    const { asked, exchange } = fakeSandbox(() => Response.json({}));
    expect((await act(exchange, { intent: "pay", address: "", amount: "1" }))?.error).toMatch(/address/);
    expect((await act(exchange, { intent: "pay", address: mob, amount: " " }))?.error).toMatch(/amount/);
    expect(await act(exchange, { intent: "drain" })).toBeNull();
    expect(asked).toEqual([]);
  });
});

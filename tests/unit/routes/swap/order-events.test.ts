import { describe, expect, it } from "vitest";
import { loader } from "~/routes/swap/order-events/route";
import { args, fakeExchange, refusal, responseOf, sessionCookie } from "../../../support/site";
import { makeOrder } from "./fixtures";

async function request(method: "GET" | "HEAD") {
  const given = args("/swap/orders/o1/events", { cookie: await sessionCookie() });
  return responseOf(loader({ ...given, request: new Request(given.request, { method }), params: { orderId: "o1" } }));
}

describe("an order's event stream on the site", () => {
  it("T16 answers HEAD without opening a stream of the exchange", async () => {
    const exchange = fakeExchange({
      "GET /api/swap/swaps/o1": () => Response.json(makeOrder({ id: "o1" })),
      "GET /api/swap/swaps/o1/events": () => new Response("event: order\n\n"),
    });
    const response = await request("HEAD");
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, "text/event-stream"]);
    expect(exchange.count("GET /api/swap/swaps/o1/events")).toBe(0);
    expect(await (await request("GET")).text()).toBe("event: order\n\n");
  });

  it("passes on the exchange's refusals", async () => {
    const notFound = () => refusal(404, "not_found", "Not found.");
    fakeExchange({ "GET /api/swap/swaps/o1": notFound, "GET /api/swap/swaps/o1/events": notFound });
    expect([(await request("HEAD")).status, (await request("GET")).status]).toEqual([404, 404]);
  });
});

// @vitest-environment jsdom
import { useLoaderData } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order } from "~/api/contract";
import { useLiveOrder } from "~/routes/swap/quote/use-live-order";
import { deferred } from "../../../support/deferred";
import { makeOrder } from "./fixtures";

/** Stands in for the browser's EventSource, which a test refuses or uses to send orders. */
class FakeEventSource extends EventTarget {
  static CLOSED = 2;
  static opened: FakeEventSource[] = [];
  readyState = 0;
  close = vi.fn();
  constructor(readonly url: string) {
    super();
    FakeEventSource.opened.push(this);
  }
}

const refuse = () =>
  act(async () => {
    const stream = FakeEventSource.opened.at(-1);
    Object.assign(stream ?? {}, { readyState: FakeEventSource.CLOSED });
    stream?.dispatchEvent(new Event("error"));
  });
const send = (order: Order) =>
  act(async () => {
    FakeEventSource.opened.at(-1)?.dispatchEvent(new MessageEvent("order", { data: JSON.stringify(order) }));
  });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

let loads = 0;
let answer: () => Order | Promise<Order> = () => makeOrder();

const Shown = () => <p>{useLiveOrder(useLoaderData<Order>()).status}</p>;

function show() {
  const loader = () => {
    loads += 1;
    return answer();
  };
  const Stub = createRemixStub([{ path: "/", id: "order", loader, Component: Shown }]);
  render(<Stub hydrationData={{ loaderData: { order: makeOrder() } }} />);
}

beforeEach(() => {
  loads = 0;
  answer = () => makeOrder();
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

describe("an order whose event stream is refused", () => {
  it("is loaded every five seconds, and follows the stream again once that works", async () => {
    show();
    await refuse();
    await pass(55_000);
    expect([loads, FakeEventSource.opened.length]).toEqual([11, 1]);
    await pass(6_000);
    expect(FakeEventSource.opened).toHaveLength(2);
    expect(FakeEventSource.opened[0]?.close).toHaveBeenCalled();
    await send(makeOrder({ status: "confirming", updated_at: "2031-01-01T00:00:00.000Z" }));
    screen.getByText("confirming");
    const before = loads;
    await pass(120_000);
    expect([loads, FakeEventSource.opened.length]).toEqual([before, 2]);
  });

  it("is not loaded again before the last load has ended", async () => {
    const loaded = deferred<Order>();
    answer = () => loaded.promise;
    show();
    await refuse();
    for (const ms of [5_000, 5_000, 5_000]) await pass(ms);
    expect(loads).toBe(1);
    await act(async () => loaded.resolve(makeOrder()));
    await pass(6_000);
    expect(loads).toBe(2);
  });
});

// @vitest-environment jsdom
import { useLoaderData } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Order } from "~/api/contract";
import { useLiveOrder } from "~/routes/swap/quote/order/use-live-order";
import { deferred } from "../../../support/deferred";
import { makeOrder, makeTransaction } from "../../../support/orders";

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
let respond: () => Order | Promise<Order> = () => makeOrder();

let notifiesHere = false;
const Shown = () => <p>{useLiveOrder(useLoaderData<Order>(), notifiesHere).status}</p>;

function show() {
  const loader = () => {
    loads += 1;
    return respond();
  };
  const Stub = createRemixStub([{ path: "/", id: "order", loader, Component: Shown }]);
  render(<Stub hydrationData={{ loaderData: { order: makeOrder() } }} />);
}

beforeEach(() => {
  loads = 0;
  respond = () => makeOrder();
  FakeEventSource.opened = [];
  vi.stubGlobal("EventSource", FakeEventSource);
  notifiesHere = false;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

it("loads an order again whose stream names a status that this page does not know", async () => {
  show();
  await send({ ...makeOrder(), status: "frozen" as Order["status"], updated_at: "2031-01-01T00:00:00.000Z" });
  expect(loads).toBe(1);
  screen.getByText(makeOrder().status);
});

it("follows an order until nothing more is on its way, even if its status is final", async () => {
  show();
  const surplus = makeTransaction({ purpose: "refund", status: "pending", hash: null });
  const completed = makeOrder({ status: "completed", updated_at: "2031-01-01T00:00:00.000Z" });
  await send({ ...completed, outgoing_txs: [surplus] });
  screen.getByText("completed");
  const [stream] = FakeEventSource.opened;
  expect(stream?.close).not.toHaveBeenCalled();
  await send({
    ...completed,
    outgoing_txs: [{ ...surplus, status: "confirmed" }],
    updated_at: "2031-01-01T00:01:00.000Z",
  });
  expect([stream?.close.mock.calls.length, FakeEventSource.opened.length]).toEqual([1, 1]);
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
    respond = () => loaded.promise;
    show();
    await refuse();
    for (const ms of [5_000, 5_000, 5_000]) await pass(ms);
    expect(loads).toBe(1);
    await act(async () => loaded.resolve(makeOrder()));
    await pass(6_000);
    expect(loads).toBe(2);
  });
});

describe("the event stream of a page that is hidden", () => {
  const minutes = 60_000;
  let visibility: DocumentVisibilityState;
  const turn = (to: DocumentVisibilityState) =>
    act(async () => {
      visibility = to;
      document.dispatchEvent(new Event("visibilitychange"));
    });
  /** How many streams are open, of how many that were opened. */
  const streams = () => {
    const { opened } = FakeEventSource;
    return [opened.filter(({ close }) => close.mock.calls.length === 0).length, opened.length];
  };
  beforeEach(() => {
    visibility = "visible";
    vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
  });

  it("is closed after five minutes, and opened again when the page becomes visible", async () => {
    show();
    await turn("hidden");
    await pass(4 * minutes);
    await turn("visible");
    await turn("hidden");
    await pass(5 * minutes - 1_000);
    expect(streams()).toEqual([1, 1]);
    await pass(2_000);
    expect(streams()).toEqual([0, 1]);
    await turn("visible");
    expect(streams()).toEqual([1, 2]);
    await send(makeOrder({ status: "confirming", updated_at: "2031-01-01T00:00:00.000Z" }));
    screen.getByText("confirming");
    expect(loads).toBe(0);
  });

  it("stays open while the page itself notifies the visitor", async () => {
    notifiesHere = true;
    show();
    await turn("hidden");
    await pass(60 * minutes);
    expect(streams()).toEqual([1, 1]);
  });

  it("is closed if the page was opened in the background", async () => {
    visibility = "hidden";
    show();
    await pass(5 * minutes + 1_000);
    expect(streams()).toEqual([0, 1]);
  });
});

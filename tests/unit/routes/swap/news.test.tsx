// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toOrderWords } from "~/components/order/order-words";
import { plainNumberStyle } from "~/lib/number-style";
import type { OrderStatus } from "~/lib/order-states";
import { DoneNotice } from "~/routes/swap/quote/done-notice";
import { useNews } from "~/routes/swap/quote/use-news";
import { makeOrder } from "./world";

/** A browser's notifications: what a page asks, what the person answers, what is shown. */
class FakeNotification {
  static permission: NotificationPermission = "default";
  static answer: NotificationPermission = "granted";
  static asked = 0;
  static shown: FakeNotification[] = [];
  static async requestPermission(): Promise<NotificationPermission> {
    FakeNotification.asked += 1;
    FakeNotification.permission = FakeNotification.answer;
    return FakeNotification.answer;
  }
  onclick: (() => void) | null = null;
  close = vi.fn();
  constructor(
    readonly title: string,
    readonly options: NotificationOptions,
  ) {
    FakeNotification.shown.push(this);
  }
}

let visibility: DocumentVisibilityState = "visible";

function Screen({ status }: { status: OrderStatus }) {
  const news = useNews(status, toOrderWords(makeOrder({ status }), plainNumberStyle, 0));
  return <DoneNotice news={news} />;
}

async function show(status: OrderStatus) {
  const { rerender } = render(<Screen status={status} />);
  await act(async () => undefined);
  return (next: OrderStatus) => act(async () => rerender(<Screen status={next} />));
}

const press = () =>
  act(async () => void fireEvent.click(screen.getByRole("button", { name: "Tell me when it is done" })));
const shown = () => FakeNotification.shown.map(({ title }) => title);

beforeEach(() => {
  Object.assign(FakeNotification, { permission: "default", answer: "granted", asked: 0, shown: [] });
  vi.stubGlobal("Notification", FakeNotification);
  visibility = "visible";
  vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  Reflect.deleteProperty(navigator, "serviceWorker");
});

describe("Tell me when it is done", () => {
  it("asks the browser at the press and not before; then says what was agreed", async () => {
    await show("confirming");
    expect(FakeNotification.asked).toBe(0);
    await press();
    expect(FakeNotification.asked).toBe(1);
    expect(screen.getByText(/We tell you here/)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("tells who looks elsewhere that the coins arrived, in the order's own words", async () => {
    const goOn = await show("confirming");
    await press();
    visibility = "hidden";
    await goOn("paying_out");
    expect(shown()).toEqual([]);
    await goOn("completed");
    expect(shown()).toEqual(["710.704482\u00a0MOB delivered"]);
    expect(FakeNotification.shown[0]?.options).toMatchObject({
      body: expect.stringMatching(/final/),
      icon: "/icon-192.png",
    });
    await goOn("completed");
    expect(shown()).toHaveLength(1);
  });

  it("leads back to the page when it is pressed", async () => {
    const focus = vi.spyOn(window, "focus").mockImplementation(() => undefined);
    const goOn = await show("paying_out");
    await press();
    visibility = "hidden";
    await goOn("completed");
    FakeNotification.shown[0]?.onclick?.();
    expect(focus).toHaveBeenCalledOnce();
    expect(FakeNotification.shown[0]?.close).toHaveBeenCalledOnce();
  });

  it("tells that somebody is needed, too", async () => {
    const goOn = await show("confirming");
    await press();
    visibility = "hidden";
    await goOn("on_hold");
    expect(shown()).toEqual(["This swap is on hold"]);
  });

  it("does not tell what is looked at anyway, nor anybody who did not ask", async () => {
    const goOn = await show("confirming");
    visibility = "hidden";
    await goOn("completed");
    expect(shown()).toEqual([]);
    cleanup();
    visibility = "visible";
    const goOnHere = await show("confirming");
    await press();
    await goOnHere("completed");
    expect(shown()).toEqual([]);
  });

  it("says so where the person declines, and tells nothing", async () => {
    FakeNotification.answer = "denied";
    const goOn = await show("confirming");
    await press();
    expect(screen.getByText(/shows no notifications from here/)).toBeTruthy();
    visibility = "hidden";
    await goOn("completed");
    expect(shown()).toEqual([]);
  });

  it("does not ask again where it was declined before, nor where the browser has none", async () => {
    FakeNotification.permission = "denied";
    await show("confirming");
    expect(screen.queryByRole("button")).toBeNull();
    cleanup();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(window, "Notification");
    await show("confirming");
    expect(screen.getByText(/stays up to date/)).toBeTruthy();
  });

  it("goes by the service worker where there is one, since Android takes none from a page", async () => {
    const showNotification = vi.fn(async () => undefined);
    Object.defineProperty(navigator, "serviceWorker", {
      configurable: true,
      value: { getRegistration: async () => ({ showNotification }) },
    });
    const goOn = await show("confirming");
    await press();
    visibility = "hidden";
    await goOn("completed");
    expect(showNotification).toHaveBeenCalledWith(
      "710.704482\u00a0MOB delivered",
      expect.objectContaining({ data: window.location.href }),
    );
    expect(shown()).toEqual([]);
  });

  it("a browser that takes none after all breaks nothing", async () => {
    const goOn = await show("confirming");
    await press();
    visibility = "hidden";
    vi.stubGlobal(
      "Notification",
      class extends FakeNotification {
        constructor() {
          super("", {});
          throw new TypeError("Illegal constructor");
        }
      },
    );
    await goOn("completed");
    expect(screen.getByText(/We tell you here/)).toBeTruthy();
  });
});

// @vitest-environment jsdom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { toOrderNumber } from "~/lib/order-number";
import type { OrderStatus } from "~/lib/order-states";
import { NotificationOffer } from "~/routes/swap/quote/order/notification-offer";
import { useNotifications, useNotifyOnChange } from "~/routes/swap/quote/order/use-notifications";
import { makeOrder } from "../../../support/orders";
import { quoteId } from "../../../support/quotes";

/** Stands in for the browser's Notification: counts requests, responds to them, and records what is shown. */
class FakeNotification {
  static permission: NotificationPermission = "default";
  static response: NotificationPermission = "granted";
  static requests = 0;
  static shown: FakeNotification[] = [];
  static async requestPermission(): Promise<NotificationPermission> {
    FakeNotification.requests += 1;
    FakeNotification.permission = FakeNotification.response;
    return FakeNotification.response;
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

const number = toOrderNumber(quoteId);

let visibility: DocumentVisibilityState = "visible";

function Screen({ status }: { status: OrderStatus }) {
  const notifications = useNotifications();
  useNotifyOnChange(makeOrder({ status }), notifications);
  return <NotificationOffer notifications={notifications} />;
}

async function show(status: OrderStatus) {
  const { rerender } = render(<Screen status={status} />);
  await act(async () => undefined);
  return (next: OrderStatus) => act(async () => rerender(<Screen status={next} />));
}

const press = () =>
  act(async () => void fireEvent.click(screen.getByRole("button", { name: "Notify me when it's done" })));
const shown = () => FakeNotification.shown.map(({ title }) => title);

beforeEach(() => {
  Object.assign(FakeNotification, { permission: "default", response: "granted", requests: 0, shown: [] });
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

describe("Notify me when it's done", () => {
  it("can be pressed again if the browser's prompt was dismissed", async () => {
    FakeNotification.response = "default";
    await show("confirming");
    await press();
    FakeNotification.response = "granted";
    await press();
    expect(screen.getByText(/We'll notify you/)).toBeTruthy();
  });

  it("asks for permission only when pressed, then confirms it", async () => {
    await show("confirming");
    expect(FakeNotification.requests).toBe(0);
    await press();
    expect(FakeNotification.requests).toBe(1);
    expect(screen.getByText(/We'll notify you/)).toBeTruthy();
    expect(screen.queryByRole("button")).toBeNull();
  });

  it("notifies a hidden page when the coins arrive, without amounts, which others may see", async () => {
    const continueTo = await show("confirming");
    await press();
    visibility = "hidden";
    await continueTo("paying_out");
    expect(shown()).toEqual([]);
    await continueTo("completed");
    expect(shown()).toEqual([`Your swap is complete: ${number}`]);
    expect(FakeNotification.shown[0]?.options).toMatchObject({
      body: expect.stringMatching(/final/),
      icon: "/icon-192.png",
    });
    await continueTo("completed");
    expect(shown()).toHaveLength(1);
  });

  it("focuses the page when the notification is clicked", async () => {
    const focus = vi.spyOn(window, "focus").mockImplementation(() => undefined);
    const continueTo = await show("paying_out");
    await press();
    visibility = "hidden";
    await continueTo("completed");
    FakeNotification.shown[0]?.onclick?.();
    expect(focus).toHaveBeenCalledOnce();
    expect(FakeNotification.shown[0]?.close).toHaveBeenCalledOnce();
  });

  it("notifies when the order needs attention", async () => {
    const continueTo = await show("confirming");
    await press();
    visibility = "hidden";
    await continueTo("on_hold");
    expect(shown()).toEqual([`Your swap is on hold: ${number}`]);
  });

  it("does not notify without permission or while the page is visible", async () => {
    const continueTo = await show("confirming");
    visibility = "hidden";
    await continueTo("completed");
    expect(shown()).toEqual([]);
    cleanup();
    visibility = "visible";
    const continueVisible = await show("confirming");
    await press();
    await continueVisible("completed");
    expect(shown()).toEqual([]);
  });

  it("says so if the visitor declines, and never notifies", async () => {
    FakeNotification.response = "denied";
    const continueTo = await show("confirming");
    await press();
    expect(screen.getByText(/doesn't allow notifications from this site/)).toBeTruthy();
    visibility = "hidden";
    await continueTo("completed");
    expect(shown()).toEqual([]);
  });

  it("does not ask again if it was declined before or the browser has no notifications", async () => {
    FakeNotification.permission = "denied";
    await show("confirming");
    expect(screen.queryByRole("button")).toBeNull();
    cleanup();
    vi.unstubAllGlobals();
    Reflect.deleteProperty(window, "Notification");
    await show("confirming");
    expect(screen.getByText(/still updates automatically/)).toBeTruthy();
  });

  it("uses the service worker if there is one, because Android refuses notifications from a page", async () => {
    const showNotification = vi.fn(async () => undefined);
    Object.defineProperty(navigator, "serviceWorker", {
      configurable: true,
      value: { getRegistration: async () => ({ showNotification }) },
    });
    const continueTo = await show("confirming");
    await press();
    visibility = "hidden";
    await continueTo("completed");
    expect(showNotification).toHaveBeenCalledWith(
      `Your swap is complete: ${number}`,
      expect.objectContaining({ data: window.location.href }),
    );
    expect(shown()).toEqual([]);
  });

  it("survives a browser that refuses to show the notification", async () => {
    const continueTo = await show("confirming");
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
    await continueTo("completed");
    expect(screen.getByText(/We'll notify you/)).toBeTruthy();
  });
});

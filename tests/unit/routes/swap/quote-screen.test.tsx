// @vitest-environment jsdom
import { useActionData, useLoaderData } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Quote } from "~/api/contract";
import type { QuoteResult } from "~/routes/swap/quote/action.server";
import type { OpenQuoteData } from "~/routes/swap/quote/loader.server";
import { QuoteScreen } from "~/routes/swap/quote/open-quote/quote-screen";
import { useJustChanged } from "~/routes/swap/quote/use-just-changed";
import { chooseAddress } from "~/swaps/saved-address";
import { deferred } from "../../../support/deferred";
import { makeQuote } from "../../../support/quotes";
import { rates } from "./fixtures";

const { history: _, ...published } = rates;
const start = Date.parse(makeQuote().created_at);
const address = { id: "mob-1", type: "MOB" as const, address: "mob-address", label: "My Signal" };

let shown: OpenQuoteData;
/** What the action returns, unless it is a renewed price. */
let refusal: QuoteResult | null;
/** What the action waits for. */
let held: Promise<void> | undefined;
const stopped: QuoteResult = { kind: "refused", error: "Swaps are stopped." };
const posted: FormData[] = [];
const Screen = () => <QuoteScreen data={useLoaderData<OpenQuoteData>()} result={useActionData<QuoteResult>()} />;

const path = "/swap/quote/1";

function show(quote: Partial<Quote> = {}, changes: Partial<OpenQuoteData> = {}, search = "") {
  shown = {
    kind: "quote",
    nowMs: Date.now(),
    payoutsWaitUntil: null,
    quote: makeQuote(quote),
    previousAmount: null,
    isFirst: false,
    rates: published,
    delivery: { addresses: [address], chosen: "mob-1" },
    refund: { addresses: [], chosen: null },
    idempotencyKey: "00000000-0000-4000-8000-000000000000",
    ...changes,
  };
  const Stub = createRemixStub([
    {
      id: "page",
      path,
      Component: Screen,
      loader: ({ request }) => {
        const { addresses } = shown.delivery;
        const requested = new URL(request.url).searchParams.get("delivery");
        return { ...shown, delivery: { addresses, chosen: chooseAddress("delivery", addresses, requested, null) } };
      },
      action: async ({ request }) => {
        posted.push(await request.formData());
        await held;
        if (refusal) return { ...refusal };
        const at = Date.now();
        shown = {
          ...shown,
          nowMs: at,
          previousAmount: shown.quote.target_amount,
          quote: makeQuote({
            id: 6 + posted.length,
            target_amount: "710.204482",
            created_at: new Date(at).toISOString(),
            expires_at: new Date(at + 60_000).toISOString(),
          }),
        };
        return null;
      },
    },
  ]);
  return render(<Stub initialEntries={[path + search]} hydrationData={{ loaderData: { page: shown } }} />);
}

const advance = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Locks the price, once it has been shown for a moment. */
async function lock() {
  const button = await screen.findByRole("button", { name: "Lock this price" });
  await advance(1_000);
  fireEvent.click(button);
}

beforeEach(() => {
  posted.length = 0;
  refusal = null;
  held = undefined;
  const toFake = ["Date", "setInterval", "clearInterval", "setTimeout", "clearTimeout"] as const;
  vi.useFakeTimers({ now: start, shouldAdvanceTime: true, toFake: [...toFake] });
});
afterEach(() => {
  vi.useRealTimers();
  cleanup();
});

describe("the quote of a new customer", () => {
  it("says which step of the first swap it is", () => {
    show({}, { isFirst: true });
    expect(screen.getByText(/^Step 4 of 4:/).textContent).toBe("Step 4 of 4: Make your swap");
  });

  it("has no steps after the first swap", () => {
    show();
    expect(screen.queryByText(/^Step /)).toBeNull();
  });
});

describe("the quote of an account that was recovered recently", () => {
  const textWith = (ms: number) =>
    show({}, { payoutsWaitUntil: new Date(start + ms).toISOString() }).container.textContent;

  it("says until when the payout waits, before the price is locked", () => {
    expect(textWith(2 * 3_600_000)).toMatch(/Payout in 2 hours.*Your account was recovered recently/);
    cleanup();
    expect(textWith(-1)).not.toContain("Payout in");
  });
});

describe("the amounts of a quote", () => {
  it("are changed with the addresses that are chosen now", async () => {
    const other = { ...address, id: "mob-2", label: "Old phone" };
    show({}, { delivery: { addresses: [address, other], chosen: "mob-1" } });
    fireEvent.click(screen.getByRole("radio", { name: /^Old phone/ }));
    fireEvent.click(screen.getByRole("button", { name: "Change the amount" }));
    await waitFor(() => expect(posted).toHaveLength(1));
    expect(Object.fromEntries(posted[0] ?? [])).toMatchObject({ intent: "change-amount", delivery: "mob-2" });
  });

  it("show their exact digits on demand if one of them is shortened, even if it is only the fee", () => {
    show({
      source_asset_symbol: "MOB",
      target_asset_symbol: "USDT",
      source_amount: "30",
      target_amount: "9.999999",
      fee_amount: "1.428571428572",
      fee_asset_symbol: "MOB",
      exchange_rate: "0.350000000000",
    });
    screen.getByText("1.4286\u00a0MOB (4.8%)", { normalizer: (text) => text });
    expect(screen.getByText("Exact amounts").closest("details")?.textContent).toContain("Fee1.428571428572 MOB");
  });

  it("have nothing to add if all digits are shown", () => {
    show();
    expect(screen.queryByText("Exact amounts")).toBeNull();
  });
});

describe("a form that was sent", () => {
  it("is not sent again with the Enter key while the price is being locked, or renewed once it is over", async () => {
    const response = deferred();
    held = response.promise;
    refusal = stopped;
    const { container } = show();
    const first = container.querySelector<HTMLButtonElement>('button[type="submit"]');
    await advance(1_000);
    expect([first?.value, first?.disabled]).toEqual(["lock", false]);
    await lock();
    await screen.findByText("Locking the price…");
    expect(first?.disabled).toBe(true);
    response.resolve();
    await screen.findByText("Swaps are stopped.");
    expect(first?.disabled).toBe(false);
    held = new Promise(() => undefined);
    await advance(61_000);
    await screen.findByText("Getting a new price…");
    expect(first?.disabled).toBe(true);
  });

  it("announces a refusal again if it is the same as the last one", async () => {
    refusal = stopped;
    show();
    await lock();
    const first = (await screen.findByText("Swaps are stopped.")).closest("[role=alert]");
    await lock();
    await waitFor(() => expect(posted).toHaveLength(2));
    await waitFor(() => expect(first?.isConnected).toBe(false));
    expect(screen.getByRole("alert").textContent).toBe("Swaps are stopped.");
  });

  it("leads to the choice of an address that it lacks", async () => {
    refusal = { kind: "refused", fields: { delivery: "Choose an address." } };
    show({}, { delivery: { addresses: [address], chosen: null } });
    await lock();
    const group = await screen.findByRole("radiogroup", { description: "Choose an address." });
    expect(group.getAttribute("aria-invalid")).toBe("true");
    const option = screen.getByRole("radio", { name: /^My Signal/, description: "Choose an address." });
    expect(document.activeElement).toBe(option);
  });

  it("shows on its own button that the page for a new address is being opened", async () => {
    held = new Promise(() => undefined);
    show();
    fireEvent.click(screen.getByRole("button", { name: "Add another for the payout" }));
    await screen.findByText("Opening…");
    expect(screen.getByRole("button", { name: "Add an address for refunds" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Lock this price" })).toBeTruthy();
  });
});

describe("an expired price", () => {
  it("is renewed with the chosen addresses, keeps the focus, and shows the change", async () => {
    show();
    const button = await screen.findByRole("button", { name: "Lock this price" });
    const regions: Element[] = screen.getAllByRole("status");
    button.focus();
    await advance(61_000);
    await waitFor(() => expect(posted).toHaveLength(1));
    expect(Object.fromEntries(posted[0] ?? [])).toMatchObject({ intent: "renew", delivery: "mob-1" });
    const change = await screen.findByText("You receive 710.204482 MOB, 0.50 MOB less than before (−0.07%).");
    expect(regions).toContain(change.closest("[role=status]"));
    expect(screen.getByRole("button", { name: "Lock this price" })).toBe(document.activeElement);
  });

  it("is not renewed again after a refusal: the visitor can try", async () => {
    refusal = stopped;
    show();
    await screen.findByRole("button", { name: "Lock this price" });
    await advance(61_000);
    await waitFor(() => expect(posted).toHaveLength(1));
    await screen.findByText("Swaps are stopped.");
    await advance(5_000);
    expect(posted).toHaveLength(1);
    fireEvent.click(screen.getByRole("button", { name: "Get a new price" }));
    await waitFor(() => expect(posted).toHaveLength(2));
  });

  it("is renewed even if its lock was refused before, and the refusal is no longer shown", async () => {
    refusal = stopped;
    show();
    await lock();
    await screen.findByText("Swaps are stopped.");
    refusal = null;
    await advance(61_000);
    await waitFor(() => expect(posted.map((form) => form.get("intent"))).toEqual(["lock", "renew"]));
    await waitFor(() => expect(screen.queryByText("Swaps are stopped.")).toBeNull());
  });

  it.each(["lock", "renew"])("keeps the addresses in its URL if it refuses the intent %s", async (intent) => {
    refusal = stopped;
    const newest = { ...address, id: "mob-2", address: "newer", label: "New" };
    show({}, { delivery: { addresses: [newest, address], chosen: "mob-1" } }, "?delivery=mob-1");
    const older = screen.getByRole("radio", { name: /My Signal/ });
    if (intent === "lock") await lock();
    else await advance(61_000);
    await screen.findByText("Swaps are stopped.");
    expect(posted[0]?.get("intent")).toBe(intent);
    expect(older).toMatchObject({ checked: true });
  });

  it("is renewed ten times without any activity, and again after some", async () => {
    show();
    await screen.findByRole("button", { name: "Lock this price" });
    for (let renewals = 1; renewals <= 10; renewals += 1) {
      await advance(61_000);
      await waitFor(() => expect(posted).toHaveLength(renewals));
      await screen.findByRole("button", { name: "Lock this price" });
    }
    await advance(61_000);
    await screen.findByRole("button", { name: "Get a new price" });
    expect(posted).toHaveLength(10);
    fireEvent.keyDown(document.body);
    await waitFor(() => expect(posted).toHaveLength(11));
  });

  it("waits for the page to be visible", async () => {
    const visibility = vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
    show();
    await screen.findByRole("button", { name: "Lock this price" });
    await advance(61_000);
    await screen.findByRole("button", { name: "Get a new price" });
    expect(posted).toHaveLength(0);
    visibility.mockRestore();
    fireEvent(document, new Event("visibilitychange"));
    await waitFor(() => expect(posted).toHaveLength(1));
  });
});

const Changed = () => String(useJustChanged("1"));

describe("a new price", () => {
  const first = () => document.querySelector<HTMLButtonElement>('button[type="submit"]');

  it("is not locked by a click or a key press that was meant for what was there before", async () => {
    show();
    const button = await screen.findByRole("button", { name: "Lock this price" });
    // The end of a double click on the button of the page before.
    fireEvent.click(button);
    await advance(1_000);
    expect([button.getAttribute("aria-disabled"), first()?.disabled]).toEqual([null, false]);
    await advance(60_000);
    await screen.findByText(/^You receive 710\.204482/);
    button.focus();
    fireEvent.click(button);
    expect([button.getAttribute("aria-disabled"), first()?.disabled]).toEqual(["true", true]);
    expect(document.activeElement).toBe(button);
    await advance(1_000);
    fireEvent.click(button);
    await waitFor(() => expect(posted.map((form) => form.get("intent"))).toEqual(["renew", "lock"]));
  });

  it("can be locked at once if it came with the document", () => {
    const container = document.body.appendChild(document.createElement("div"));
    container.innerHTML = renderToString(<Changed />);
    render(<Changed />, { container, hydrate: true });
    expect(container.textContent).toBe("false");
  });
});

describe("a renewed price", () => {
  it.each([
    ["710.704482", "as before"],
    ["700", "10.704482 MOB more than before (+1.53%)"],
    ["710.7044", "0.000082 MOB more than before."],
  ])("says how it compares with %s: %s", async (previousAmount, change) => {
    show({}, { previousAmount });
    await screen.findByText((text, element) => element?.tagName === "P" && text.includes(change));
  });
});

// @vitest-environment jsdom
import { Link, Outlet, useNavigation } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, within } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { User } from "~/api/contract";
import { plainLocale } from "~/lib/locale";
import { toOrderNumber } from "~/lib/order-number";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { FilterForm } from "~/routes/doger/activity/filter-form";
import { toOrderRow } from "~/routes/doger/activity/order-row";
import { DeletionForm } from "~/routes/doger/delete/deletion-form";
import ActivityAndAccount from "~/routes/doger/route";
import { Pagination } from "~/ui/pagination";
import { makeCompletedOrder } from "../../../support/orders";
import { makeUser } from "../../../support/site";

afterEach(cleanup);

const noFilters = { q: "", state: null, direction: null, since: null, until: null };

/** The part of the root's data that amounts need. `euros` is in euros, of which 1 USDT is 0.86. */
const noCurrency = { locale: plainLocale, currency: null };
const euros = {
  ...noCurrency,
  currency: { code: "EUR", name: "euros", perUsdt: "0.86", decimals: 2, prefix: "€", suffix: "" },
};

function show(
  orders = [makeCompletedOrder()],
  changes: Record<string, unknown> = {},
  root: object = noCurrency,
  user: User | null = null,
  search = "",
) {
  const data = {
    user: makeUser({ kyc_status: "pending" }),
    orders: orders.map((order) => toOrderRow(order, null, Date.parse(order.created_at))),
    next: null,
    newest: true,
    count: {
      totals: [{ asset: "USDT", deposited: "100.123456", withdrawn: "0" }],
      orders: orders.length,
      capped: false,
    },
    filters: noFilters,
    errors: {},
    passkeys: [
      { id: "p1", name: "Phone", created_at: "2026-01-01T00:00:00.000Z", last_used_at: null, backed_up: true },
    ],
    alerts: [{ id: "a1", direction: "above", rate: "1250.5", created_at: "2026-01-01T00:00:00.000Z" }],
    sessions: [
      {
        id: "s1",
        device: "Firefox on Linux",
        method: "passkey",
        created_at: "2026-01-01T00:00:00.000Z",
        last_used_at: "2026-01-01T00:00:00.000Z",
        current: true,
      },
    ],
    mails: { payment_seen: true, paid_out: false, refunded: true },
    consents: { open: [], accepted: [] },
    rates: null,
    alertRate: null,
    ...changes,
  };
  const page = { path: "/", id: "page", Component: ActivityAndAccount, loader: () => data };
  const layout = { id: layoutRouteId, Component: Outlet, loader: () => ({ user }), children: [page] };
  const Stub = createRemixStub([{ id: "root", Component: Outlet, loader: () => root, children: [layout] }]);
  const loaderData = { root, [layoutRouteId]: { user }, page: data };
  render(<Stub initialEntries={[`/${search}`]} hydrationData={{ loaderData }} />);
}

function SearchPage() {
  return (
    <>
      <p>{useNavigation().state}</p>
      <FilterForm filters={noFilters} errors={{}} />
      <Link to="/doger?cursor=2">Older</Link>
    </>
  );
}

const Pages = () => <Pagination label="Pages" newer="/doger" older="/doger?cursor=2" />;

const headingsIn = (name: string) =>
  within(screen.getByRole("region", { name }))
    .getAllByRole("heading", { level: 3 })
    .map(({ textContent }) => textContent);

describe("the activity and account page", () => {
  it("has one section for the activity and one for the account, each with an anchor", () => {
    show();
    expect(screen.getByRole("heading", { level: 1, name: "Activity and account" })).toBeTruthy();
    expect(screen.getByRole("region", { name: "Activity" }).id).toBe("activity");
    expect(screen.getByRole("region", { name: "Account" }).id).toBe("account");
    expect(headingsIn("Activity")).toEqual(["Totals", "Your swaps"]);
    expect(headingsIn("Account")).toEqual([
      "Profile",
      "Passkeys",
      "Signed-in devices",
      "Price alerts",
      "E-mails",
      "Terms and privacy notice",
    ]);
  });

  it("links to its sections", () => {
    show();
    const links = within(screen.getByRole("navigation", { name: "On this page" })).getAllByRole("link");
    const sections = links.map((link) => document.querySelector(new URL((link as HTMLAnchorElement).href).hash));
    expect(sections).toEqual(["Activity", "Account", "Your data"].map((name) => screen.getByRole("region", { name })));
  });

  it("says once what was saved or refused: its URL and its links forget it, and keep the filters", () => {
    const before = window.location.href;
    const currency = { choice: null, usual: "Euro", currencies: [] };
    const open = (search: string) => {
      cleanup();
      window.history.replaceState({ key: "k1" }, "", `/${search}`);
      show([makeCompletedOrder()], { currency }, noCurrency, null, search);
    };
    const shown = () => [window.location.href, screen.getByRole<HTMLAnchorElement>("link", { name: "Your data" }).href];
    const { origin } = window.location;
    open("?state=open&saved=currency#currency");
    expect(screen.getByText("Saved.")).toBeTruthy();
    expect(shown()).toEqual([`${origin}/?state=open#currency`, `${origin}/?state=open#your-data`]);
    expect(window.history.state).toEqual({ key: "k1" });
    open("?data=later#your-data");
    expect(screen.getByText("You've reached the download limit")).toBeTruthy();
    expect(shown()).toEqual([`${origin}/#your-data`, `${origin}/#your-data`]);
    open("?state=open");
    expect(shown()).toEqual([`${origin}/?state=open`, `${origin}/?state=open#your-data`]);
    window.history.replaceState(null, "", before);
  });

  it("keeps the filters of the list of swaps when a form of the account is sent", () => {
    const open = [{ document: "terms", version: "2", name: "terms" }];
    const away = { id: "s2", device: "Safari", method: "passkey", created_at: "2026-01-01T00:00:00.000Z" };
    const sessions = [{ ...away, last_used_at: away.created_at, current: false }];
    show(
      [makeCompletedOrder()],
      { consents: { open, accepted: [] }, sessions },
      noCurrency,
      null,
      "?state=open&data=later",
    );
    const forms = [...document.querySelectorAll('form[method="post"]')];
    expect(new Set(forms.map((form) => form.closest("[id]")?.id))).toEqual(
      new Set(["passkeys", "sessions", "price-alerts", "mails", "documents"]),
    );
    expect(new Set(forms.map((form) => form.getAttribute("action")))).toEqual(new Set(["/doger?state=open"]));
  });

  it("names each swap in its row's header by its number, which leads to its page", () => {
    const order = makeCompletedOrder();
    show([order]);
    const header = screen.getByRole("rowheader", { name: toOrderNumber(order.quote_id) });
    expect(within(header).getByRole("link").getAttribute("href")).toBe(`/swap/quote/${order.quote_id}`);
  });

  it("keeps what was typed into the search before the page was hydrated", async () => {
    const page = { path: "/doger", id: "page", Component: SearchPage };
    const Stub = createRemixStub([page]);
    const container = document.body.appendChild(document.createElement("div"));
    // React warns that the router's layout effects do not run on a server.
    const warnings = vi.spyOn(console, "error").mockImplementation(() => undefined);
    container.innerHTML = renderToString(<Stub initialEntries={["/doger"]} />);
    warnings.mockRestore();
    const field = within(container).getByRole<HTMLInputElement>("searchbox", { name: "Search" });
    field.value = "1CRT-8K55";
    render(<Stub initialEntries={["/doger"]} />, { container, hydrate: true });
    expect(within(container).getByRole("searchbox", { name: "Search" })).toBe(field);
    expect(field.value).toBe("1CRT-8K55");
  });

  it("shows the profile with the state of the identity verification", () => {
    show();
    const profile = within(screen.getByRole("region", { name: "Profile" }));
    expect(profile.getByText("ada@example.org")).toBeTruthy();
    expect(profile.getByText("In review")).toBeTruthy();
    expect(profile.getByRole("link", { name: "Verification" }).getAttribute("href")).toBe("/kyc");
  });

  it("shows the layout's user, which is loaded more often than the page", () => {
    show([makeCompletedOrder()], {}, noCurrency, makeUser({ kyc_status: "approved" }));
    const profile = within(screen.getByRole("region", { name: "Profile" }));
    expect(profile.getByText("Verified")).toBeTruthy();
    expect(profile.queryByText("In review")).toBeNull();
  });

  it("shows what the totals are worth now, and for MOB only while a rate is known", () => {
    const totals = [
      { asset: "USDT", deposited: "100", withdrawn: "0" },
      { asset: "MOB", deposited: "0", withdrawn: "200" },
    ];
    const count = { totals, orders: 1, capped: false };
    const rates = { USDT_MOB: "2", MOB_USDT: "0.5" };
    const card = () => screen.getByRole("region", { name: "Totals" }).textContent;
    show([makeCompletedOrder()], { count, rates }, euros);
    expect(card()).toContain("100.00≈\u00a0€86.00about 86.00 euros");
    expect(card()).toContain("200.00≈\u00a0€86.00about 86.00 euros");
    expect(card()).toContain("“Sent to you” includes refunds, and what we still have to send.");
    expect(card()).toContain("Approximate values use the current rate.");
    cleanup();
    show([makeCompletedOrder()], { count }, euros);
    expect(card()).toContain("100.00≈\u00a0€86.00");
    expect(card()).toMatch(/Sent to you200\.00(?!≈)/);
    cleanup();
    show([makeCompletedOrder()], { count, rates });
    expect(card()).not.toContain("≈");
    expect(card()).not.toContain("current rate");
  });

  it("explains an empty activity and leads to the first swap", () => {
    show([]);
    expect(headingsIn("Activity")).toEqual(["No swaps yet"]);
    expect(screen.getByRole("link", { name: "Make your first swap" }).getAttribute("href")).toBe("/swap");
  });

  it("says that no swap matches the filters or what is wrong with them, and leads back to all swaps", () => {
    const totals = [{ asset: "USDT", deposited: "100", withdrawn: "0" }];
    const count = { totals, orders: 3, capped: false };
    show([], { count, filters: { ...noFilters, q: "abcdef" } });
    expect(headingsIn("Activity")).toEqual(["Totals", "Your swaps", "No swaps match"]);
    expect(screen.getByText("Try a shorter search or other dates.")).toBeTruthy();
    expect(screen.getByText("No swaps match.").getAttribute("role")).toBe("status");
    cleanup();
    show([], {
      count,
      filters: { ...noFilters, q: "abc", state: "refunded" },
      errors: { q: "Enter at least 6 characters." },
    });
    expect(headingsIn("Activity")).toEqual(["Totals", "Your swaps", "Check your search"]);
    expect(screen.queryByText("Try a shorter search or other dates.")).toBeNull();
    expect(screen.getByRole("link", { name: "Show all swaps" }).getAttribute("href")).toBe("/doger");
    expect(screen.getByText("Check your search.").getAttribute("role")).toBe("status");
    const search = screen.getByRole("searchbox", { name: "Search" });
    expect(search).toHaveProperty("value", "abc");
    expect(search.getAttribute("aria-invalid")).toBe("true");
    expect(document.activeElement).toBe(search);
    expect(screen.getByRole("combobox", { name: "Status" })).toHaveProperty("value", "refunded");
    expect(screen.queryByRole("link", { name: /CSV/ })).toBeNull();
  });

  it("doesn't say that swaps match a search that was refused", () => {
    const count = { totals: [{ asset: "USDT", deposited: "100", withdrawn: "0" }], orders: 1, capped: false };
    show([makeCompletedOrder()], { count, filters: { ...noFilters, q: "abc" }, errors: { q: "Enter more." } });
    expect(screen.getByText("Check your search.").getAttribute("role")).toBe("status");
    expect(screen.queryByText(/matches/)).toBeNull();
  });

  it("shows that it searches only while it does", async () => {
    const page = { path: "/doger", id: "page", Component: SearchPage, loader: () => new Promise(() => undefined) };
    const open = () => {
      const Stub = createRemixStub([page]);
      render(<Stub initialEntries={["/doger"]} hydrationData={{ loaderData: { page: null } }} />);
    };
    open();
    fireEvent.click(screen.getByRole("link", { name: "Older" }));
    await screen.findByText("loading");
    expect(screen.queryByText("Searching…")).toBeNull();
    cleanup();
    open();
    fireEvent.click(screen.getByRole("button", { name: "Show matching swaps" }));
    expect(await screen.findByText("Searching…")).toBeTruthy();
  });

  it("shows which page of the list is being loaded", async () => {
    const page = { path: "/doger", id: "page", Component: Pages, loader: () => new Promise(() => undefined) };
    const Stub = createRemixStub([page]);
    render(<Stub initialEntries={["/doger?cursor=1"]} hydrationData={{ loaderData: { page: null } }} />);
    fireEvent.click(screen.getByRole("link", { name: "Older" }));
    const opening = await screen.findByRole("link", { name: "Loading…" });
    expect(opening.getAttribute("href")).toBe("/doger?cursor=2");
    expect(screen.getByRole("link", { name: "Newest" })).toBeTruthy();
  });

  it("announces which swaps an older page shows", () => {
    const older = makeCompletedOrder({ id: "order-2", created_at: "2026-01-01T10:00:00.000Z" });
    show([makeCompletedOrder({ created_at: "2026-01-02T10:00:00.000Z" }), older], { newest: false });
    expect(screen.getByText(/^Swaps from/).textContent).toMatch(/^Swaps from Jan 1, 2026.* to Jan 2, 2026/);
  });

  it("keeps the filters in the links to older swaps and to the CSV file", () => {
    show([makeCompletedOrder()], { filters: { ...noFilters, direction: "usdt-to-mob" }, next: "c2" });
    const href = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
    expect(href("Older")).toBe("/doger?direction=usdt-to-mob&cursor=c2");
    expect(href("Download these as CSV")).toBe("/doger/export.csv?direction=usdt-to-mob");
    expect(href("Clear")).toBe("/doger");
  });

  it("shows which e-mails are on, in a form that works without scripts", () => {
    show();
    const card = within(screen.getByRole("region", { name: "E-mails" }));
    const group = within(card.getByRole("group", { name: "We e-mail you when" }));
    const checked = group
      .getAllByRole("checkbox")
      .map((box) => [box.getAttribute("name"), "checked" in box && box.checked]);
    expect(checked).toEqual([
      ["payment_seen", true],
      ["paid_out", false],
      ["refunded", true],
    ]);
    const save = card.getByRole("button", { name: "Save" });
    expect([save.getAttribute("name"), save.getAttribute("value")]).toEqual(["intent", "set-mails"]);
    expect(save.closest("form")?.method).toBe("post");
  });

  it("lists what the customer accepted and when, and asks only for what is new", () => {
    const at = "2026-01-01T00:00:00.000Z";
    show([], {
      consents: {
        open: [{ document: "terms", version: "v3", name: "terms" }],
        accepted: [
          { document: "terms", version: "v2", accepted_at: at },
          { document: "privacy", version: "p1", accepted_at: at },
          { document: "terms", version: "v1", accepted_at: "2025-01-01T00:00:00.000Z" },
        ],
      },
    });
    const card = within(screen.getByRole("region", { name: "Terms and privacy notice" }));
    expect(card.getByText("There is a new version")).toBeTruthy();
    const form = card.getByRole("button", { name: "I accept" }).closest("form");
    const posted = [...new FormData(form ?? undefined)].filter(([name]) => name !== "intent");
    expect(posted).toEqual([["terms", "v3"]]);
    const rows = card.getAllByRole("term").map(({ textContent }) => textContent);
    expect(rows).toEqual(["Terms, version v2", "Privacy notice, version p1", "Terms, version v1"]);
    expect(card.getAllByRole("term").at(-1)?.closest("details")?.textContent).toContain("Earlier versions");
  });

  it("asks for nothing once everything is accepted", () => {
    const version = { document: "terms", version: "v1" };
    show([], { consents: { open: [], accepted: [{ ...version, accepted_at: "2026-01-01T00:00:00.000Z" }] } });
    const card = within(screen.getByRole("region", { name: "Terms and privacy notice" }));
    expect(card.queryByRole("button", { name: "I accept" })).toBeNull();
    expect(card.queryByText("Earlier versions")).toBeNull();
  });
});

const CodeSent = () => (
  <DeletionForm
    email="ada@example.org"
    canUseCode
    codeSent
    result={{ kind: "done", text: "You requested a code. Enter it when it arrives at ada@example.org." }}
  />
);

it("says that a code was sent, on the page for deleting the account", () => {
  const Stub = createRemixStub([{ path: "/", Component: CodeSent }]);
  render(<Stub />);
  expect(screen.getByText("You requested a code. Enter it when it arrives at ada@example.org.")).toBeTruthy();
});

it("deletes the account once, however often the button is pressed", () => {
  const Stub = createRemixStub([{ path: "/", Component: CodeSent }]);
  render(<Stub />);
  const submitted = vi.fn((event: Event) => event.preventDefault());
  window.addEventListener("submit", submitted);
  fireEvent.change(screen.getByLabelText("To confirm, type ada@example.org"), { target: { value: "ada@example.org" } });
  const button = screen.getByRole("button", { name: "Delete my account permanently" });
  fireEvent.click(button);
  expect(button.textContent).toContain("Deleting your account…");
  fireEvent.click(button);
  window.removeEventListener("submit", submitted);
  expect(submitted).toHaveBeenCalledTimes(1);
});

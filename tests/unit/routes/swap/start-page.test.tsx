// @vitest-environment jsdom
import { Outlet, useRevalidator } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import type { Order, User } from "~/api/contract";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { makeOrder } from "../../../support/orders";
import { args, fakeExchange, makeUser, sessionCookie } from "../../../support/site";
import { directionCalls, respondWith } from "./fixtures";

const { default: Start, loader } = await import("~/routes/swap/index/route");

afterEach(cleanup);

const load = async (path: string, items: Order[] = [], calls: Parameters<typeof fakeExchange>[0] | null = null) => {
  fakeExchange({
    ...directionCalls,
    ...calls,
    "GET /api/users/me": respondWith(makeUser()),
    "GET /api/swap/swaps": respondWith({ items, next: null }),
  });
  return loader(args(path, { cookie: `${await sessionCookie()}; hasVisited=true` }));
};

/** Where the page at `path` leads those who switch its direction. */
async function flip(path: string): Promise<string | null> {
  const data = await load(path);
  const Stub = createRemixStub([{ id: "page", path: "/", Component: Start, loader: () => data }]);
  render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  return screen.getByRole("link", { name: /^Switch direction/ }).getAttribute("href");
}

it("switches direction without a script, and starts from the amount that would have been paid out", async () => {
  expect(await flip("/swap?from=USDT&send=1%2C000")).toBe("/swap?from=MOB&send=2%2C842.8571");
  cleanup();
  expect(await flip("/swap?from=MOB&send=2%2C842.8571")).toBe("/swap?from=USDT&send=990.02");
});

it("shows one rate, however old its data is", async () => {
  const data = await load("/swap");
  vi.spyOn(performance, "now").mockReturnValue(60_000);
  vi.stubGlobal("fetch", async () => Response.json({ ...data.rates, rates: { MOB_USDT: "0.5", USDT_MOB: "2" } }));
  const Stub = createRemixStub([{ id: "page", path: "/", Component: Start, loader: () => data }]);
  render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  expect(await screen.findByText("0.50000 USDT")).toBeTruthy();
  expect(screen.getByText("1 USDT = 2.0000 MOB")).toBeTruthy();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

function Layout() {
  const { revalidate } = useRevalidator();
  return (
    <>
      <button type="button" onClick={revalidate}>
        Refresh
      </button>
      <Outlet />
    </>
  );
}

it("follows the layout's user, which is loaded more often than the page", async () => {
  const data = await load("/swap");
  const users: (User | null)[] = [
    makeUser({ kyc_status: "pending" }),
    makeUser(),
    makeUser({ is_active: false }),
    // The call for the user failed.
    null,
  ];
  const layout = () => ({ auth: "passkey", user: users.shift() ?? null, userError: null, email: null });
  const page = { index: true, id: "page", Component: Start, loader: () => data };
  const Stub = createRemixStub([{ id: layoutRouteId, path: "/", Component: Layout, loader: layout, children: [page] }]);
  render(<Stub hydrationData={{ loaderData: { [layoutRouteId]: layout(), page: data } }} />);
  const refresh = () => fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
  expect(screen.getByText("We're reviewing your details")).toBeTruthy();
  expect(screen.queryByText("Get exact price")).toBeNull();
  refresh();
  expect(await screen.findByText("Get exact price")).toBeTruthy();
  expect(screen.queryByText("We're reviewing your details")).toBeNull();
  refresh();
  expect(await screen.findByText("This account is not active")).toBeTruthy();
  expect(screen.queryByText("Get exact price")).toBeNull();
  refresh();
  // Then the page's own user counts.
  expect(await screen.findByText("Get exact price")).toBeTruthy();
  expect(screen.queryByText("This account is not active")).toBeNull();
  expect(screen.queryByText("Verify your identity first")).toBeNull();
});

it.each([
  ["not_started", "Verify your identity first", "Continue to verification"],
  ["pending", "There is nothing you need to do. We'll e-mail you when it's done.", "Check your verification"],
  ["rejected", "We couldn't verify your identity with the details you sent.", "Continue to verification"],
  ["action_required", "We couldn't verify your identity with the details you sent.", "Continue to verification"],
] as const)("tells a customer whose verification is %s what to do", async (kyc_status, text, button) => {
  const data = { ...(await load("/swap")), user: makeUser({ kyc_status }) };
  const Stub = createRemixStub([{ id: "page", path: "/", Component: Start, loader: () => data }]);
  render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  expect(screen.getByText(text, { exact: false })).toBeTruthy();
  expect(screen.getByRole("button", { name: button })).toBeTruthy();
  expect(screen.queryByRole("link", { name: button })).toBeNull();
});

it.each([
  ["not_started", "Verify your identity first", "Continue to verification"],
  ["pending", "There is nothing you need to do. We'll e-mail you when it's done.", "Check your verification"],
] as const)("leads a customer whose verification is %s to it without a price", async (kyc_status, text, button) => {
  const data = await load("/swap");
  Object.assign(data, { user: makeUser({ kyc_status }), rates: { ...data.rates, rates: null } });
  const Stub = createRemixStub([{ id: "page", path: "/", Component: Start, loader: () => data }]);
  render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  expect(screen.getByText(text, { exact: false })).toBeTruthy();
  expect(screen.getByRole("link", { name: button }).getAttribute("href")).toBe("/kyc");
  expect(screen.getByText("We can't get a reliable price right now.", { exact: false })).toBeTruthy();
});

it.each([
  [{ accepting_swaps: true, reason: null }, null],
  [{ accepting_swaps: false, reason: "stopped_by_operator" }, "Paused by our team. Swaps in progress continue."],
  // The rates say it themselves.
  [{ accepting_swaps: false, reason: "rate_unknown" }, null],
  [null, null],
])("says before an amount is typed why new swaps are paused: %o", async (status, text) => {
  const chain = { ok: true, height: 1, chain_id: 1, synced: true, checked_at: null };
  const full = { ...status, mode: "sandbox", chains: { ethereum: chain, mobilecoin: chain } };
  const data = await load("/swap", [], status && { "GET /api/status": respondWith(full) });
  const Stub = createRemixStub([{ id: "page", path: "/", Component: Start, loader: () => data }]);
  render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  const note = screen.queryByText("You can't start a new swap right now");
  if (text === null) expect(note).toBeNull();
  else expect(note?.parentElement?.textContent).toContain(text);
});

it("shows progress only on the button that was pressed, even if other forms request the same price", async () => {
  const orders = ["o1", "o2"].map((id) => makeOrder({ id, status: "completed" }));
  const data = await load("/swap", orders);
  const layout = () => ({ auth: "passkey", user: makeUser(), userError: null, email: null });
  const open = () => {
    const Stub = createRemixStub([
      {
        id: layoutRouteId,
        path: "/",
        Component: Outlet,
        loader: layout,
        children: [
          { index: true, id: "page", Component: Start, loader: () => data },
          { path: "swap/:direction", action: () => new Promise(() => undefined) },
        ],
      },
    ]);
    render(<Stub hydrationData={{ loaderData: { [layoutRouteId]: layout(), page: data } }} />);
  };
  const press = async (button: HTMLElement | undefined) => {
    fireEvent.click(button as HTMLElement);
    await waitFor(() => expect(button?.textContent).toBe("Getting your price…"));
    expect(screen.getAllByText("Getting your price…")).toHaveLength(1);
    cleanup();
  };
  open();
  await press(screen.getAllByRole("button", { name: /^Swap again/ })[1]);
  open();
  await press(screen.getByRole("button", { name: "Get exact price" }));
});

it("shows progress while the form leads to verification or to the swap form", async () => {
  const data = { ...(await load("/swap")), user: makeUser({ kyc_status: "not_started" }) };
  const Stub = createRemixStub([
    { id: "page", path: "/", Component: Start, loader: () => data },
    { path: "swap", loader: () => new Promise(() => undefined) },
  ]);
  render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  const button = screen.getByRole("button", { name: "Continue to verification" });
  fireEvent.click(button);
  await waitFor(() => expect(button.textContent).toBe("Opening…"));
});

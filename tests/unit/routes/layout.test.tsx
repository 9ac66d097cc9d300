// @vitest-environment jsdom

import { redirect } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, Form, Link, useNavigate } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type LayoutData, layoutRouteId } from "~/loaded-data/layout-data";
import SiteLayout, { ErrorBoundary, loader } from "~/routes/layout/route";
import { SignOut } from "~/routes/layout/sign-out";
import { args, fakeExchange, makeUser, refusal, sessionCookie } from "../../support/site";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const Page = () => <p>the page</p>;
const me = "GET /api/users/me";
const withoutPasskey = makeUser({ passkey_authenticated: false });

describe("R21 S04 S08 the layout's user", () => {
  it("is null without a session, and the exchange is not called", async () => {
    const { calls } = fakeExchange({});
    expect(await loader(args("/help"))).toEqual({ auth: "signed-out", user: null, userError: null, email: null });
    expect(calls).toEqual([]);
  });

  it.each<[string, { passkey: boolean }, () => Response, LayoutData]>([
    [
      "is the account of a passkey session",
      { passkey: true },
      () => Response.json(makeUser()),
      { auth: "passkey", user: makeUser(), userError: null, email: "ada@example.org" },
    ],
    [
      "is only an address in a session by e-mail",
      { passkey: false },
      () => Response.json(withoutPasskey),
      { auth: "signed-in", user: null, userError: null, email: "ada@example.org" },
    ],
    [
      "is only an address if the exchange knows of no passkey in the session",
      { passkey: true },
      () => Response.json(withoutPasskey),
      { auth: "signed-in", user: null, userError: null, email: "ada@example.org" },
    ],
    [
      "is nobody while the account is blocked",
      { passkey: true },
      () => refusal(403, "user_blocked", "Blocked"),
      { auth: "passkey", user: null, userError: null, email: null },
    ],
    [
      "is nobody, with the reason, if the exchange fails",
      { passkey: true },
      () => refusal(400, "bad_request", "From the server"),
      { auth: "passkey", user: null, userError: "From the server", email: null },
    ],
  ])("%s", async (_, session, respond, data) => {
    fakeExchange({ [me]: respond });
    expect(await loader(args("/help", { cookie: await sessionCookie(session) }))).toEqual(data);
  });

  it("stays the one that the page shows if the session continues but the exchange fails", async () => {
    vi.resetModules();
    const { clientLoader } = await import("~/routes/layout/route");
    const { invalidateQueries } = await import("~/query-cache/invalidation");
    const shown = { auth: "passkey", user: makeUser(), userError: null, email: "ada@example.org" };
    vi.stubGlobal("__remixContext", { state: { loaderData: {} } });
    vi.stubGlobal("__remixRouter", { state: { location, loaderData: { [layoutRouteId]: shown } } });
    const loadAfter = async (loaded: LayoutData) => {
      invalidateQueries("user");
      const request = { request: new Request(location.href), params: {}, serverLoader: async () => loaded };
      return clientLoader(request as unknown as ClientLoaderFunctionArgs);
    };
    const failed: LayoutData = { auth: "passkey", user: null, userError: "Try again.", email: null };
    expect(await loadAfter(failed)).toBe(shown);
    const ended: LayoutData = { ...failed, auth: "signed-out" };
    expect(await loadAfter(ended)).toBe(ended);
    const blocked: LayoutData = { ...failed, userError: null };
    expect(await loadAfter(blocked)).toBe(blocked);
  });

  it("S06 is null once the token is no longer accepted", async () => {
    fakeExchange({
      [me]: () => refusal(401, "token_expired", "Token expired"),
      "POST /api/auth/refresh": () => refusal(401, "refresh_invalid", "Token expired"),
    });
    expect(await loader(args("/help", { cookie: await sessionCookie() }))).toEqual({
      auth: "signed-out",
      user: null,
      userError: null,
      email: null,
    });
  });
});

describe("the layout's navigation", () => {
  it.each([
    ["/swap", ["Swap"]],
    ["/swap/usdt-to-mob", ["Swap"]],
    ["/swap/quote/7", ["Swap"]],
    ["/swap/deliveryaddress/", ["Addresses"]],
    ["/swap/deliveryaddress/add", ["Addresses"]],
    ["/doger", ["Activity"]],
    ["/doger/delete", ["Activity"]],
    ["/welcome/1", ["Help"]],
    ["/help", ["Help"]],
    ["/contact", ["Help"]],
    ["/kyc", []],
    ["/about/help", []],
    ["/helpless", []],
  ])("at %s marks %j as the current section", async (path, marked) => {
    const data: LayoutData = { auth: "passkey", user: makeUser(), userError: null, email: "ada@example.org" };
    const Stub = createRemixStub([
      {
        id: layoutRouteId,
        path: "/",
        Component: SiteLayout,
        loader: () => data,
        children: [{ path: "*", Component: Page }],
      },
    ]);
    render(<Stub initialEntries={[path]} hydrationData={{ loaderData: { [layoutRouteId]: data } }} />);
    await screen.findByText("the page");
    const links = within(screen.getByRole("navigation", { name: "Main" })).getAllByRole("link");
    const current = links.filter((link) => link.getAttribute("aria-current") === "page");
    expect(current.map((link) => link.textContent)).toEqual(marked);
  });
});

/**
 * A page with a field, and a link to one that never arrives. `giveUp` does what query-cache/remix-router.ts does then.
 */
let giveUp: () => void = () => undefined;
function Typing() {
  const navigate = useNavigate();
  giveUp = () => act(() => navigate("/", { replace: true, preventScrollReset: true }));
  return (
    <>
      <input aria-label="Amount" />
      <Link to="/slow">Leave</Link>
    </>
  );
}

const Search = () => (
  <Form action="/redirect">
    <button type="submit">Search</button>
  </Form>
);

describe("the layout's loading screen", () => {
  it("R16 appears while a form that only reads leads to another page", async () => {
    const data: LayoutData = { auth: "signed-out", user: null, userError: null, email: null };
    const Stub = createRemixStub([
      {
        id: layoutRouteId,
        path: "/",
        Component: SiteLayout,
        loader: () => data,
        children: [
          { index: true, Component: Search },
          { path: "redirect", loader: () => redirect("/slow") },
          { path: "slow", loader: () => new Promise(() => undefined) },
        ],
      },
    ]);
    render(<Stub hydrationData={{ loaderData: { [layoutRouteId]: data } }} />);
    const regions = screen.getAllByRole("status");
    fireEvent.click(screen.getByRole("button", { name: "Search" }));
    expect(await screen.findByText("Loading...")).toBeTruthy();
    // New regions are not announced.
    expect(regions).toContain(screen.getByText("Loading", { selector: "[role=status]" }));
  });
});

describe("a slow navigation that is given up", () => {
  async function leave() {
    const data: LayoutData = { auth: "signed-out", user: null, userError: null, email: null };
    const Stub = createRemixStub([
      {
        id: layoutRouteId,
        path: "/",
        Component: SiteLayout,
        loader: () => data,
        children: [
          { index: true, Component: Typing },
          { path: "slow", loader: () => new Promise(() => undefined) },
        ],
      },
    ]);
    render(<Stub hydrationData={{ loaderData: { [layoutRouteId]: data } }} />);
    const field = screen.getByLabelText("Amount");
    field.focus();
    fireEvent.click(screen.getByRole("link", { name: "Leave" }));
    await screen.findByText("Loading...");
    // Browsers take the focus from hidden elements; jsdom does not.
    field.blur();
    return field;
  }

  it("returns the focus to the field that the visitor was in", async () => {
    const field = await leave();
    giveUp();
    await waitFor(() => expect(screen.queryByText("Loading...")).toBeNull());
    await waitFor(() => expect(document.activeElement).toBe(field));
  });

  it("leaves the focus where the visitor has moved it in the meantime", async () => {
    await leave();
    const link = within(screen.getByRole("navigation", { name: "Main" })).getAllByRole("link")[0];
    link?.focus();
    giveUp();
    await waitFor(() => expect(screen.queryByText("Loading...")).toBeNull());
    expect(document.activeElement).toBe(link);
  });
});

describe("the button that signs out", () => {
  it("shows that it is signing out", async () => {
    const Stub = createRemixStub([
      { path: "/", Component: SignOut },
      { path: "/logout", action: () => new Promise(() => undefined) },
    ]);
    render(<Stub />);
    fireEvent.click(screen.getByRole("button", { name: "Sign out" }));
    expect(await screen.findByText("Signing out…")).toBeTruthy();
  });
});

describe("the layout's error screen", () => {
  it("R20 gets the focus, and gives it to the title of the next page", async () => {
    const data: LayoutData = { auth: "passkey", user: makeUser(), userError: null, email: "ada@example.org" };
    const notFound = () => {
      throw new Response(null, { status: 404 });
    };
    const toTitled = (title: string, to: string) => () => (
      <>
        <h1>{title}</h1>
        <Link to={to}>{`To ${to}`}</Link>
      </>
    );
    const Stub = createRemixStub([
      {
        id: layoutRouteId,
        path: "/",
        Component: SiteLayout,
        ErrorBoundary,
        loader: () => data,
        children: [
          { path: "kyc", Component: toTitled("Verification", "/gone") },
          { path: "gone", Component: Page, loader: notFound },
          { path: "swap", Component: toTitled("Swap", "/kyc") },
        ],
      },
    ]);
    render(<Stub initialEntries={["/kyc"]} hydrationData={{ loaderData: { [layoutRouteId]: data } }} />);
    const expectFocused = async (name: string) => {
      const title = await screen.findByRole("heading", { level: 1, name });
      await waitFor(() => expect(document.activeElement).toBe(title));
    };
    fireEvent.click(await screen.findByRole("link", { name: "To /gone" }));
    await expectFocused("Not Found");
    fireEvent.click(screen.getByRole("link", { name: "Go to Swap" }));
    await expectFocused("Swap");
  });
});

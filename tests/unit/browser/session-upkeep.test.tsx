// @vitest-environment jsdom
import { json } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, Link, Outlet, useLoaderData } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render, screen } from "@testing-library/react";
import { useEffect, useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { useSessionUpkeep } from "~/browser/use-session-upkeep";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { getQueryClient } from "~/query-cache/query-client";
import SiteLayout, { clientLoader as layoutLoader } from "~/routes/layout/route";
import "../../support/site";

// The files of a worker share its globals.
afterEach(() => vi.unstubAllGlobals());

let loadCount = 0;
let visibility: DocumentVisibilityState = "visible";

type Auth = { auth: "passkey" | "signed-in" | "signed-out"; email?: string };

function Page({ auth, email = auth === "signed-out" ? undefined : "ada@example.org" }: Auth) {
  useSessionUpkeep(auth, email ?? null);
  // Set by an effect that runs after the hook's effects.
  const [isSubscribed, setSubscribed] = useState(false);
  useEffect(() => setSubscribed(true), []);
  return <p>{isSubscribed ? "ready" : "loading"}</p>;
}

/** Takes the auth state from its loader. */
const LoadedPage = () => <Page {...useLoaderData<Auth>()} />;

let shownAuth: "passkey" | "signed-in" | "signed-out" = "signed-out";
const ShownPage = () => <Page auth={shownAuth} />;

const PageWithLink = () => (
  <>
    <Page auth="passkey" />
    <Link to="/slow">Open</Link>
    <Outlet />
  </>
);

const SlowPage = () => <p>opened</p>;

const InnerPage = () => <p>ready</p>;

async function show(auth: "passkey" | "signed-in" | "signed-out") {
  shownAuth = auth;
  const Stub = createRemixStub([
    {
      path: "/",
      loader: () => {
        loadCount += 1;
        return json(null);
      },
      Component: ShownPage,
    },
  ]);
  render(<Stub />);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByText("ready")).toBeTruthy();
  loadCount = 0;
}

/** Waits for what the page loads on demand, while its timers stand still. */
async function waitForTimers(condition: () => boolean) {
  const giveUpAt = performance.now() + 30_000;
  while (!condition() && performance.now() < giveUpAt) {
    await act(() => new Promise<void>((resolve) => setImmediate(resolve)));
  }
  expect(condition()).toBe(true);
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

/** Shows or hides the page. */
const turn = (to: DocumentVisibilityState) =>
  act(async () => {
    visibility = to;
    document.dispatchEvent(new Event("visibilitychange"));
  });

describe("S07 K04 fetching the user again", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["Date", "setInterval", "clearInterval", "setTimeout", "clearTimeout"] });
    visibility = "visible";
    vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it("S07 happens once a minute", async () => {
    await show("passkey");
    await pass(58_000);
    expect(loadCount).toBe(0);
    await pass(4_000);
    expect(loadCount).toBe(1);
    await pass(60_000);
    expect(loadCount).toBe(2);
  });

  it("S07 does not happen while the page is hidden, and happens immediately when it becomes visible", async () => {
    await show("passkey");
    await turn("hidden");
    await pass(300_000);
    expect(loadCount).toBe(0);
    await turn("visible");
    await pass(50);
    expect(loadCount).toBe(1);
  });

  it("S07 does not happen while a slow page is loading, because that load would start again", async () => {
    let slowLoads = 0;
    const loadSlowly = () => {
      slowLoads += 1;
      return new Promise<null>((resolve) => setTimeout(() => resolve(null), 90_000));
    };
    const slow = { path: "slow", loader: loadSlowly, Component: SlowPage };
    const Stub = createRemixStub([{ path: "/", Component: PageWithLink, children: [slow] }]);
    render(<Stub />);
    await pass(100);
    await act(async () => screen.getByText("Open").click());
    await pass(89_000);
    expect(slowLoads).toBe(1);
    await pass(1_500);
    expect(screen.getByText("opened")).toBeTruthy();
    await pass(1_500);
    expect(slowLoads).toBe(2);
  });

  it("S07 K04 calls the server, even though the query cache keeps the user for 300 s", async () => {
    let fetches = 0;
    const serverLoader = async () => {
      fetches += 1;
      return { auth: "passkey", user: null, userError: null, email: null };
    };
    vi.stubGlobal("__remixContext", { state: { loaderData: {} } });
    getQueryClient().clear();
    const loader = ({ request }: { request: Request }) =>
      layoutLoader({ request, params: {}, serverLoader } as unknown as ClientLoaderFunctionArgs);
    const Stub = createRemixStub([{ path: "/", loader, Component: LoadedPage }]);
    render(<Stub />);
    await waitForTimers(() => screen.queryByText("ready") !== null);
    expect(fetches).toBe(1);
    for (const expected of [2, 3]) {
      await pass(56_000);
      expect(fetches).toBe(expected - 1);
      await pass(6_000);
      await waitForTimers(() => fetches === expected);
    }
    expect(getQueryClient().getQueryData(["user", ""])).toMatchObject({ auth: "passkey" });
  });

  it("S07 happens in the layout, on every page inside it", async () => {
    let loads = 0;
    const data = { auth: "passkey", user: null, userError: null, email: "ada@example.org" };
    const loader = () => {
      loads += 1;
      return json(data);
    };
    const Stub = createRemixStub([
      {
        id: layoutRouteId,
        path: "/",
        Component: SiteLayout,
        loader,
        children: [{ path: "kyc", Component: InnerPage }],
      },
    ]);
    render(<Stub initialEntries={["/kyc"]} hydrationData={{ loaderData: { [layoutRouteId]: data } }} />);
    await pass(100);
    expect(screen.getByText("ready")).toBeTruthy();
    expect(loads).toBe(0);
    await pass(62_000);
    expect(loads).toBe(1);
  });

  it("S08 does not happen without a passkey session", async () => {
    await show("signed-in");
    await pass(200_000);
    expect(loadCount).toBe(0);
  });

  it("T12 notifies the other tabs when the session ends, and fetches the user when notified by another tab", async () => {
    vi.useRealTimers();
    const otherTab = new BroadcastChannel("antelope.session");
    const received: unknown[] = [];
    otherTab.onmessage = ({ data }) => received.push(data);
    try {
      let auth: "passkey" | "signed-out" = "passkey";
      let loads = 0;
      const loader = () => {
        loads += 1;
        return json({ auth });
      };
      const Stub = createRemixStub([{ path: "/", loader, Component: LoadedPage }]);
      render(<Stub />);
      await screen.findByText("ready");
      await vi.waitFor(() => expect(received).toEqual(["signed-in"]), 30_000);
      received.length = 0;

      // The session has ended in another tab but not here, so there is nothing to announce.
      const before = loads;
      otherTab.postMessage("signed-out");
      await vi.waitFor(() => expect(loads).toBe(before + 1), 30_000);
      expect(received).toEqual([]);

      auth = "signed-out";
      otherTab.postMessage("signed-out");
      await vi.waitFor(() => expect(received).toEqual(["signed-out"]), 30_000);

      // Already signed out, so a further message causes no request.
      const afterwards = loads;
      otherTab.postMessage("signed-out");
      const marker = new BroadcastChannel("antelope.session");
      const delivered = new Promise((resolve) => {
        otherTab.onmessage = resolve;
      });
      marker.postMessage("signed-out");
      await delivered;
      marker.close();
      expect(loads).toBe(afterwards);
    } finally {
      otherTab.close();
    }
  });

  it("T12 notifies the other tabs of a sign-in, and fetches the user when notified by another tab", async () => {
    vi.useRealTimers();
    const otherTab = new BroadcastChannel("antelope.session");
    const received: unknown[] = [];
    otherTab.onmessage = ({ data }) => received.push(data);
    try {
      let auth: "passkey" | "signed-out" = "signed-out";
      let loads = 0;
      const loader = () => {
        loads += 1;
        return json({ auth });
      };
      const Stub = createRemixStub([{ path: "/", loader, Component: LoadedPage }]);
      render(<Stub />);
      await screen.findByText("ready");
      await vi.waitFor(() => expect(received).toEqual(["signed-out"]), 30_000);
      const before = loads;
      auth = "passkey";
      otherTab.postMessage("signed-in");
      await vi.waitFor(() => expect(received).toEqual(["signed-out", "signed-in"]), 30_000);
      expect(loads).toBe(before + 1);
    } finally {
      otherTab.close();
    }
  });

  it("T11 clears what belongs to an account once another one is signed in, and loads the page again", async () => {
    let loads = 0;
    let email = "ada@example.org";
    const loader = () => {
      loads += 1;
      return json({ auth: "passkey" as const, email });
    };
    const Stub = createRemixStub([{ path: "/", loader, Component: LoadedPage }]);
    render(<Stub />);
    await pass(100);
    expect(screen.getByText("ready")).toBeTruthy();
    localStorage.setItem("antelope.wallet.store", "{}");
    const cache = getQueryClient();
    cache.setQueryData(["swaps", "/doger"], { n: 1 });
    const before = loads;
    email = "grace@example.org";
    await pass(62_000);
    expect(loads).toBe(before + 2);
    expect([cache.getQueryData(["swaps", "/doger"]), localStorage.length]).toEqual([undefined, 0]);
  });

  it("T12 notifies the other tabs when a page opens signed out, as after a sign-out on a page without React", async () => {
    vi.useRealTimers();
    const otherTab = new BroadcastChannel("antelope.session");
    const received = new Promise((resolve) => {
      otherTab.onmessage = ({ data }) => resolve(data);
    });
    const Stub = createRemixStub([
      { path: "/", loader: () => json({ auth: "signed-out" as const }), Component: LoadedPage },
    ]);
    render(<Stub />);
    expect(await received).toBe("signed-out");
    otherTab.close();
  });

  it("T12 works without other tabs if the browser refuses a channel, as Firefox does when it blocks cookies", async () => {
    vi.useRealTimers();
    vi.resetModules();
    vi.stubGlobal(
      "BroadcastChannel",
      class {
        constructor() {
          throw new DOMException("The operation is insecure.", "SecurityError");
        }
      },
    );
    const { notifyTabs, onOtherTab } = await import("~/browser/tabs");
    const stop = onOtherTab(() => undefined);
    notifyTabs(true);
    stop();
  });

  it("T11 clears the stored wallet only when signed out", async () => {
    localStorage.clear();
    localStorage.setItem("antelope.wallet.store", "{}");
    await show("passkey");
    expect(localStorage.length).toBe(1);
    cleanup();
    await show("signed-out");
    expect(localStorage.length).toBe(0);
  });
});

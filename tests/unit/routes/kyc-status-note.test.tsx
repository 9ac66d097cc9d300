// @vitest-environment jsdom
import { setImmediate } from "node:timers/promises";
import { Link, Outlet, useLoaderData } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Kyc } from "~/api/contract";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { KycStatusNote } from "~/routes/kyc/kyc-status-note";
import { useRefreshWhilePending } from "~/routes/kyc/use-refresh-while-pending";
import { makeUser } from "../../support/site";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function Note() {
  const kyc = useLoaderData<Kyc>();
  useRefreshWhilePending(kyc.status);
  return <KycStatusNote kyc={kyc} redirect={null} />;
}

function PendingPage() {
  useRefreshWhilePending("pending");
  return <Link to="/other">Other</Link>;
}

/** Shows the note. @returns a function that counts how often the page has been loaded since */
function show(status: Kyc["status"]): () => number {
  const kyc: Kyc = { status, reasons: [], updated_at: null };
  let loads = 0;
  const loader = () => {
    loads += 1;
    return kyc;
  };
  const Stub = createRemixStub([{ path: "/", id: "note", loader, Component: Note }]);
  render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { note: kyc } }} />);
  return () => loads;
}

/** One second after the other, so that each load ends before the next one begins. */
async function passSeconds(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 1) {
    await act(async () => {
      vi.advanceTimersByTime(1_000);
      await setImmediate();
    });
  }
}

describe("the status of a verification", () => {
  it("is looked up every second at first, and then every five seconds", async () => {
    const countLoads = show("pending");
    expect(screen.getByText("We're reviewing your details")).toBeTruthy();
    // Without scripts, a <noscript> loads the page again. React leaves it empty in a browser.
    expect(document.querySelector("noscript")).not.toBeNull();
    await passSeconds(10);
    expect(countLoads()).toBe(10);
    await passSeconds(4);
    expect(countLoads()).toBe(10);
    await passSeconds(1);
    expect(countLoads()).toBe(11);
  });

  it("is not looked up while another page loads, which would load that again", async () => {
    let loads = 0;
    const other = () => {
      loads += 1;
      return new Promise(() => undefined);
    };
    const Stub = createRemixStub([
      { path: "/", Component: PendingPage },
      { path: "/other", loader: other, Component: PendingPage },
    ]);
    render(<Stub initialEntries={["/"]} />);
    await act(async () => screen.getByText("Other").click());
    await passSeconds(3);
    expect(loads).toBe(1);
  });

  it("is looked up until the layout has the decision too", async () => {
    const layout = (kyc_status: Kyc["status"]) => ({ auth: "passkey", user: makeUser({ kyc_status }) });
    const kyc: Kyc = { status: "approved", reasons: [], updated_at: null };
    let loads = 0;
    const loadLayout = () => layout(++loads === 2 ? "approved" : "pending");
    const Stub = createRemixStub([
      {
        id: layoutRouteId,
        path: "/",
        loader: loadLayout,
        Component: Outlet,
        children: [{ index: true, id: "note", loader: () => kyc, Component: Note }],
      },
    ]);
    render(<Stub hydrationData={{ loaderData: { [layoutRouteId]: layout("pending"), note: kyc } }} />);
    await passSeconds(10);
    expect(loads).toBe(2);
  });

  it("links to Swap and Activity once approved", () => {
    show("approved");
    const links = screen.getAllByRole("link").map((link) => [link.textContent, link.getAttribute("href")]);
    expect(links).toEqual([
      ["Start swapping", "/swap"],
      ["Activity and account", "/doger"],
    ]);
  });

  it("is not looked up again once there is a decision", async () => {
    const countLoads = show("rejected");
    expect(document.querySelector("noscript")).toBeNull();
    await passSeconds(10);
    expect(countLoads()).toBe(0);
  });
});

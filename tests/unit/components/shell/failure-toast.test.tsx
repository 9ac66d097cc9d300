// @vitest-environment jsdom
import { Link, useNavigate } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { FailureToast } from "~/components/shell/failure-toast";
import { clearFailures, setFailed } from "~/query-cache/failures";

afterEach(() => {
  cleanup();
  clearFailures();
});

const Page = () => (
  <>
    <Link to="/doger?cursor=x">Older</Link>
    <Link to="/swap">Swap</Link>
    <FailureToast />
  </>
);
const Stub = createRemixStub([
  { path: "/doger", Component: Page },
  { path: "/swap", Component: Page },
]);

const isShown = () => screen.queryByText(/We don't know if your request went through/) !== null;

describe("the note that a form got no response", () => {
  it.each([
    ["another page", "Swap"],
    ["another part of the same list", "Older"],
  ])("disappears when the visitor opens %s", async (_, link) => {
    render(<Stub initialEntries={["/doger"]} />);
    act(() => setFailed("form", true));
    expect(isShown()).toBe(true);
    fireEvent.click(screen.getByText(link));
    await waitFor(() => expect(isShown()).toBe(false));
  });
});

describe("a message", () => {
  it("can be closed, and the focus moves to the page", () => {
    render(
      <main id="main" tabIndex={-1}>
        <Stub initialEntries={["/doger"]} />
      </main>,
    );
    act(() => setFailed("form", true));
    const close = screen.getByRole("button", { name: "Close" });
    close.focus();
    fireEvent.click(close);
    expect(isShown()).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole("main"));
    act(() => setFailed("form", true));
    expect(isShown()).toBe(true);
  });
});

function Start() {
  const navigate = useNavigate();
  return (
    <>
      <button type="button" onClick={() => navigate("/slow")}>
        Leave
      </button>
      <FailureToast />
    </>
  );
}

describe("a page that takes long to load", () => {
  const slow = { path: "/slow", loader: () => new Promise<never>(() => undefined) };

  /** Leaves a page with a link or the browser's own button, for one that never arrives. */
  async function leave(address: string) {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    onTestFinished(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });
    const state = { location: { pathname: "/", search: "" }, navigation: {} };
    const navigate = vi.fn(async () => undefined);
    const reload = vi.fn();
    vi.stubGlobal("location", { pathname: address, search: "", href: address, reload });
    vi.stubGlobal("__remixRouter", { state, navigate });
    const Leaving = createRemixStub([{ path: "/", Component: Start }, slow]);
    render(<Leaving />);
    state.navigation = { state: "loading", location: { pathname: "/slow", search: "" } };
    fireEvent.click(screen.getByRole("button", { name: "Leave" }));
    const region = screen.getByRole("status");
    await act(() => vi.advanceTimersByTimeAsync(4_900));
    expect(region.textContent).toBe("");
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(region.textContent).toContain("This page is taking a long time to load.");
    return { navigate, reload };
  }

  it("can be stopped, and the page with the link stays", async () => {
    const { navigate, reload } = await leave("/");
    fireEvent.click(screen.getByRole("button", { name: "Stay on this page" }));
    expect(navigate).toHaveBeenCalledWith({ pathname: "/", search: "" }, expect.objectContaining({ replace: true }));
    expect(reload).not.toHaveBeenCalled();
  });

  it("can be loaded as a document after Back, which has already changed the address", async () => {
    const { navigate, reload } = await leave("/slow");
    fireEvent.click(screen.getByRole("button", { name: "Reload" }));
    expect(reload).toHaveBeenCalledOnce();
    expect(navigate).not.toHaveBeenCalled();
  });
});

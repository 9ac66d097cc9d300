// @vitest-environment jsdom
import type { ActionFunction } from "@remix-run/node";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { KycForm } from "~/routes/kyc/kyc-form";

const countries = [{ value: "GB", label: "United Kingdom" }];

let shown: { email: string };
const Shown = () => (
  <KycForm action="/" email={shown.email} countries={countries} versions={[]} reapplying={false} result={undefined} />
);

function show(email: string, action: ActionFunction = () => null) {
  cleanup();
  shown = { email };
  const Stub = createRemixStub([{ path: "/", Component: Shown, action }]);
  render(<Stub />);
  return screen.getByLabelText<HTMLInputElement>("First name");
}

const type = (value: string) => fireEvent.input(screen.getByLabelText("First name"), { target: { value } });

/** Whether the browser would ask before it leaves the page. */
function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

describe("the verification form", () => {
  afterEach(cleanup);

  it("shows what was typed to a customer who comes back from another page of the site", () => {
    show("ada@example.org");
    type("Grace");
    fireEvent.change(screen.getByLabelText("Country that issued the document"), { target: { value: "GB" } });
    expect(show("ada@example.org").value).toBe("Grace");
    expect(screen.getByLabelText<HTMLSelectElement>("Country that issued the document").value).toBe("GB");
    // Again, although nothing more was typed.
    expect(show("ada@example.org").value).toBe("Grace");
    expect(show("eve@example.org").value).toBe("");
    expect(show("ada@example.org").value).toBe("");
  });

  it("does not show it after ten minutes", () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    show("bob@example.org");
    type("Grace");
    cleanup();
    vi.advanceTimersByTime(10 * 60_000);
    vi.useRealTimers();
    expect(show("bob@example.org").value).toBe("");
  });

  it("lets the browser ask before a page is loaded, only while something is typed and not sent", () => {
    show("eve@example.org");
    expect(asksBeforeLeaving()).toBe(false);
    type("Grace");
    expect(asksBeforeLeaving()).toBe(true);
    cleanup();
    expect(asksBeforeLeaving()).toBe(false);
  });

  it("forgets what was sent", async () => {
    const sent = vi.fn(() => null);
    show("joe@example.org", sent);
    type("Grace");
    const form = screen.getByRole("button", { name: "Send for verification" }).closest("form");
    if (form) fireEvent.submit(form);
    await waitFor(() => expect(sent).toHaveBeenCalled());
    expect(asksBeforeLeaving()).toBe(false);
    expect(show("joe@example.org").value).toBe("");
  });
});

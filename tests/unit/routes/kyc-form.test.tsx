// @vitest-environment jsdom
import type { ActionFunction } from "@remix-run/node";
import { useRevalidator } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { onAnySignOut } from "~/browser/on-any-sign-out";
import { notifyTabs } from "~/browser/tabs";
import { noResponse } from "~/query-cache/failures";
import { KycForm } from "~/routes/kyc/kyc-form";
import Kyc from "~/routes/kyc/route";
import { deferred } from "../../support/deferred";

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

function submit(): void {
  const form = screen.getByRole("button", { name: "Send for verification" }).closest("form");
  if (form) fireEvent.submit(form);
}

/** Whether the browser would ask before it leaves the page. */
function asksBeforeLeaving(): boolean {
  return !window.dispatchEvent(new Event("beforeunload", { cancelable: true }));
}

/** With a button that loads its data again, as the session's upkeep does. */
function RefreshedPage() {
  const { revalidate } = useRevalidator();
  return (
    <>
      <button type="button" onClick={revalidate}>
        Refresh
      </button>
      <Kyc />
    </>
  );
}

describe("the verification form", () => {
  afterEach(cleanup);

  it("shows what was typed to a customer who comes back from another page of the site", () => {
    show("ada@example.org");
    type("Grace");
    fireEvent.change(screen.getByLabelText("Country that issued the document"), { target: { value: "GB" } });
    expect(show("ada@example.org").value).toBe("Grace");
    expect(screen.getByLabelText<HTMLSelectElement>("Country that issued the document").value).toBe("GB");
    // Shown again, even though nothing more was typed.
    expect(show("ada@example.org").value).toBe("Grace");
    expect(show("eve@example.org").value).toBe("");
    expect(show("ada@example.org").value).toBe("");
  });

  it("forgets it when the customer signs out", async () => {
    show("may@example.org");
    type("Grace");
    cleanup();
    const heard = deferred();
    onAnySignOut(heard.resolve);
    notifyTabs(false);
    await heard.promise;
    expect(show("may@example.org").value).toBe("");
  });

  it("does not show it to an account that replaces this one in another tab", async () => {
    let email = "ada@example.org";
    const kyc = { status: "not_started", reasons: [], updated_at: null };
    const loader = () => ({ redirect: null, kyc, email, step: "apply", countries, versions: [] });
    const Stub = createRemixStub([{ path: "/", Component: RefreshedPage, loader }]);
    render(<Stub />);
    await screen.findByLabelText("First name");
    type("Grace");
    const refresh = () => fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
    const shownName = () => screen.getByLabelText<HTMLInputElement>("First name").value;
    refresh();
    await waitFor(() => expect(shownName()).toBe("Grace"));
    email = "eve@example.org";
    refresh();
    await waitFor(() => expect(shownName()).toBe(""));
  });

  it.each([
    ["was refused", { kind: "refused", error: "Wrong code.", values: { code: "123456" } }, "Wrong code."],
    ["got no response", noResponse, "Authentication failed. Please try again."],
  ])("does not show that a code %s once the address is confirmed", async (_, result, text) => {
    let step = "code";
    const kyc = { status: "not_started", reasons: [], updated_at: null };
    const loader = () => ({ redirect: null, kyc, email: "joan@example.org", step, countries, versions: [] });
    const Stub = createRemixStub([{ path: "/kyc", Component: RefreshedPage, loader, action: () => result }]);
    render(<Stub initialEntries={["/kyc"]} />);
    fireEvent.change(await screen.findByLabelText("Code from the e-mail"), { target: { value: "123456" } });
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByText(text);
    step = "apply";
    fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
    await screen.findByLabelText("First name");
    expect(screen.queryByText(text)).toBeNull();
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

  it("makes the browser ask before it leaves the page only while something is typed and not sent", () => {
    show("eve@example.org");
    expect(asksBeforeLeaving()).toBe(false);
    type("Grace");
    expect(asksBeforeLeaving()).toBe(true);
    cleanup();
    expect(asksBeforeLeaving()).toBe(false);
    show("eve@example.org");
    type("Grace");
    // The visitor has left. If the browser restores the page, it reloads without asking.
    window.dispatchEvent(new Event("pagehide"));
    expect(asksBeforeLeaving()).toBe(false);
  });

  it("makes the browser ask again after a form that was refused or got no response", async () => {
    const { promise, resolve } = deferred<null>();
    const sent = vi.fn(() => promise);
    show("lin@example.org", sent);
    type("Grace");
    submit();
    await waitFor(() => expect(sent).toHaveBeenCalled());
    expect(asksBeforeLeaving()).toBe(false);
    resolve(null);
    await waitFor(() => expect(asksBeforeLeaving()).toBe(true));
    expect(show("lin@example.org").value).toBe("Grace");
  });

  it("forgets what was sent", async () => {
    const sent = vi.fn(() => new Promise<null>(() => undefined));
    show("joe@example.org", sent);
    type("Grace");
    submit();
    await waitFor(() => expect(sent).toHaveBeenCalled());
    expect(asksBeforeLeaving()).toBe(false);
    expect(show("joe@example.org").value).toBe("");
  });
});

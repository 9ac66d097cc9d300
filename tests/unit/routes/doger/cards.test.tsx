// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactElement, useEffect, useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { browserPasskeys } from "~/browser/browser-passkeys";
import type { FormResult } from "~/lib/form-result";
import { CurrencyCard } from "~/routes/doger/account/currency-card";
import { PasskeysCard } from "~/routes/doger/account/passkeys-card";
import { PriceAlertsCard } from "~/routes/doger/account/price-alerts-card";
import { SessionsCard } from "~/routes/doger/account/sessions-card";
import { DeletionForm } from "~/routes/doger/delete/deletion-form";
import { watchFocus } from "~/ui/watch-focus";

type Handlers = Record<string, (form: FormData) => unknown>;

let card: ReactElement;
function Page() {
  useEffect(watchFocus, []);
  return card;
}

/** Shows a card on a page whose action returns the given result for each intent. */
function show(shown: ReactElement, handlers: Handlers = {}) {
  card = shown;
  const action = async ({ request }: { request: Request }) => {
    const form = await request.formData();
    return (handlers[String(form.get("intent"))]?.(form) ?? null) as null;
  };
  const Stub = createRemixStub([{ path: "/doger", Component: Page, action }]);
  render(<Stub initialEntries={["/doger"]} />);
}

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  localStorage.clear();
  vi.unstubAllGlobals();
});

let setResult: (result: FormResult & { added?: string }) => void = () => undefined;
const phone = { id: "p1", name: "Phone", created_at: "2030-01-01T00:00:00Z", last_used_at: null, backed_up: true };
function OnePasskey() {
  const [result, set] = useState<FormResult>();
  setResult = set;
  return <PasskeysCard passkeys={[phone]} email="ada@example.org" result={result} />;
}

describe("the passkeys of an account", () => {
  const refused = { kind: "refused", error: "Your sign-in is too old.", code: "passkey_too_old" } as const;
  let isDeclined = true;
  beforeEach(() => {
    isDeclined = true;
    vi.stubGlobal("PublicKeyCredential", class {});
    const authenticate = async () => {
      if (isDeclined) throw new DOMException("declined", "NotAllowedError");
      return { id: "k" };
    };
    for (const name of ["register", "authenticate"] as const)
      vi.spyOn(browserPasskeys, name).mockImplementation(authenticate as never);
  });

  it("T32 can be confirmed again after a declined prompt, until that has worked", async () => {
    show(<PasskeysCard passkeys={[]} email="ada@example.org" result={refused} />, {
      // A new object for each attempt, as from a server.
      "passkey-options": () => ({ kind: "options", options: {} }),
      "passkey-verify": () => ({ about: "passkeys", kind: "done", text: "Confirmed." }),
    });
    fireEvent.click(await screen.findByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("Authentication failed")).toBeTruthy();
    isDeclined = false;
    screen.getByRole("button", { name: "Confirm" }).focus();
    fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("Confirmed.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("button", { name: "Confirm" })).toBeNull());
    expect(screen.queryByText("Authentication failed")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole("group", { name: "Confirmation" })));
  });

  it("T12 are asked for before devices that signed in later are signed out", async () => {
    isDeclined = false;
    const session = {
      method: "passkey",
      created_at: "2030-01-01T00:00:00Z",
      last_used_at: "2030-01-01T00:00:00Z",
    } as const;
    const sessions = [
      { ...session, id: "s1", current: true, device: "Firefox" },
      { ...session, id: "s2", current: false, device: "Safari" },
    ];
    show(<SessionsCard sessions={sessions} email="ada@example.org" result={refused} />, {
      "passkey-options": () => ({ kind: "options", options: {} }),
      "passkey-verify": () => ({ about: "passkeys", kind: "done", text: "Confirmed. Now try again." }),
    });
    expect(screen.getByRole("alert").textContent).toContain("Confirm with your passkey");
    fireEvent.click(await screen.findByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("Confirmed. Now try again.")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Sign out all other devices" })).toBeTruthy();
  });

  it("keep a name that was refused, and get the focus for it", () => {
    const fields = { p1: "Enter a name." };
    const result = { kind: "refused", error: "The name wasn't changed.", fields, values: { name: " " } } as const;
    show(<PasskeysCard passkeys={[phone]} email="ada@example.org" result={result} />);
    const field = screen.getByLabelText<HTMLInputElement>("Name");
    expect([field.value, document.activeElement]).toEqual([" ", field]);
  });

  it("open at the passkey whose name was refused, and stay open when it has been corrected", async () => {
    show(<OnePasskey />);
    const details = screen.getByText("Rename or remove").closest("details");
    expect(details?.open).toBe(false);
    const fields = { p1: "Enter a name." };
    await act(async () =>
      setResult({ kind: "refused", error: "The name wasn't changed.", fields, values: { name: " " } }),
    );
    expect([details?.open, document.activeElement]).toEqual([true, screen.getByLabelText("Name")]);
    await act(async () => setResult({ kind: "done", text: "Passkey renamed." }));
    // Otherwise the button that has the focus would be hidden.
    expect(details?.open).toBe(true);
  });

  it("T31 say when each was added, with the time zone, so that it can be compared with an e-mail", () => {
    show(<OnePasskey />);
    const added = screen.getByRole("listitem").querySelector(`time[datetime="${phone.created_at}"]`);
    expect(added?.textContent).toMatch(/^(Jan 1, 2030|Dec 31, 2029), [0-9:]+ [AP]M ([A-Z]{3,5}|GMT[+-][0-9:]+)$/);
  });

  it("T31 say until when a passkey is paused", () => {
    const paused = { ...phone, id: "p2", name: "Tablet", paused_until: "2030-01-03T00:00:00Z" };
    show(<PasskeysCard passkeys={[paused, phone]} email="ada@example.org" result={undefined} />);
    const [first, second] = screen.getAllByRole("listitem");
    expect(first?.textContent).toMatch(/^TabletPaused.*can't sign in until Jan 3, 2030/);
    expect(second?.textContent).toMatch(/^PhoneSynced/);
    expect(second?.textContent).not.toContain("can't sign in");
  });
});

let renderCard: (result: FormResult | undefined) => ReactElement;
function WithResult() {
  const [result, set] = useState<FormResult>();
  setResult = set;
  return renderCard(result);
}

describe("what was done after the passkey was asked for again", () => {
  const email = "ada@example.org";

  it.each<[string, typeof renderCard]>([
    ["passkeys", (result) => <PasskeysCard passkeys={[phone]} email={email} result={result} />],
    ["sessions", (result) => <SessionsCard sessions={[]} email={email} result={result} />],
    ["the account", (result) => <DeletionForm email={email} canUseCode codeSent={false} result={result} />],
  ])("T32, T73 is announced in an existing live region: %s", async (_, renderIt) => {
    renderCard = renderIt;
    show(<WithResult />);
    await act(async () => setResult({ kind: "refused", error: "Too old.", code: "passkey_too_old" }));
    screen.getByText("Confirm with your passkey");
    expect(screen.queryByText("Too old.")).toBeNull();
    const regions = screen.getAllByRole("status");
    await act(async () => setResult({ kind: "done", text: "That worked." }));
    expect(regions).toContain(screen.getByText("That worked.").closest("[role=status]"));
  });
});

const alert = { id: "a1", direction: "above", rate: "0.5", created_at: "2030-01-01T00:00:00Z" } as const;
function AlertsCard() {
  const [result, set] = useState<FormResult & { added?: string }>();
  setResult = set;
  return <PriceAlertsCard rate="0.35008" alerts={[alert]} emailVerified result={result} />;
}

it("the form for a price alert is cleared only by each alert that was set", async () => {
  show(<AlertsCard />);
  const field = () => screen.getByRole("textbox") as HTMLInputElement;
  for (const added of ["a1", "a2"]) {
    fireEvent.change(field(), { target: { value: "0.5" } });
    await act(async () => setResult({ kind: "done", text: "Price alert set.", added }));
    expect(field().value).toBe("");
  }
  fireEvent.change(field(), { target: { value: "0.7" } });
  await act(async () => setResult({ kind: "done", text: "Price alert removed." }));
  expect(field().value).toBe("0.7");
});

it("the form for a price alert sets the chosen direction, whichever way it is sent", async () => {
  const sent = vi.fn();
  const handlers = { "add-alert": (form: FormData) => sent(form.get("direction"), form.get("rate")) };
  show(<PriceAlertsCard rate="0.35008" alerts={[]} emailVerified result={undefined} />, handlers);
  const field = screen.getByLabelText<HTMLInputElement>("Price in USDT");
  fireEvent.click(screen.getByLabelText("Less than this price"));
  fireEvent.change(field, { target: { value: "0.3" } });
  // The browser presses this button when Enter is pressed in the field.
  const button = field.form?.querySelector<HTMLElement>("[type=submit]");
  if (button) fireEvent.click(button);
  await waitFor(() => expect(sent.mock.calls).toEqual([["below", "0.3"]]));
});

it("announces a result in an existing live region", async () => {
  show(<AlertsCard />);
  const region = screen.getByRole("status");
  expect(region.childNodes).toHaveLength(0);
  await act(async () => setResult({ kind: "done", text: "Price alert set." }));
  expect(region.textContent).toBe("Price alert set.");
  await act(async () => setResult({ kind: "refused", error: "Try again." }));
  expect(region.childNodes).toHaveLength(0);
  expect(screen.getByRole("alert").textContent).toBe("Try again.");
});

it("the form for a price alert waits for a confirmed address, and leads to where it is confirmed", () => {
  show(<PriceAlertsCard rate={null} alerts={[]} emailVerified={false} result={undefined} />);
  expect(screen.queryByRole("textbox")).toBeNull();
  expect(screen.getByRole("link", { name: "confirm your e-mail address" }).getAttribute("href")).toBe("/kyc");
});

it("the form for a price alert says what 1 MOB costs now, if that is known", () => {
  show(<AlertsCard />);
  expect(screen.getByText("1 MOB costs 0.35008 USDT now.")).toBeTruthy();
  cleanup();
  show(<PriceAlertsCard rate={null} alerts={[]} emailVerified result={undefined} />);
  expect(screen.queryByText(/USDT now/)).toBeNull();
});

it("says that the currency was saved, at the heading that the redirect names, which can have the focus", () => {
  const options = { choice: null, usual: "Euro", currencies: [] };
  show(<CurrencyCard options={options} isSaved={false} />);
  expect(screen.queryByText("Saved.")).toBeNull();
  cleanup();
  show(<CurrencyCard options={options} isSaved />);
  expect(screen.getByText("Saved.")).toBeTruthy();
  const { id, tabIndex } = screen.getByRole("heading", { name: "Currency" });
  expect({ id, tabIndex }).toEqual({ id: "currency", tabIndex: -1 });
});

it("the form for a price alert has the focus on a price that was refused", async () => {
  show(<AlertsCard />);
  await act(async () => setResult({ kind: "refused", fields: { rate: "Enter a price." } }));
  expect(document.activeElement).toBe(screen.getByRole("textbox"));
});

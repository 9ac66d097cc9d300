// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { type ReactElement, useState } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { chooseCredentials } from "~/browser/credentials";
import { PasskeysCard } from "~/routes/doger/account/passkeys-card";
import { PriceAlertsCard } from "~/routes/doger/account/price-alerts-card";

type Answers = Record<string, () => unknown>;

let card: ReactElement;
const Page = () => card;

/** Shows a card on a page whose action answers each intent as given. */
function show(shown: ReactElement, answers: Answers = {}) {
  card = shown;
  const action = async ({ request }: { request: Request }) =>
    (answers[String((await request.formData()).get("intent"))]?.() ?? null) as null;
  const Stub = createRemixStub([{ path: "/doger", Component: Page, action }]);
  render(<Stub initialEntries={["/doger"]} />);
}

afterEach(() => {
  cleanup();
  chooseCredentials(null);
  vi.unstubAllGlobals();
});

describe("the passkeys of an account", () => {
  const refused = { error: "Your sign-in is too old.", confirm: true } as const;
  let isDeclined = true;
  beforeEach(() => {
    isDeclined = true;
    vi.stubGlobal("PublicKeyCredential", class {});
    const authenticate = async () => {
      if (isDeclined) throw new DOMException("declined", "NotAllowedError");
      return { id: "k" };
    };
    chooseCredentials((async () => ({ authenticate })) as never);
  });

  it("T32 can be confirmed again after a declined prompt, until that has worked", async () => {
    show(<PasskeysCard passkeys={[]} email="ada@example.org" result={refused} />, {
      // A new object for each attempt, as from a server.
      "passkey-options": () => ({ options: {} }),
      "passkey-verify": () => ({ about: "passkeys", done: "Confirmed." }),
    });
    fireEvent.click(await screen.findByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("Authentication failed")).toBeTruthy();
    isDeclined = false;
    fireEvent.click(screen.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("Confirmed.")).toBeTruthy();
    await waitFor(() => expect(screen.queryByRole("button", { name: "Confirm" })).toBeNull());
    expect(screen.queryByText("Authentication failed")).toBeNull();
  });
});

const alert = { id: "a1", direction: "above", rate: "0.5", created_at: "2030-01-01T00:00:00Z" } as const;
let setResult: (result: object) => void = () => undefined;
function AlertsCard() {
  const [result, set] = useState<object>({});
  setResult = set;
  return <PriceAlertsCard alerts={[alert]} emailVerified result={result as never} />;
}

it("the form for a price alert is cleared by each alert that was set, and by nothing else", async () => {
  show(<AlertsCard />);
  const field = () => screen.getByRole("textbox") as HTMLInputElement;
  for (const added of ["a1", "a2"]) {
    fireEvent.change(field(), { target: { value: "0.5" } });
    await act(async () => setResult({ about: "alerts", done: "Price alert set.", added }));
    expect(field().value).toBe("");
  }
  fireEvent.change(field(), { target: { value: "0.7" } });
  await act(async () => setResult({ about: "alerts", done: "Price alert removed." }));
  expect(field().value).toBe("0.7");
});

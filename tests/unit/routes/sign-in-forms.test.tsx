// @vitest-environment jsdom
import { json } from "@remix-run/node";
import { type ClientActionFunctionArgs, useRevalidator } from "@remix-run/react";
import { createMemoryHistory, createRouter } from "@remix-run/router";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deferred } from "../../support/deferred";
import "../../support/site";
import { browserPasskeys, runCeremony } from "~/browser/browser-passkeys";
import { RefusalNote } from "~/components/results/refusal-note";
import { usePasskey } from "~/components/sign-in/use-passkey";
import { invalidEmailMessage } from "~/lib/email";
import { toRefused } from "~/lib/form-result";
import Login, * as login from "~/routes/auth/login/route";
import Register, * as register from "~/routes/auth/register/route";
import Kyc, * as kyc from "~/routes/kyc/route";
import type { CeremonyOptions, SignInResult } from "~/sign-in/sign-in-result";

type Results = Record<string, SignInResult | TypeError | Promise<SignInResult>>;

const options: CeremonyOptions = {
  kind: "options",
  options: { challenge: "AAAA", user: { id: "AAAA", name: "a", displayName: "a" }, rp: { name: "x" } },
};
const loginData = {
  redirect: null,
  message: false,
  screen: { kind: "sign-in" },
  notice: null,
};
const codeSent = { ...loginData, screen: { kind: "code", sentTo: "ada@example.org" } };
const declined = () => Promise.reject(new DOMException("declined", "NotAllowedError"));

/** The intents posted to the page's action. */
let posted: string[] = [];

/**
 * A page whose action returns the given result for each intent. A TypeError stands for a request without a response.
 */
function show(
  Component: ComponentType,
  clientAction: (args: ClientActionFunctionArgs) => Promise<unknown>,
  results: Results,
  data: object = loginData,
  state: unknown = null,
) {
  const action = async ({ request }: { request: Request }) => {
    const intent = String((await request.clone().formData()).get("intent"));
    posted.push(intent);
    const serverAction = async () => {
      const result = results[intent];
      if (result instanceof TypeError) throw result;
      return structuredClone(await result);
    };
    return (await clientAction({ request, serverAction } as unknown as ClientActionFunctionArgs)) as null;
  };
  const loader = () => json(data);
  const page = { id: "page", Component, loader, action };
  const Stub = createRemixStub([
    { ...page, path: "/login", Component: Component === Register ? Login : Component },
    { ...page, id: "register", path: "/register", Component: Component === Login ? Register : Component },
    { ...page, id: "kyc", path: "/kyc" },
  ]);
  // The stub does not publish its router, as Remix does. This one navigates nowhere: the forms post to their own pages.
  vi.stubGlobal("__remixRouter", createRouter({ history: createMemoryHistory(), routes: [{ path: "/" }] }));
  const path = Component === Register ? "/register" : Component === Kyc ? "/kyc" : "/login";
  const loaderData = { page: data, register: data, kyc: data };
  return render(<Stub initialEntries={[{ pathname: path, state }]} hydrationData={{ loaderData }} />);
}

const lost = () => new TypeError("Failed to fetch");
const stored = () => localStorage.getItem("passkey");

async function press(name: string) {
  fireEvent.change(screen.getByLabelText("E-mail address"), { target: { value: "ada@example.org" } });
  fireEvent.click(screen.getByRole("button", { name }));
}

/** Registers and signs in without a browser's dialog, so that the signed challenge is sent. */
function Ceremony() {
  const registration = usePasskey("registration", "/login");
  const signIn = usePasskey("passkey", "/login");
  return (
    <>
      <RefusalNote result={toRefused(registration.result ?? signIn.result)} />
      <button type="button" onClick={() => registration.start("ada@example.org")}>
        register
      </button>
      <button type="button" onClick={() => signIn.start("ada@example.org")}>
        sign in
      </button>
    </>
  );
}
function confirmAll(): void {
  for (const name of ["register", "authenticate"] as const)
    vi.spyOn(browserPasskeys, name).mockResolvedValue({ id: "k" } as never);
}

let refresh: () => void;
function RefreshedLogin() {
  refresh = useRevalidator().revalidate;
  return <Login />;
}

beforeEach(() => {
  posted = [];
  vi.stubGlobal("PublicKeyCredential", class {});
  Object.assign(navigator, { credentials: { get: declined, create: declined } });
  localStorage.setItem("passkey", "ada@example.org");
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  localStorage.clear();
});

describe("a declined browser prompt", () => {
  it("E12 reports a declined sign-in, and keeps the stored passkey", async () => {
    show(Login, login.clientAction, { "passkey-options": options });
    await press("Sign in with a passkey");
    expect(await screen.findByText("Authentication failed")).toBeTruthy();
    expect(stored()).toBe("ada@example.org");
  });

  it("E15 reports a declined registration, and clears the stored passkey", async () => {
    show(Register, register.clientAction, { "registration-options": options });
    await press("Create a passkey");
    expect(await screen.findByText("Failed to register passkey")).toBeTruthy();
    await waitFor(() => expect(stored()).toBeNull());
  });
});

describe("a browser without passkeys, such as one inside another app", () => {
  const hint =
    "This browser can't use passkeys. Open this page in Safari, Chrome or Firefox, or use a code sent by e-mail.";

  it.each([
    ["E12", Login, login.clientAction, "Sign in with a passkey", "Authentication failed"],
    ["E15", Register, register.clientAction, "Create a passkey", "Failed to register passkey"],
  ])("%s is told to use another one", async (_, Page, clientAction, button, error) => {
    vi.stubGlobal("PublicKeyCredential", undefined);
    show(Page, clientAction, { "passkey-options": options, "registration-options": options });
    await press(button);
    expect(await screen.findByText(error)).toBeTruthy();
    expect(screen.getByText(hint)).toBeTruthy();
  });
});

it("shows why the code's form doesn't appear if the browser blocks cookies", async () => {
  const notice = { kind: "failed", title: "Your browser blocks cookies.", hint: "Allow cookies and try again." };
  show(Login, login.clientAction, {}, { ...loginData, notice });
  expect((await screen.findByRole("alert")).textContent).toBe(`${notice.title}${notice.hint}`);
  expect(screen.getByLabelText("E-mail address")).toBeTruthy();
});

it("shows the newest error from both ways to sign in", async () => {
  show(Login, login.clientAction, {
    "passkey-options": options,
    "send-code": { kind: "refused", error: "Wait a minute." },
  });
  await press("Sign in with a passkey");
  expect(await screen.findByText("Authentication failed")).toBeTruthy();
  await press("E-mail me a code");
  expect(await screen.findByText("Wait a minute.")).toBeTruthy();
  expect(screen.queryByText("Authentication failed")).toBeNull();
});

describe("a passkey picked from the field's suggestions", () => {
  const picked = {
    id: "k",
    rawId: new ArrayBuffer(1),
    type: "public-key",
    response: {
      authenticatorData: new ArrayBuffer(1),
      clientDataJSON: new ArrayBuffer(1),
      signature: new ArrayBuffer(1),
    },
    getClientExtensionResults: () => ({}),
  };
  let pick: (credential: typeof picked) => void;

  beforeEach(() => {
    const suggested = new Promise((resolve) => {
      pick = resolve;
    });
    Object.assign(navigator, { credentials: { get: vi.fn(() => suggested) } });
    // SimpleWebAuthn expects a function.
    vi.stubGlobal(
      "PublicKeyCredential",
      Object.assign(() => undefined, { isConditionalMediationAvailable: async () => true }),
    );
  });

  async function showSuggestions(results: Results): Promise<void> {
    const timed: CeremonyOptions = { kind: "options", options: { ...options.options, timeout: 5 * 60_000 } };
    show(Login, login.clientAction, { "autofill-options": timed, ...results });
    fireEvent.focusIn(screen.getByLabelText("E-mail address"));
    expect(posted).toEqual([]);
    fireEvent.pointerDown(screen.getByLabelText("E-mail address"));
    await waitFor(() => expect(navigator.credentials.get).toHaveBeenCalled());
  }

  it("E11 clears the stored passkey if its account no longer has passkeys", async () => {
    await showSuggestions({
      "autofill-verify": { kind: "refused", error: "No passkeys registered for user", clearStoredPasskey: true },
    });
    pick(picked);
    expect(await screen.findByText("No passkeys registered for user")).toBeTruthy();
    await waitFor(() => expect(stored()).toBeNull());
  });

  it("E14 says that it failed without a response", async () => {
    await showSuggestions({ "autofill-verify": lost() });
    pick(picked);
    expect(await screen.findByText("Failed completing passkey authentication")).toBeTruthy();
  });

  it("is not requested when a page loads below a pointer at rest", async () => {
    const checked = vi.spyOn(PublicKeyCredential, "isConditionalMediationAvailable");
    show(Login, login.clientAction, { "autofill-options": options });
    const move = (movementX: number) =>
      fireEvent(window, Object.assign(new Event("pointermove"), { movementX, movementY: 0 }));
    move(0);
    expect(checked).not.toHaveBeenCalled();
    move(1);
    await waitFor(() => expect(posted).toEqual(["autofill-options"]));
  });

  it("can be used again after a failure and when the challenge is old, without a request for every movement", async () => {
    const options = async (count: number) => {
      fireEvent.pointerMove(window);
      fireEvent.pointerMove(window);
      await waitFor(() => expect(navigator.credentials.get).toHaveBeenCalledTimes(count));
      expect(posted.filter((intent) => intent === "autofill-options")).toHaveLength(count);
    };
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      await showSuggestions({ "autofill-verify": { kind: "refused", error: "Not this one" } });
      await options(1);
      pick(picked);
      await screen.findByText("Not this one");
      vi.mocked(navigator.credentials.get).mockReturnValue(new Promise(() => undefined));
      await options(2);
      expect(screen.getByText("Not this one")).toBeTruthy();
      vi.setSystemTime(Date.now() + 3 * 60_000);
      await options(2);
      vi.setSystemTime(Date.now() + 2 * 60_000);
      await options(3);
    } finally {
      vi.useRealTimers();
    }
  });

  it("is verified before a button can start another sign-in", async () => {
    const verified = deferred<SignInResult>();
    await showSuggestions({ "autofill-verify": verified.promise });
    pick(picked);
    expect(await screen.findByText("Signing you in…")).toBeTruthy();
    await press("Signing you in…");
    verified.resolve({ kind: "refused", error: "Not this one" });
    expect(await screen.findByText("Not this one")).toBeTruthy();
    expect(posted).toEqual(["autofill-options", "autofill-verify"]);
  });

  it("is ignored after a button has started a sign-in", async () => {
    const started = deferred<SignInResult>();
    await showSuggestions({ "passkey-options": started.promise });
    await press("Sign in with a passkey");
    expect(await screen.findByText("One moment…")).toBeTruthy();
    pick(picked);
    await navigator.credentials.get();
    started.resolve({ kind: "refused", error: "Not this one" });
    expect(await screen.findByText("Not this one")).toBeTruthy();
    expect(posted).toEqual(["autofill-options", "passkey-options"]);
  });

  it("is ignored after a code has been requested", async () => {
    const sent = deferred<SignInResult>();
    await showSuggestions({ "send-code": sent.promise });
    await press("E-mail me a code");
    pick(picked);
    await navigator.credentials.get();
    sent.resolve({ kind: "refused", error: "Not now" });
    expect(await screen.findByText("Not now")).toBeTruthy();
    expect(posted).toEqual(["autofill-options", "send-code"]);
  });

  it("is ignored after the visitor has left the page", async () => {
    const refused: SignInResult = { kind: "refused", error: "Not this one" };
    await showSuggestions({ "autofill-verify": refused, "registration-options": refused });
    const [request] = vi.mocked(navigator.credentials.get).mock.calls[0] ?? [];
    fireEvent.click(screen.getByRole("link", { name: "Create an account with a passkey" }));
    await screen.findByRole("button", { name: "Create a passkey" });
    expect(request?.signal?.aborted).toBe(true);
    pick(picked);
    await navigator.credentials.get();
    await press("Create a passkey");
    await screen.findByText("Not this one");
    expect(posted).toEqual(["autofill-options", "registration-options"]);
  });

  it.each([
    ["a code was refused", "send-code", "E-mail me a code"],
    ["the button's sign-in was refused", "passkey-options", "Sign in with a passkey"],
  ])("signs in after %s", async (_, intent, button) => {
    await showSuggestions({
      [intent]: { kind: "refused", error: "Not now" },
      "autofill-verify": { kind: "refused", error: "Not this one" },
    });
    await press(button);
    expect(await screen.findByText("Not now")).toBeTruthy();
    pick(picked);
    expect(await screen.findByText("Not this one")).toBeTruthy();
    expect(posted).toEqual(["autofill-options", intent, "autofill-verify"]);
  });
});

describe("a sign-in to an account without passkeys", () => {
  const refused: SignInResult = { kind: "refused", error: "No passkeys registered for user", clearStoredPasskey: true };

  it.each<[string, Results]>([
    ["the options", { "passkey-options": refused }],
    ["the signed challenge", { "passkey-options": options, "passkey-verify": refused }],
  ])("E11 says so and clears the stored passkey (%s)", async (_step, results) => {
    confirmAll();
    show(Ceremony, login.clientAction, results);
    fireEvent.click(screen.getByText("sign in"));
    expect(await screen.findByText("No passkeys registered for user")).toBeTruthy();
    await waitFor(() => expect(stored()).toBeNull());
  });
});

describe("the stored passkey", () => {
  it.each<[string, Results]>([
    ["sign in", { "passkey-options": options, "passkey-verify": { kind: "refused", error: "x" } }],
    ["register", { "registration-options": options, "registration-verify": { kind: "refused", error: "x" } }],
  ])("D05 is the address last used with a passkey (%s)", async (button, results) => {
    localStorage.clear();
    confirmAll();
    show(Ceremony, login.clientAction, results);
    expect(stored()).toBeNull();
    fireEvent.click(screen.getByText(button));
    expect(await screen.findByText("x")).toBeTruthy();
    expect(stored()).toBe("ada@example.org");
  });

  it("D05 fills in the form of /login, even after a redirect", () => {
    localStorage.setItem("passkey", "grace@example.org");
    show(Login, login.clientAction, {}, loginData, { _isRedirect: true });
    expect(screen.getByLabelText("E-mail address")).toHaveProperty("value", "grace@example.org");
  });
});

it("starts one ceremony at a time on the page that asks for a passkey", async () => {
  const data = { ...loginData, screen: { kind: "add-passkey", email: "ada@example.org", isNew: true } };
  const refused = deferred<SignInResult>();
  show(Login, login.clientAction, { "registration-options": refused.promise }, data);
  fireEvent.click(screen.getByRole("button", { name: "Add a passkey to this device" }));
  await waitFor(() => expect(posted).toEqual(["registration-options"]));
  fireEvent.click(screen.getByRole("button", { name: "I already have a passkey" }));
  refused.resolve({ kind: "refused", error: "Not now" });
  expect(await screen.findByText("Not now")).toBeTruthy();
  expect(posted).toEqual(["registration-options"]);
});

describe("a passkey dialog whose page the visitor has left", () => {
  const created = { id: "k", rawId: new ArrayBuffer(1), type: "public-key", getClientExtensionResults: () => ({}) };

  /** Stands for a dialog that the browser keeps open. @returns the signal that it was opened with */
  function keepOpen(method: "get" | "create") {
    const dialog = deferred<unknown>();
    const open = vi.fn((_: { signal: AbortSignal }) => dialog.promise);
    Object.assign(navigator.credentials, { [method]: open });
    return { confirm: dialog.resolve, signal: () => open.mock.calls[0]?.[0].signal };
  }

  it("is closed, and creates no account if it is confirmed anyway", async () => {
    const { confirm, signal } = keepOpen("create");
    localStorage.clear();
    const refused: SignInResult = { kind: "refused", error: "x" };
    show(Register, register.clientAction, {
      "registration-options": options,
      "registration-verify": refused,
      "passkey-options": refused,
    });
    await press("Create a passkey");
    await screen.findByText("Waiting for your device…");
    await waitFor(() => expect(signal()?.aborted).toBe(false));
    fireEvent.click(screen.getByRole("link", { name: "Sign in" }));
    await screen.findByRole("button", { name: "Sign in with a passkey" });
    expect(signal()?.aborted).toBe(true);
    const attestation = { clientDataJSON: new ArrayBuffer(1), attestationObject: new ArrayBuffer(1) };
    confirm({ ...created, response: attestation });
    await press("Sign in with a passkey");
    await screen.findByText("x");
    expect(posted).toEqual(["registration-options", "passkey-options"]);
    expect(stored()).toBeNull();
  });

  it("is not opened while its code is still loading", async () => {
    const open = vi.spyOn(browserPasskeys, "register");
    const controller = new AbortController();
    controller.abort();
    await expect(runCeremony("registration", options.options, controller.signal)).rejects.toThrow();
    expect(open).not.toHaveBeenCalled();
  });

  it("is not replaced by the end of an earlier one", async () => {
    const earlier = new AbortController();
    await runCeremony("passkey", options.options, earlier.signal).catch(() => null);
    const { signal } = keepOpen("get");
    void runCeremony("passkey", options.options, new AbortController().signal);
    await waitFor(() => expect(signal()).toBeDefined());
    earlier.abort();
    expect(signal()?.aborted).toBe(false);
  });
});

describe("the sandbox's test passkey", () => {
  const user = { id: "AAAA", name: "ada@example.org" };
  const rp = { id: "localhost", name: "x" };
  const creation = { challenge: "AAAA", user, rp, pubKeyCredParams: [{ type: "public-key", alg: -7 }] };

  it("is used for later confirmations, even after a reload, until another passkey is used", async () => {
    confirmAll();
    const { signal } = new AbortController();
    const { id } = await runCeremony("registration", creation, signal, true);
    const request = { challenge: "BBBB", rpId: rp.id, allowCredentials: [{ type: "public-key", id }] };
    expect((await runCeremony("passkey", request, signal)).id).toBe(id);
    expect((await runCeremony("passkey", request, signal, false)).id).toBe("k");
    expect((await runCeremony("passkey", request, signal)).id).toBe("k");
  });
});

describe("a registration that the server refuses", () => {
  it.each<[string, Results, string]>([
    ["E13", { "registration-options": { kind: "refused", error: "x", clearStoredPasskey: true } }, "x"],
    [
      "E15",
      {
        "registration-options": options,
        "registration-verify": { kind: "refused", error: "y", clearStoredPasskey: true },
      },
      "y",
    ],
  ])("E15 clears the stored passkey (%s)", async (_id, results, text) => {
    confirmAll();
    show(Ceremony, register.clientAction, results);
    fireEvent.click(screen.getByText("register"));
    expect(await screen.findByText(text)).toBeTruthy();
    await waitFor(() => expect(stored()).toBeNull());
  });

  it("is shown for the address that was sent, until another is typed", async () => {
    show(Register, register.clientAction, { "registration-options": { kind: "refused", error: "Not this one" } });
    await press("Create a passkey");
    expect(await screen.findByText("Not this one")).toBeTruthy();
    fireEvent.input(screen.getByLabelText("E-mail address"), { target: { value: "eve@example.org" } });
    expect(screen.queryByText("Not this one")).toBeNull();
    await press("Create a passkey");
    expect(await screen.findByText("Not this one")).toBeTruthy();
  });
});

it("E13 leads from an address that has an account to its sign-in, with the address filled in", async () => {
  const known: SignInResult = {
    kind: "refused",
    values: { identifier: "ada@example.org" },
    error: "x",
    code: "token_missing",
    clearStoredPasskey: true,
  };
  localStorage.setItem("passkey", "grace@example.org");
  show(Register, register.clientAction, { "registration-options": known });
  await press("Create a passkey");
  fireEvent.click(await screen.findByRole("link", { name: "Sign in with this address" }));
  await screen.findByRole("button", { name: "Sign in with a passkey" });
  expect(screen.getByLabelText("E-mail address")).toHaveProperty("value", "ada@example.org");
});

it("E11 leads from an address without passkeys to registration, with the address filled in", async () => {
  const unknown: SignInResult = {
    kind: "refused",
    values: { identifier: "eve@example.org" },
    error: "x",
    code: "passkeys_none",
    clearStoredPasskey: true,
  };
  localStorage.clear();
  show(Login, login.clientAction, { "passkey-options": unknown });
  fireEvent.input(screen.getByLabelText("E-mail address"), { target: { value: "eve@example.org" } });
  await press("Sign in with a passkey");
  fireEvent.click(await screen.findByRole("link", { name: "Create an account with this address" }));
  await screen.findByRole("button", { name: "Create a passkey" });
  expect(screen.getByLabelText("E-mail address")).toHaveProperty("value", "eve@example.org");
});

it("takes the typed address along to registration", async () => {
  localStorage.setItem("passkey", "grace@example.org");
  show(Login, login.clientAction, {});
  fireEvent.input(screen.getByLabelText("E-mail address"), { target: { value: "eve@example.org" } });
  fireEvent.click(screen.getByRole("link", { name: "Create an account with a passkey" }));
  await screen.findByRole("button", { name: "Create a passkey" });
  expect(screen.getByLabelText("E-mail address")).toHaveProperty("value", "eve@example.org");
});

describe("an address that cannot be right", () => {
  it.each([
    ["/login", Login, login.clientAction, "Sign in with a passkey"],
    ["/register", Register, register.clientAction, "Create a passkey"],
  ] as const)("is reported on %s until it is corrected", (_path, page, clientAction, button) => {
    localStorage.clear();
    show(page, clientAction, {});
    const field = screen.getByLabelText("E-mail address");
    fireEvent.input(field, { target: { value: "ada" } });
    fireEvent.click(screen.getByRole("button", { name: button }));
    expect(screen.getByText(invalidEmailMessage)).toBeTruthy();
    fireEvent.input(field, { target: { value: "ada@" } });
    expect(screen.queryByText(invalidEmailMessage)).toBeNull();
  });
});

describe("a sign-in form without a response", () => {
  it("E09 the e-mail form says that the sign-in failed", async () => {
    show(Login, login.clientAction, { "send-code": lost() });
    await press("E-mail me a code");
    expect(await screen.findByText("Authentication failed. Please try again.")).toBeTruthy();
  });

  it("T12 says that the exchange did not end the session, and what to do", async () => {
    show(Login, login.clientAction, {}, { ...loginData, notice: { kind: "left-open" } });
    const note = await screen.findByRole("alert");
    expect(note.textContent).toMatch(/^You are signed out in this browser only.*“Sign out all other devices”/);
  });

  it("asks for the new code, until the next result", async () => {
    const { unmount } = show(Login, login.clientAction, {}, codeSent);
    expect(screen.queryByText(/^Enter the new code when it arrives/)).toBeNull();
    unmount();
    const resent = { ...codeSent, screen: { ...codeSent.screen, resent: 1 } };
    show(Login, login.clientAction, { "send-code": { kind: "refused", error: "Wait a minute." } }, resent);
    expect(screen.getByRole("status", { name: "" }).textContent).toMatch(/^Enter the new code when it arrives/);
    fireEvent.click(screen.getByRole("button", { name: "Send a new code" }));
    await screen.findByText("Wait a minute.");
    expect(screen.queryByText(/^Enter the new code when it arrives/)).toBeNull();
  });

  it("shows on its own button that another address can be entered soon", async () => {
    show(Login, login.clientAction, { "other-address": new Promise(() => undefined) as never }, codeSent);
    fireEvent.click(screen.getByRole("button", { name: "Use another address" }));
    expect(await screen.findByText("Going back…")).toBeTruthy();
    expect(screen.getByRole("button", { name: "Send a new code" })).toBeTruthy();
  });

  it("E09 does not say so above the address, once another tab has left the code's form", async () => {
    const data = { ...codeSent };
    show(RefreshedLogin, login.clientAction, { "verify-code": lost() }, data);
    fireEvent.change(screen.getByLabelText("Code from the e-mail"), { target: { value: "123456" } });
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    await screen.findByText("Authentication failed. Please try again.");
    Object.assign(data, loginData);
    act(() => refresh());
    await screen.findByLabelText("E-mail address");
    expect(screen.queryByText("Authentication failed. Please try again.")).toBeNull();
  });

  it("E09 the code form says that the sign-in failed", async () => {
    show(Login, login.clientAction, { "verify-code": lost() }, codeSent);
    fireEvent.change(screen.getByLabelText("Code from the e-mail"), { target: { value: "123456" } });
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    expect(await screen.findByText("Authentication failed. Please try again.")).toBeTruthy();
  });

  it.each([
    ["confirm-email", "send-code", "E-mail me a code"],
    ["code", "verify-code", "Continue"],
  ])(
    "E09 the form to confirm the e-mail address says so, too, and what to do about a wrong one: %s",
    async (step, intent, button) => {
      const kycData = { redirect: null, email: "ada@example.org", countries: [], versions: [] };
      const results = { [intent]: lost() };
      show(Kyc, kyc.clientAction, results, {
        ...kycData,
        step,
        kyc: { status: "not_started", reasons: [], updated_at: null },
      });
      expect(screen.getByRole("link", { name: "Delete this account" }).getAttribute("href")).toBe("/doger/delete");
      const code = screen.queryByLabelText("Code from the e-mail");
      if (code) fireEvent.change(code, { target: { value: "123456" } });
      fireEvent.click(screen.getByRole("button", { name: button }));
      expect(await screen.findByText("Authentication failed. Please try again.")).toBeTruthy();
    },
  );

  it.each([
    ["approved", "You don't have to do this again.", 0],
    ["pending", "We verify everyone who swaps here.", 1],
  ] as const)("/kyc of a customer who is %s does not show finished steps", (status, lede, steps) => {
    const application = { status, reasons: [], updated_at: null };
    show(
      Kyc,
      kyc.clientAction,
      {},
      { redirect: null, email: "a@b.c", countries: [], versions: [], step: "wait", kyc: application },
    );
    expect(screen.getByText(lede, { exact: false })).toBeTruthy();
    expect(screen.queryAllByText(/^Step \d of 4/)).toHaveLength(steps);
  });

  it.each<[string, string, Results, string, string | null]>([
    ["E12", "sign in", { "passkey-options": lost() }, "Authentication failed", "ada@example.org"],
    [
      "E14",
      "sign in",
      { "passkey-options": options, "passkey-verify": lost() },
      "Failed completing passkey authentication",
      "ada@example.org",
    ],
    ["E13", "register", { "registration-options": lost() }, "Failed to start passkey registration", null],
    [
      "E15",
      "register",
      { "registration-options": options, "registration-verify": lost() },
      "Failed to register passkey",
      null,
    ],
  ])("%s says which passkey step failed (%s)", async (_id, button, results, text, kept) => {
    confirmAll();
    show(Ceremony, login.clientAction, results);
    fireEvent.click(screen.getByText(button));
    expect(await screen.findByText(text)).toBeTruthy();
    await waitFor(() => expect(stored()).toBe(kept));
  });
});

describe("the notes of /login", () => {
  it.each([true, false])("R15 asks to sign in to continue with message=%s", (message) => {
    show(Login, login.clientAction, {}, { ...loginData, message });
    expect(screen.queryAllByText("Sign in to continue")).toHaveLength(message ? 1 : 0);
  });

  it.each([
    ["blocked", { kind: "blocked" }, "Unauthorized"],
    ["not loaded", { kind: "failed", title: "Error fetching user", hint: "" }, "Error fetching user"],
    ["signed out", { kind: "failed", title: "Token expired", hint: "" }, "Token expired"],
  ])("E01 shows an account that is %s", (_, notice, text) => {
    show(Login, login.clientAction, {}, { ...loginData, notice });
    expect(screen.getByText(text)).toBeTruthy();
  });
});

describe("a code that was refused", () => {
  it("is announced each time, and described once at its field, which has the focus", async () => {
    const refused = {
      kind: "refused",
      error: "Authentication failed: wrong. Please try again.",
      code: "code_wrong",
      values: { code: "123456" },
    } as const;
    show(Login, login.clientAction, { "verify-code": refused }, codeSent);
    const field = screen.getByLabelText("Code from the e-mail");
    const readDescription = () =>
      (field.getAttribute("aria-describedby") ?? "").split(" ").map((id) => document.getElementById(id)?.textContent);
    expect(readDescription()).toEqual([expect.stringMatching(/^We sent a six-digit code to ada@example\.org\./)]);
    fireEvent.change(field, { target: { value: "123456" } });
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    const first = await screen.findByRole("alert");
    expect(field.getAttribute("aria-invalid")).toBe("true");
    expect(readDescription()[1]).toBe(refused.error);
    expect(screen.getAllByText(refused.error)).toHaveLength(1);
    await waitFor(() => expect(document.activeElement).toBe(field));
    fireEvent.click(screen.getByRole("button", { name: "Continue" }));
    await waitFor(() => expect(first.isConnected).toBe(false));
    expect(screen.getByRole("alert").textContent).toBe(refused.error);
  });
});

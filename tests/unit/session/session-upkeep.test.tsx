// @vitest-environment jsdom
import { json } from "@remix-run/node";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { useSessionUpkeep } from "../../../app/session/use-session-upkeep";

let asked = 0;
let visibility: DocumentVisibilityState = "visible";

function Page({ auth }: { auth: "passkey" | "signed-in" | "signed-out" }) {
  useSessionUpkeep(auth);
  return <p>here</p>;
}

let shownAuth: "passkey" | "signed-in" | "signed-out" = "signed-out";
const ShownPage = () => <Page auth={shownAuth} />;

async function show(auth: "passkey" | "signed-in" | "signed-out") {
  shownAuth = auth;
  const Stub = createRemixStub([
    {
      path: "/",
      loader: () => {
        asked += 1;
        return json(null);
      },
      Component: ShownPage,
    },
  ]);
  render(<Stub />);
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(screen.getByText("here")).toBeTruthy();
  asked = 0;
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

describe("S07 K04 the user is fetched again every 60 s while passkey-authenticated", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    visibility = "visible";
    vi.spyOn(document, "visibilityState", "get").mockImplementation(() => visibility);
  });
  afterEach(() => {
    cleanup();
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test("S07 once a minute, and not before", async () => {
    await show("passkey");
    await pass(58_000);
    expect(asked).toBe(0);
    await pass(4_000);
    expect(asked).toBe(1);
    await pass(60_000);
    expect(asked).toBe(2);
  });

  test("S07 hidden it stops, shown again it catches up at once", async () => {
    await show("passkey");
    visibility = "hidden";
    await pass(300_000);
    expect(asked).toBe(0);
    visibility = "visible";
    document.dispatchEvent(new Event("visibilitychange"));
    await pass(50);
    expect(asked).toBe(1);
  });

  test("S08 without a passkey nothing is asked", async () => {
    await show("signed-in");
    await pass(200_000);
    expect(asked).toBe(0);
  });

  test("T11 whoever is signed out leaves no wallet remembered, and whoever is signed in keeps theirs", async () => {
    localStorage.setItem("antelope.wallet.store", "{}");
    await show("passkey");
    expect(localStorage.length).toBe(1);
    cleanup();
    await show("signed-out");
    expect(localStorage.length).toBe(0);
  });
});

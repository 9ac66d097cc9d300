// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import ActivityAndAccount from "~/routes/doger/route";
import { makeUser } from "../../../support/site";
import { makeOrder } from "./orders";

afterEach(cleanup);

function show(orders = [makeOrder()]) {
  const data = {
    user: makeUser({ kyc_status: "pending" }),
    orders,
    next: null,
    newest: true,
    count: {
      totals: [{ asset: "USDT", deposited: "100.123456", withdrawn: "0" }],
      orders: orders.length,
      capped: false,
    },
    passkeys: [
      { id: "p1", name: "Phone", created_at: "2026-01-01T00:00:00.000Z", last_used_at: null, backed_up: true },
    ],
    sessions: [
      {
        id: "s1",
        device: "Firefox on Linux",
        method: "passkey",
        created_at: "2026-01-01T00:00:00.000Z",
        last_used_at: "2026-01-01T00:00:00.000Z",
        current: true,
      },
    ],
  };
  const Stub = createRemixStub([{ path: "/", id: "page", Component: ActivityAndAccount, loader: () => data }]);
  render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { page: data } }} />);
}

const headingsIn = (name: string) =>
  within(screen.getByRole("region", { name }))
    .getAllByRole("heading", { level: 3 })
    .map(({ textContent }) => textContent);

describe("the activity and account page", () => {
  it("has one section for the activity and one for the account, each with an anchor", () => {
    show();
    expect(screen.getByRole("heading", { level: 1, name: "Activity and account" })).toBeTruthy();
    expect(screen.getByRole("region", { name: "Activity" }).id).toBe("activity");
    expect(screen.getByRole("region", { name: "Account" }).id).toBe("account");
    expect(headingsIn("Activity")).toEqual(["Totals", "Your swaps"]);
    expect(headingsIn("Account")).toEqual(["Profile", "Passkeys", "Sessions"]);
  });

  it("shows the profile with the state of the identity verification", () => {
    show();
    const profile = within(screen.getByRole("region", { name: "Profile" }));
    expect(profile.getByText("ada@example.org")).toBeTruthy();
    expect(profile.getByText("In review")).toBeTruthy();
    expect(profile.getByRole("link", { name: "Verification" }).getAttribute("href")).toBe("/kyc");
  });

  it("explains an empty activity and leads to the first swap", () => {
    show([]);
    expect(headingsIn("Activity")).toEqual(["No swaps yet"]);
    expect(screen.getByRole("link", { name: "Make your first swap" }).getAttribute("href")).toBe("/swap");
  });
});

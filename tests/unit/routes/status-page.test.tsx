// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../../support/site";
import type { DayView, StatusView } from "~/routes/status/status-view";

const { default: StatusPage } = await import("~/routes/status/route");

afterEach(cleanup);

it("says in words what the row of days shows in colours", () => {
  const levels: DayView["level"][] = ["unknown", "unknown", "unknown", "good", "interrupted", "interrupted", "good"];
  const view: StatusView = {
    isOpen: true,
    label: "New swaps are possible",
    chains: [],
    share: "99.98%",
    since: "2026-03-28T12:00:00Z",
    days: levels.map((level, at) => ({ date: `2026-03-2${at}`, level })),
    incidents: [],
  };
  const Stub = createRemixStub([{ path: "/", id: "page", Component: StatusPage, loader: () => ({ view }) }]);
  render(<Stub hydrationData={{ loaderData: { page: { view } } }} />);
  expect(screen.getByRole("img").getAttribute("aria-label")).toBe("4 days recorded, 2 with an interruption");
});

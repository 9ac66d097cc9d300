// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import "../../../support/site";
import { welcomeSteps } from "~/lib/constants";
import EnableSignal from "~/routes/welcome/enable-signal/route";
import Step from "~/routes/welcome/step/route";
import { steps } from "~/routes/welcome/step/steps";
import type { Terms } from "~/routes/welcome/step/terms";
import WhatIsSignal from "~/routes/welcome/what-is-signal/route";

afterEach(cleanup);

function show(Component: ComponentType, data: object | null = null) {
  const Stub = createRemixStub([
    { path: "/", id: "page", Component, loader: () => data },
    { path: "/welcome/:step", Component: () => <p>another step</p> },
    { path: "/swap", Component: () => <p>the swap</p> },
  ]);
  return render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { page: data } }} />);
}

const terms: Terms = {
  fee: "0.75%",
  minAmount: "20",
  maxAmount: "5,000",
  quoteValidity: "45 seconds",
  lockDuration: "20 minutes",
  grace: "60 seconds",
};

describe("the welcome pages", () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "R04 K08 step %i has a title, a labelled illustration, and Back and Next",
    (step) => {
      const { container } = show(Step, { step, terms });
      expect(screen.getByRole("heading", { level: 1 }).textContent).not.toBe("");
      expect(screen.getAllByRole("img").every((image) => (image.getAttribute("aria-label") ?? "") !== "")).toBe(true);
      expect(container.querySelectorAll("a[rel=next]")).toHaveLength(1);
      expect(container.querySelectorAll("a[rel=prev]")).toHaveLength(step === 1 ? 0 : 1);
      expect(container.querySelector("[aria-current=step]")?.getAttribute("href")).toBe(`/welcome/${step}`);
      expect(container.querySelector("[style]")).toBeNull();
    },
  );

  it("K08 are as many as the server keeps in memory", () => expect(steps).toHaveLength(welcomeSteps));

  it("can be skipped at every step and ends at /swap", () => {
    show(Step, { step: 4, terms: null });
    expect(screen.getByRole("link", { name: "Skip the introduction" }).getAttribute("href")).toBe("/swap");
    cleanup();
    show(Step, { step: 9, terms: null });
    expect(screen.getByRole("link", { name: "Make your first swap" }).getAttribute("href")).toBe("/swap");
  });

  it("shows the exchange's terms, and complete sentences without them", () => {
    const { container, rerender } = show(Step, { step: 7, terms });
    for (const text of ["0.75%", "45 seconds", "20 minutes", "20 to 5,000 USDT"])
      expect(container.textContent).toContain(text);
    rerender(<p />);
    expect(show(Step, { step: 7, terms: null }).container.textContent).toContain("valid for only about a minute");
  });

  it("changes pages with the arrow keys, but not with a modifier key", async () => {
    show(Step, { step: 2, terms: null });
    // Another test file of this worker may have loaded it for its own document.
    vi.resetModules();
    await import("~/components/welcome/page-keys.js");
    fireEvent.keyDown(document, { key: "ArrowRight", altKey: true });
    expect(screen.queryByText("another step")).toBeNull();
    fireEvent.keyDown(document, { key: "ArrowRight" });
    expect(await screen.findByText("another step")).toBeTruthy();
    expect(localStorage.getItem("hasVisited")).toBe("true");
  });

  it.each([
    ["what-is-signal", WhatIsSignal],
    ["enable-signal", EnableSignal],
  ])("R05 /welcome/%s renders and says that it may be out of date", (_, Page) => {
    const { container } = show(Page);
    expect(screen.getByRole("heading", { level: 1 })).toBeTruthy();
    expect(screen.getByText("This page may be out of date")).toBeTruthy();
    expect(container.textContent).toContain("Sentz");
    expect(container.querySelector('a[href^="https://support.signal.org/"]')).toBeTruthy();
    expect(container.querySelector("[style]")).toBeNull();
  });
});

// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Rates as ContractRates } from "~/api/contract";
import Rates, { loader } from "~/routes/vegas/route";
import { args, fakeExchange } from "../../../support/site";
import { rates, respondWith } from "../swap/fixtures";

afterEach(cleanup);

async function show(changes: Partial<ContractRates>, path = "/vegas") {
  const chain = { ok: true, height: 1, chain_id: 1, synced: true, checked_at: null };
  fakeExchange({
    "GET /api/rates": respondWith({ ...rates, ...changes }),
    "GET /api/status": respondWith({
      mode: "sandbox",
      accepting_swaps: false,
      reason: "rate",
      chains: { ethereum: chain, mobilecoin: chain },
    }),
  });
  const data = await loader(args(path));
  const Stub = createRemixStub([{ path: "/", id: "rates", loader: () => null, Component: Rates }]);
  const { container } = render(<Stub hydrationData={{ loaderData: { rates: data } }} />);
  return { container, caption: container.querySelector("figcaption")?.textContent };
}

const at = (day: number, rate: string) => ({ at: `2030-06-${String(day).padStart(2, "0")}T12:00:00.000Z`, rate });

it("says on which day the last known price was updated", async () => {
  await show({ rates: null, updated_at: "2030-06-15T12:00:00.000Z" });
  expect(screen.getByText(/^last updated/).textContent).toContain("Jun 15, 2030");
});

it("says since when the price has changed if the history is shorter than the range", async () => {
  const history = [at(1, "0.35"), at(3, "0.357")];
  const { caption } = await show({ history }, "/vegas?range=30d");
  expect(screen.getByText(/^up/).textContent).toMatch(/^up 2\.00% since Jun 1, 2030/);
  expect(caption).toMatch(/^1 MOB in USDT since Jun 1, 2030.*: up 2\.00%/);
  expect(document.querySelector("caption")?.textContent).toMatch(/^1 MOB in USDT since Jun 1, 2030.*, newest first$/);
  expect(screen.getByRole("slider").getAttribute("aria-label")).toBe("Price of 1 MOB");
  cleanup();
  await show({ history: [at(1, "0.35"), at(29, "0.357")] }, "/vegas?range=30d");
  expect(screen.getByText(/^up/).textContent).toBe("up 2.00% over 30 days");
});

it("does not call the chart's last price the current one, which our spread makes lower", async () => {
  const sold = { USDT_MOB: "2.84", MOB_USDT: "0.349" };
  const { container, caption } = await show({ rates: sold, history: [at(1, "0.34"), at(2, "0.35")] });
  expect(container.textContent).toContain("1 MOB is worth0.34900 USDT");
  expect(caption).toMatch(/lowest 0\.34000, highest 0\.35000, last 0\.35000\.$/);
});

it("names the time zone of the axis once, so that its labels fit", async () => {
  const history = [
    { at: "2030-06-01T12:00:00.000Z", rate: "0.35" },
    { at: "2030-06-01T13:00:00.000Z", rate: "0.357" },
  ];
  const labels = () => [...document.querySelectorAll("figure text[y='1em']")].map(({ textContent }) => textContent);
  await show({ history }, "/vegas?range=1h");
  expect(labels()).toEqual(["UTC", "12:00 PM", "12:15 PM", "12:30 PM", "12:45 PM", "01:00 PM"]);
  cleanup();
  await show({ history: [at(1, "0.35"), at(29, "0.357")] }, "/vegas?range=30d");
  expect(labels()).toEqual(["Jun 1", "Jun 8", "Jun 15", "Jun 22", "Jun 29"]);
});

it("doesn't say that there are no earlier prices, or when there will be enough, if there are too few in the range", async () => {
  // In this range, all prices of the first hours count as one.
  await show({ history: [at(1, "0.35")] }, "/vegas?range=30d");
  expect(screen.getByText(/too few prices/).textContent).toBe(
    "There are too few prices in this range for a chart yet.",
  );
});

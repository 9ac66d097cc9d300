// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Rates as ContractRates } from "~/api/contract";
import Rates, { loader } from "~/routes/vegas/route";
import { args, fakeExchange } from "../../../support/site";
import { answer, rates } from "../swap/fixtures";

afterEach(cleanup);

async function show(changes: Partial<ContractRates>, path = "/vegas") {
  const chain = { ok: true, height: 1, chain_id: 1, synced: true, checked_at: null };
  fakeExchange({
    "GET /api/rates": answer({ ...rates, ...changes }),
    "GET /api/status": answer({
      mode: "sandbox",
      accepting_swaps: false,
      reason: "rate",
      chains: { ethereum: chain, mobilecoin: chain },
    }),
  });
  const data = await loader(args(path));
  const Stub = createRemixStub([{ path: "/", id: "rates", loader: () => null, Component: Rates }]);
  const { container } = render(<Stub hydrationData={{ loaderData: { rates: data } }} />);
  return container;
}

it("says on which day the last known price was updated", async () => {
  await show({ rates: null, updated_at: "2030-06-15T12:00:00.000Z" });
  expect(screen.getByText(/^last updated/).textContent).toContain("Jun 15, 2030");
});

it("doesn't say that there are no earlier prices if there are too few in the range", async () => {
  const container = await show({ rates: null, history: [] }, "/vegas?range=1h");
  expect(container.textContent).toContain("There are too few prices in this range for a chart.");
});

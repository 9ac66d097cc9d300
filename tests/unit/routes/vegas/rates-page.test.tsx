// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import Rates, { loader } from "~/routes/vegas/route";
import { args, fakeExchange } from "../../../support/site";
import { answer, rates } from "../swap/fixtures";

afterEach(cleanup);

it("says on which day the last known price was updated", async () => {
  const chain = { ok: true, height: 1, chain_id: 1, synced: true, checked_at: null };
  fakeExchange({
    "GET /api/rates": answer({ ...rates, rates: null, updated_at: "2030-06-15T12:00:00.000Z" }),
    "GET /api/status": answer({
      mode: "sandbox",
      accepting_swaps: false,
      reason: "rate",
      chains: { ethereum: chain, mobilecoin: chain },
    }),
  });
  const data = await loader(args("/vegas"));
  const Stub = createRemixStub([{ path: "/", id: "rates", loader: () => null, Component: Rates }]);
  render(<Stub hydrationData={{ loaderData: { rates: data } }} />);
  expect(screen.getByText(/^last updated/).textContent).toContain("Jun 15, 2030");
});

// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { args, fakeExchange, makeUser, sessionCookie } from "../../../support/site";
import { answer, directionCalls } from "./fixtures";

const { default: Start, loader } = await import("~/routes/swap/index/route");

afterEach(cleanup);

/** Where the page at `path` leads those who switch its direction. */
async function flip(path: string): Promise<string | null> {
  fakeExchange({
    ...directionCalls,
    "GET /api/users/me": answer(makeUser()),
    "GET /api/swap/swaps": answer({ items: [], next: null }),
  });
  const data = await loader(args(path, { cookie: `${await sessionCookie()}; hasVisited=true` }));
  const Stub = createRemixStub([{ id: "page", path: "/", Component: Start, loader: () => data }]);
  render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  return screen.getByRole("link", { name: "Switch direction" }).getAttribute("href");
}

it("switches direction without a script, and starts from the amount that would have been paid out", async () => {
  expect(await flip("/swap?from=USDT&send=1%2C000")).toBe("/swap?from=MOB&send=2%2C842.8571");
  cleanup();
  expect(await flip("/swap?from=MOB&send=2%2C842.8571")).toBe("/swap?from=USDT&send=990.02");
});

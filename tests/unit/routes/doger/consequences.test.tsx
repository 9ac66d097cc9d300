// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { Deletion } from "~/api/contract";
import { Consequences } from "~/routes/doger/delete/consequences";

afterEach(cleanup);

let deletion: Deletion = { obstacles: [], retention_years: 5, records_kept_until: null };
const Page = () => <Consequences deletion={deletion} />;

it.each([
  [[], null],
  [[{ asset_symbol: "USDT" as const, amount: "1.2" }], "1.20 USDT"],
])("says before a deletion what we still hold: %j", (set_aside, amount) => {
  deletion = { ...deletion, set_aside };
  const Stub = createRemixStub([{ path: "/", Component: Page }]);
  const { textContent } = render(<Stub />).container;
  const held = textContent?.match(/We still hold (.+?) for you/)?.[1]?.replace("\u00a0", " ") ?? null;
  expect(held).toBe(amount);
});

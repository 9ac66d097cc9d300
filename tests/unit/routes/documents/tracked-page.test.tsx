// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import type { TrackedOrder } from "~/api/contract";
import Track from "~/routes/documents/track/route";
import { makeOrder } from "../swap/fixtures";
import "../../../support/site";

afterEach(cleanup);

it.each<[TrackedOrder["status"], boolean]>([
  ["confirming", true],
  ["completed", false],
])("the page of a tracking link to a swap that is %s is loaded again without scripts: %s", (status, isRefreshed) => {
  const order: TrackedOrder = { ...makeOrder({ status }), transactions: [] };
  const Stub = createRemixStub([{ path: "/", id: "track", loader: () => null, Component: Track }]);
  const { container } = render(<Stub hydrationData={{ loaderData: { track: { order } } }} />);
  // React leaves it empty in a browser.
  expect(container.querySelector("noscript") !== null).toBe(isRefreshed);
});

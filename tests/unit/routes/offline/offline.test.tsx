// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { args } from "../../../support/site";

const { default: Offline, loader } = await import("~/routes/offline/route");

afterEach(cleanup);

function read(search: string): string {
  const data = loader(args(`/offline${search}`));
  const Stub = createRemixStub([{ path: "/", id: "page", Component: Offline, loader: () => data }]);
  const { container } = render(<Stub hydrationData={{ loaderData: { page: data } }} />);
  return container.textContent ?? "";
}

describe("the offline page", () => {
  it.each([
    ["", /You are offline\./, /your swap|paid/i],
    [
      "?order",
      /You are offline\. Your swap is safe\..*Already paid.*we e-mail you/s,
      /isn't responding|nothing you need/,
    ],
    ["?server", /We can't be reached right now\..*Your device is online/s, /offline|your swap|paid/i],
    ["?order&server", /We can't be reached right now\. Your swap is safe\./, /offline/i],
  ])("says in %s only what is known", (search, said, unsaid) => {
    const text = read(search);
    expect(text).toMatch(said);
    expect(text).not.toMatch(unsaid);
  });
});

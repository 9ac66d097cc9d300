import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { FirstSwapSteps } from "~/components/first-swap/first-swap-steps";

it("the steps to the first swap are a list for Safari too, which drops the role of a list without markers", () => {
  expect(renderToStaticMarkup(<FirstSwapSteps now="email" />)).toMatch(/<ol role="list"[^>]* aria-label="Steps to/);
});

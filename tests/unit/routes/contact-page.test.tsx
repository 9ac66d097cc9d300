// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../../support/site";

const { default: Contact } = await import("~/routes/contact/route");

afterEach(cleanup);

it.each([
  ["a customer back to their swaps", "ada@example.org", "Back to your swaps", "/swap"],
  // Their swaps would ask them to sign in.
  ["any other visitor to the help centre", null, "Open Help", "/help"],
])("leads %s after a message was sent", (_, email, name, href) => {
  const Stub = createRemixStub([{ id: "page", path: "/", Component: Contact, loader: () => null }]);
  const page = { email, swap: "", isSent: true };
  render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { page } }} />);
  expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(href);
});

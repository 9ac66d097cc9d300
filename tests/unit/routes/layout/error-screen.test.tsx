// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ErrorScreen } from "~/routes/layout/error-screen";

afterEach(cleanup);

const notFound = () => {
  throw new Response(null, { status: 404 });
};

const Nothing = () => null;

async function read(path: string): Promise<string> {
  const Stub = createRemixStub([{ path: "*", loader: notFound, Component: Nothing, ErrorBoundary: ErrorScreen }]);
  const { container } = render(<Stub initialEntries={[path]} />);
  await screen.findByRole("heading", { name: "Not Found" });
  return container.textContent ?? "";
}

describe("the error screen", () => {
  it("R20 mentions another account only where an account owns what is missing", async () => {
    expect(await read("/welcome/10")).not.toContain("account");
    cleanup();
    expect(await read("/swap/quote/12")).toContain("or it belongs to another account");
  });
});

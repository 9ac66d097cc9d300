// @vitest-environment jsdom

import { UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from "@remix-run/router";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { ErrorScreen, errorMeta } from "~/routes/layout/error-screen";

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
  it.each([
    [404, "Not Found"],
    [405, "This action is not supported here"],
    [503, "Something went wrong!"],
    [null, "Something went wrong!"],
  ])("has a title of its own for the status %s", (status, title) => {
    const error = status === null ? new Error() : new ErrorResponseImpl(status, "", null);
    const meta = errorMeta({ error } as Parameters<typeof errorMeta>[0]);
    expect(meta).toEqual([{ title: `${title} · Antelope` }]);
  });

  it("R20 mentions another account only if an account owns what is missing", async () => {
    expect(await read("/welcome/10")).not.toContain("account");
    cleanup();
    expect(await read("/swap/quote/12")).toContain("or it belongs to another account");
  });
});

// @vitest-environment jsdom

import { useLoaderData } from "@remix-run/react";
import { UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from "@remix-run/router";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as reloading from "~/browser/reload-once";
import { ErrorScreen, errorMeta } from "~/routes/layout/error-screen";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const notFound = () => {
  throw new Response(null, { status: 404 });
};

const Nothing = () => null;

/** The code of an older build, which reads a member that a newer build's data lacks. */
const OldPage = () => <p>{useLoaderData<{ swaps: string[] }>().swaps.join()}</p>;

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

  it("E17 reloads the page once if its code is older than the data, and not if the server has failed", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    // Otherwise jsdom prints the page's error.
    const ignore = (event: Event) => event.preventDefault();
    window.addEventListener("error", ignore);
    onTestFinished(() => window.removeEventListener("error", ignore));
    const reloadOnce = vi.spyOn(reloading, "reloadOnce").mockResolvedValue(true);
    const open = async (loader: () => object) => {
      cleanup();
      const page = { path: "/", loader, Component: OldPage, ErrorBoundary: ErrorScreen };
      const Stub = createRemixStub([page]);
      render(<Stub />);
      await screen.findByRole("heading", { name: "Something went wrong!" });
    };
    await open(() => {
      throw new Error("Unexpected Server Error");
    });
    expect(reloadOnce).not.toHaveBeenCalled();
    await open(() => ({ orders: [] }));
    expect(reloadOnce).toHaveBeenCalledOnce();
    expect(reloadOnce).toHaveBeenCalledWith(expect.any(TypeError));
  });

  it("R20 mentions another account only if an account owns what is missing", async () => {
    expect(await read("/welcome/10")).not.toContain("account");
    cleanup();
    expect(await read("/swap/quote/12")).toContain("or it belongs to another account");
  });
});

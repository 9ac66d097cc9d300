// @vitest-environment jsdom

import { Outlet, useLoaderData } from "@remix-run/react";
import { UNSAFE_ErrorResponseImpl as ErrorResponseImpl } from "@remix-run/router";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import * as reloading from "~/browser/reload-once";
import { RootErrorScreen } from "~/components/errors/root-error-screen";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { ErrorScreen, errorMeta } from "~/routes/layout/error-screen";
import SiteLayout, { ErrorBoundary } from "~/routes/layout/route";

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

/** Keeps React and jsdom from printing the errors of the page. */
function silenceErrors() {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const ignore = (event: Event) => event.preventDefault();
  window.addEventListener("error", ignore);
  onTestFinished(() => window.removeEventListener("error", ignore));
}

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
    silenceErrors();
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

  it("E17 reloads the page if the data that its code can't read is the layout's own", async () => {
    silenceErrors();
    const reloadOnce = vi.spyOn(reloading, "reloadOnce").mockResolvedValue(true);
    const layout = { id: layoutRouteId, loader: () => ({ auth: "passkey" }), Component: SiteLayout, ErrorBoundary };
    const children = [{ ...layout, children: [{ path: "/", Component: Nothing }] }];
    const Stub = createRemixStub([{ id: "root", Component: Outlet, ErrorBoundary: RootErrorScreen, children }]);
    render(<Stub />);
    await screen.findByRole("heading", { name: "Error" });
    expect(reloadOnce).toHaveBeenCalledOnce();
    expect(reloadOnce).toHaveBeenCalledWith(expect.any(TypeError));
  });

  it("R20 mentions another account only if an account owns what is missing", async () => {
    for (const path of ["/welcome/10", "/swap/usdt-to-mob"]) {
      expect(await read(path)).not.toContain("account");
      cleanup();
    }
    expect(await read("/swap/quote/12")).toContain("or it belongs to another account");
  });
});

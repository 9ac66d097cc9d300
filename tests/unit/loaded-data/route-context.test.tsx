// @vitest-environment jsdom
import { json } from "@remix-run/node";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { type RouteContext, useRouteContext } from "~/loaded-data/route-context";
import { getQueryClient } from "~/query-cache/query-client";
import { makeUser } from "../../support/site";

let context: RouteContext | undefined;

function Route() {
  context = useRouteContext();
  return <p>ready</p>;
}

afterEach(cleanup);

describe("the route context", () => {
  it("R21 gives a route inside the layout the auth state, the user and the query client", async () => {
    const user = makeUser();
    const loader = () => json({ auth: "passkey", user, userError: null, email: user.email });
    const Stub = createRemixStub([
      { id: layoutRouteId, path: "/", loader, children: [{ index: true, Component: Route }] },
    ]);
    render(<Stub />);
    await screen.findByText("ready");
    expect(context).toMatchObject({ auth: "passkey", user, email: user.email });
    expect(await context?.loadQueryClient()).toBe(getQueryClient());
  });

  it("R21 is signed out outside the layout", async () => {
    const Stub = createRemixStub([{ path: "/", Component: Route }]);
    render(<Stub />);
    await screen.findByText("ready");
    expect(context).toMatchObject({ auth: "signed-out", user: null, email: null });
  });
});

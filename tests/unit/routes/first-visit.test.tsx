// @vitest-environment jsdom

import { Link } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../../support/site";
import { layoutRouteId } from "~/loaded-data/layout-data";
import SiteLayout from "~/routes/layout/route";

afterEach(cleanup);

const Kyc = () => <Link to="/swap">to the swap</Link>;
const Swap = () => <p>the swap</p>;

it("R03 S03 R07 hasVisited is in the browser's storage as soon as a page has set its cookie", async () => {
  const data = { auth: "passkey", user: null, userError: null, email: "ada@example.org" };
  const Stub = createRemixStub([
    {
      id: layoutRouteId,
      path: "/",
      Component: SiteLayout,
      loader: () => data,
      children: [
        { path: "kyc", Component: Kyc },
        {
          path: "swap",
          loader: () => {
            // biome-ignore lint/suspicious/noDocumentCookie: as the loader of /swap does for accounts older than 60 s.
            document.cookie = "hasVisited=true; Path=/";
            return null;
          },
          Component: Swap,
        },
      ],
    },
  ]);
  render(<Stub initialEntries={["/kyc"]} hydrationData={{ loaderData: { [layoutRouteId]: data } }} />);
  const link = await screen.findByText("to the swap");
  expect(localStorage.getItem("hasVisited")).toBeNull();
  fireEvent.click(link);
  await screen.findByText("the swap");
  await waitFor(() => expect(localStorage.getItem("hasVisited")).toBe("true"));
});

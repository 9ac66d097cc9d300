// @vitest-environment jsdom
import { Link } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { FailureToast } from "~/components/shell/failure-toast";
import { clearFailures, setFailed } from "~/query-cache/failures";

afterEach(() => {
  cleanup();
  clearFailures();
});

const Page = () => (
  <>
    <Link to="/doger?cursor=x">Older</Link>
    <Link to="/swap">Swap</Link>
    <FailureToast />
  </>
);
const Stub = createRemixStub([
  { path: "/doger", Component: Page },
  { path: "/swap", Component: Page },
]);

const isShown = () => screen.queryByText(/We don't know if your request went through/) !== null;

describe("the note that a form got no response", () => {
  it.each([
    ["another page", "Swap"],
    ["another part of the same list", "Older"],
  ])("disappears when the visitor opens %s", async (_, link) => {
    render(<Stub initialEntries={["/doger"]} />);
    act(() => setFailed("form", true));
    expect(isShown()).toBe(true);
    fireEvent.click(screen.getByText(link));
    await waitFor(() => expect(isShown()).toBe(false));
  });
});

// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Header, type HeaderProps } from "~/components/shell/header";
import { useRouteFocus } from "~/routes/layout/use-route-focus";

afterEach(cleanup);

let headerProps: HeaderProps;

function Screen() {
  useRouteFocus();
  return (
    <>
      <Header {...headerProps} />
      <main>
        <h1>Title</h1>
        <section id="account">
          <h2>Account</h2>
        </section>
      </main>
    </>
  );
}

const Stub = createRemixStub([{ path: "*", Component: Screen }]);

function show(props: HeaderProps) {
  headerProps = props;
  render(<Stub initialEntries={["/doger"]} />);
}

const linksOf = (name: string) =>
  within(screen.getByRole("navigation", { name, hidden: true }))
    .getAllByRole("link", { hidden: true })
    .map((link) => link.textContent);

describe("the header", () => {
  it("links to every section when signed in, and marks the current one", () => {
    show({ user: { email: "ada@example.org" }, current: "activity" });
    expect(linksOf("Main")).toEqual(["Swap", "Activity", "Addresses", "Rates", "Help"]);
    expect(linksOf("Main menu")).toEqual(linksOf("Main"));
    const [activity] = screen.getAllByRole("link", { name: "Activity" });
    expect(activity?.getAttribute("aria-current")).toBe("page");
  });

  it("links only to public pages and to /login when signed out", () => {
    show({ user: null });
    expect(linksOf("Main")).toEqual(["Swap", "Rates", "Help", "Sign in"]);
    expect(screen.queryByText("Account", { selector: "a" })).toBeNull();
  });

  it("leads from the menu to the account and moves the focus there", async () => {
    show({ user: { email: "ada@example.org" } });
    const link = screen.getByText("Account", { selector: "a" });
    expect(link.getAttribute("href")).toBe("/doger#account");
    fireEvent.click(link);
    await waitFor(() => expect(document.activeElement?.outerHTML).toBe('<h2 tabindex="-1">Account</h2>'));
  });
});

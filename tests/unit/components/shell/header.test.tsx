// @vitest-environment jsdom
import { useNavigate } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { act, cleanup, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { Header, type HeaderProps } from "~/components/shell/header";
import { useRouteFocus } from "~/routes/layout/use-route-focus";

afterEach(cleanup);

let headerProps: HeaderProps;
let go: (path: string) => void;

function Screen() {
  const navigate = useNavigate();
  go = (path) => act(() => navigate(path, { replace: true }));
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

const Stub = createRemixStub([
  { path: "/doger", Component: Screen },
  { path: "/swap", Component: Screen },
  { path: "/swap/quote/:quoteId", Component: Screen },
]);

function show(props: HeaderProps, path = "/doger") {
  headerProps = props;
  render(<Stub initialEntries={[path]} />);
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
    link.focus();
    fireEvent.click(link);
    await waitFor(() => expect(document.activeElement?.outerHTML).toBe('<h2 tabindex="-1">Account</h2>'));
  });

  describe("the menu", () => {
    const isOpen = () => screen.getByText("Menu").closest("details")?.open;

    function openMenu(path: string) {
      show({ user: { email: "ada@example.org" } }, path);
      const summary = screen.getByText("Menu").closest("summary");
      fireEvent.click(summary as HTMLElement);
      summary?.focus();
      expect(isOpen()).toBe(true);
      return summary;
    }

    it("stays open and keeps the focus while a price is renewed, and closes on another page", () => {
      const summary = openMenu("/swap/quote/1");
      go("/swap/quote/2?renews=1");
      expect(isOpen()).toBe(true);
      expect(document.activeElement).toBe(summary);
      go("/swap");
      expect(isOpen()).toBe(false);
      expect(document.activeElement?.tagName).toBe("H1");
    });

    it("closes when one of its links leads to the page that is open", () => {
      openMenu("/swap");
      fireEvent.click(within(screen.getByRole("navigation", { name: "Main menu" })).getByText("Swap"));
      expect(isOpen()).toBe(false);
    });
  });
});

// @vitest-environment jsdom
import { Outlet } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../../../support/site";
import { stepTitles } from "~/components/welcome/steps";
import { useRouteFocus } from "~/routes/layout/use-route-focus";
import Step from "~/routes/welcome/step/route";

afterEach(cleanup);

function Layout() {
  useRouteFocus();
  return (
    <main>
      <Outlet />
    </main>
  );
}

type Children = NonNullable<Parameters<typeof createRemixStub>[0][number]["children"]>;

function show(path: string, children: Children) {
  const Stub = createRemixStub([{ path: "/", Component: Layout, children }]);
  render(<Stub initialEntries={[path]} />);
}

const expectFocus = (text: string) => waitFor(() => expect(document.activeElement?.textContent).toBe(text));

it("moves the focus to the title of the next step of the introduction", async () => {
  const loader = ({ params }: { params: { step?: string } }) => ({ step: Number(params.step), terms: null });
  show("/welcome/1", [{ path: "welcome/:step", Component: Step, loader }]);
  const next = await screen.findByRole("link", { name: /^Next/ });
  next.focus();
  fireEvent.click(next);
  await expectFocus(stepTitles[1] ?? "");
});

// @vitest-environment jsdom
import { redirect } from "@remix-run/node";
import { Form, Link, Outlet, useSearchParams } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../../../support/site";
import { Legs } from "~/components/price/legs";
import { otherAsset } from "~/lib/assets";
import { useRouteFocus } from "~/routes/layout/use-route-focus";
import Step from "~/routes/welcome/step/route";
import * as usdtAndMob from "~/routes/welcome/step/usdt-and-mob";

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
  await expectFocus(usdtAndMob.title);
});

/** What was removed, with a button that removes it or replaces it. */
function Removable() {
  const [params] = useSearchParams();
  const step = params.get("step");
  const remove = (
    <Form key={step} method="post">
      <button type="submit" name="step" value="removed">
        Remove
      </button>
      <button type="submit" name="step" value="replaced" id="replace">
        Replace
      </button>
    </Form>
  );
  return (
    <>
      <h1>Title</h1>
      <section>
        <h3>Alerts</h3>
        <ul>{step === "removed" ? null : <li>{remove}</li>}</ul>
      </section>
      <details>
        <summary>More</summary>
        {step === "removed" ? null : (
          <Link replace to="?step=removed">
            Turn off
          </Link>
        )}
      </details>
      <Form method="post">
        <button type="submit">Keep</button>
      </Form>
    </>
  );
}

function showRemovable() {
  const action = async ({ request }: { request: Request }) =>
    redirect(`/?step=${(await request.formData()).get("step")}`);
  show("/", [{ index: true, Component: Removable, action }]);
}

function press(name: string) {
  const control = screen.getByText(name);
  control.focus();
  fireEvent.click(control);
  return control;
}

it.each([
  ["Remove", "Alerts"],
  ["Turn off", "More"],
  ["Replace", "Replace"],
])("when %s is gone, moves the focus to %s", async (name, target) => {
  showRemovable();
  const removed = press(name);
  await waitFor(() => expect(removed.isConnected).toBe(false));
  await expectFocus(target);
});

it("leaves the focus where it is, and does not take it if the visitor has left the control", async () => {
  showRemovable();
  const keep = press("Keep");
  await waitFor(() => expect(screen.getByText("Remove")));
  expect(document.activeElement).toBe(keep);
  keep.blur();
  fireEvent.click(screen.getByText("Remove"));
  await waitFor(() => expect(screen.queryByText("Remove")).toBeNull());
  expect(document.activeElement).toBe(document.body);
});

function Calculator() {
  const [params] = useSearchParams();
  const source = params.get("from") === "MOB" ? "MOB" : "USDT";
  const direction = { source, target: otherAsset(source) } as const;
  return <Legs key={source} source={null} target={null} direction={direction} flipTo={`?from=${direction.target}`} />;
}

it("keeps the focus on the link that switches direction", async () => {
  show("/", [{ index: true, Component: Calculator }]);
  const first = screen.getByRole("link", { name: "Switch direction: MOB to USDT" });
  first.focus();
  fireEvent.click(first);
  const second = await screen.findByRole("link", { name: "Switch direction: USDT to MOB" });
  await waitFor(() => expect(document.activeElement).toBe(second));
});

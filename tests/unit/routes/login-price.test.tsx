// @vitest-environment jsdom
import type { LoaderFunctionArgs } from "@remix-run/node";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import "../../support/site";
import { readCalculatedPath } from "~/lib/calculation";
import { plainNumberStyle } from "~/lib/number-style";
import Login from "~/routes/auth/login/route";
import { makeRates } from "../../support/rates";

afterEach(cleanup);

const { history: _, ...rates } = makeRates();

/** What the page loads for a signed-out visitor. */
function toData(url: string) {
  const redirect = new URL(url).searchParams.get("redirect");
  const calculation = readCalculatedPath(redirect, plainNumberStyle);
  const price = calculation && { calculation, rates, chart: null, pauseReason: null };
  return { redirect, message: false, screen: { kind: "sign-in" }, notice: null, price };
}

it("signs in with the amount in the calculator, and with another one once its direction has been switched", async () => {
  const loader = ({ request }: LoaderFunctionArgs) => toData(request.url);
  const Stub = createRemixStub([{ id: "login", path: "/login", Component: Login, loader }]);
  const start = "/login?redirect=/swap";
  const loaderData = { login: toData(new URL(start, "https://antelope.example").href) };
  render(<Stub initialEntries={[start]} hydrationData={{ loaderData }} />);
  const form = screen.getByLabelText("E-mail address").closest("form") as HTMLFormElement;
  const toAction = (path: string) => `/login?redirect=${encodeURIComponent(path)}`;
  const shownAction = () => form.getAttribute("action");
  expect(shownAction()).toBe(toAction("/swap"));

  const typed = toAction("/swap/usdt-to-mob?amount=300");
  fireEvent.change(screen.getByLabelText(/^You send/), { target: { value: "300" } });
  expect(shownAction()).toBe(typed);

  const replaced: (string | null)[] = [];
  const observer = new MutationObserver((changes) => replaced.push(...changes.map(({ oldValue }) => oldValue)));
  observer.observe(form, { attributeFilter: ["action"], attributeOldValue: true });
  fireEvent.click(screen.getByRole("link", { name: "Switch direction: MOB to USDT" }));
  await screen.findByRole("link", { name: "Switch direction: USDT to MOB" });
  const switched = toAction("/swap/mob-to-usdt?amount=852.8571");
  await waitFor(() => expect(shownAction()).toBe(switched));
  expect(replaced).toEqual([typed]);
  observer.disconnect();
});

it("shows progress while the amount is sent", async () => {
  const Stub = createRemixStub([
    { id: "login", path: "/login", Component: Login, loader: () => new Promise(() => undefined) },
  ]);
  const loaderData = { login: toData("https://antelope.example/login") };
  render(<Stub initialEntries={["/login"]} hydrationData={{ loaderData }} />);
  const [button] = screen.getAllByRole("button", { name: "Continue" });
  fireEvent.click(button as HTMLElement);
  await waitFor(() => expect(button?.textContent).toBe("One moment…"));
});

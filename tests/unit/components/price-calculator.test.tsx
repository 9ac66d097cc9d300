// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { toCalculatorForm, toQuoteForm } from "~/components/price/calculator-form";
import { PriceCalculator, type PriceCalculatorProps } from "~/components/price/price-calculator";
import { useTypedCalculation } from "~/components/price/use-typed-calculation";
import type { Calculation } from "~/lib/calculation";
import { rates } from "../routes/swap/fixtures";

afterEach(cleanup);

const { history: _, ...published } = rates;

type Calculator = Omit<PriceCalculatorProps, "source" | "typed"> & { calculation: Calculation };

let shown: Calculator;
function Shown() {
  const { calculation, ...calculator } = shown;
  return <PriceCalculator {...calculator} source={calculation.source} typed={useTypedCalculation(calculation)} />;
}

function show({ calculation = { source: "USDT", text: "250" }, ...changes }: Partial<Calculator> = {}) {
  shown = {
    title: "What you would get now",
    calculation,
    rates: published,
    chart: null,
    form: toCalculatorForm("/login", calculation.source),
    toPath: (to: Calculation) => `/login?to=${to.source}-${to.text}`,
    children: <button type="submit">Continue</button>,
    ...changes,
  };
  const Stub = createRemixStub([{ path: "/", Component: Shown }]);
  const { container } = render(<Stub initialEntries={["/"]} />);
  const field = (name: RegExp) => screen.getByLabelText(name) as HTMLInputElement;
  return { container, send: field(/^You send/), receive: field(/^You receive/) };
}

const readForm = (form: HTMLFormElement | null) => Object.fromEntries(new FormData(form ?? undefined));

describe("the price calculator", () => {
  it("shows the result, fee and rate of an amount, and updates them while it is typed", async () => {
    const { send, receive } = show();
    expect(receive.value).toBe("710.7142");
    screen.getByText("1.25 USDT (0.5%)");
    screen.getByText("1 USDT = 2.8571 MOB");
    fireEvent.change(send, { target: { value: "1,000" } });
    await waitFor(() => expect(receive.value).toBe("2,842.8571"));
    fireEvent.change(send, { target: { value: "2" } });
    await screen.findByText("The minimum swap is worth 10 USDT.", { selector: "p" });
    screen.getByText("The minimum swap is worth 10 USDT.", { selector: "[role=status]" });
    expect(receive.value).toBe("");
  });

  it("keeps the amount in the URL as soon as the visitor pauses while typing", () => {
    const before = window.location.href;
    const { send } = show();
    vi.useFakeTimers();
    fireEvent.input(send, { target: { value: "1,000" } });
    vi.advanceTimersByTime(499);
    expect(window.location.href).toBe(before);
    vi.advanceTimersByTime(1);
    expect(window.location.search).toBe("?to=USDT-1,000");
    vi.useRealTimers();
    window.history.replaceState(null, "", before);
  });

  it("is a form that works without JavaScript, in both directions", () => {
    const { container } = show({ calculation: { source: "MOB", text: "30" } });
    const form = container.querySelector("form");
    expect(form?.getAttribute("method")).toBe("get");
    expect(readForm(form)).toEqual({ source: "MOB", amount: "30" });
    screen.getByText("Minimum fee, included");
    const flip = screen.getByRole("link", { name: "Switch direction: USDT to MOB" });
    expect(flip.getAttribute("href")).toBe("/login?to=USDT-9.99");
  });

  it("requests the binding price at once for a customer with addresses", () => {
    const { container } = show({ form: toQuoteForm("USDT", { delivery: "mob-1", refund: "eth-1" }) });
    const form = container.querySelector("form");
    expect(form?.getAttribute("method")).toBe("post");
    expect(form?.getAttribute("action")).toBe("/swap/usdt-to-mob");
    expect(readForm(form)).toEqual({
      intent: "quote",
      side: "source",
      source: "250",
      delivery: "mob-1",
      refund: "eth-1",
    });
  });

  it("draws the chart's line with the same thickness at any width", () => {
    const { container } = show({ chart: { line: "M0 26L50 2L100 9.2", change: 0.1 } });
    // The style is not inherited from the <svg>, which is stretched.
    expect(container.querySelector("path[d^=M0]")?.getAttribute("vector-effect")).toBe("non-scaling-stroke");
    screen.getByText("MOB up 10.00% in 24 hours");
  });

  it("says that there is no price, and does not promise a result", () => {
    const { receive } = show({ rates: { ...published, rates: null } });
    expect(receive.value).toBe("");
    screen.getByText("unavailable right now");
  });
});

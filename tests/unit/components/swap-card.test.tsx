// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { SwapCard, type SwapCardProps } from "~/components/swap/swap-card";
import { assets, rates } from "../routes/swap/world";

afterEach(cleanup);

const { history: _, ...published } = rates;

let shown: SwapCardProps;
const Shown = () => <SwapCard {...shown} />;
const Stub = createRemixStub([{ path: "/", Component: Shown }]);

function show(changes: Partial<SwapCardProps> = {}) {
  const props = {
    sourceAsset: assets[0],
    targetAsset: assets[1],
    rates: published,
    typed: { side: "source", text: "250" },
    delivery: { addresses: [], chosen: null },
    refund: { addresses: [], chosen: null },
    result: undefined,
    ...changes,
  } as SwapCardProps;
  shown = props;
  render(<Stub initialEntries={["/"]} />);
  const field = (name: RegExp) => screen.getByLabelText(name) as HTMLInputElement;
  return { send: field(/^You send/), receive: field(/^You receive/) };
}

const type = (field: HTMLInputElement, value: string) => fireEvent.change(field, { target: { value } });

describe("the swap card", () => {
  it("works out the other side while one is typed, either way", async () => {
    const { send, receive } = show();
    expect(receive.value).toBe("710.7142");
    type(send, "1,000");
    await waitFor(() => expect(receive.value).toBe("2,842.8571"));
    type(receive, "100");
    await waitFor(() => expect(send.value).toBe("35.18"));
    expect(receive.value).toBe("100");
  });

  it("says at once what the exchange would refuse, beside the field, and ties the words to it", async () => {
    const { send } = show();
    type(send, "2");
    await waitFor(() => expect(send.getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByText("A swap is worth at least 10 USDT.").id).toBe(
      send.getAttribute("aria-describedby")?.split(" ").at(-1),
    );
    type(send, "20,000");
    await waitFor(() => screen.getByText("A swap is worth at most 10,000 USDT."));
    type(send, "ten");
    await waitFor(() => screen.getByText("Write an amount such as 1,250.50."));
  });

  it("turns round to a page where the same coin keeps its amount", async () => {
    const { send } = show();
    const flip = () => screen.getByRole("link", { name: /other way round/ }).getAttribute("href");
    expect(flip()).toBe("/swap/mob-to-usdt?amount=250&side=target");
    type(send, "nonsense");
    await waitFor(() => expect(flip()).toBe("/swap/mob-to-usdt"));
  });

  it("fills the field with the least and the most", async () => {
    const { send } = show();
    fireEvent.click(await screen.findByRole("button", { name: "max 10,000" }));
    await waitFor(() => expect(send.value).toBe("10000"));
  });

  it("keeps the server's refusal until something else is typed", async () => {
    const { send } = show({ result: { typed: { side: "source", text: "250" }, fieldError: "Not today." } });
    screen.getByText("Not today.");
    type(send, "251");
    await waitFor(() => expect(screen.queryByText("Not today.")).toBeNull());
  });

  it("offers no price while none is known", () => {
    const { receive } = show({ rates: { ...published, rates: null } });
    expect(receive.value).toBe("");
    for (const button of screen.getAllByRole("button", { name: "Get this price" })) {
      if (button.getAttribute("aria-hidden") === null) expect((button as HTMLButtonElement).disabled).toBe(true);
    }
  });
});

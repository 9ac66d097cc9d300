// @vitest-environment jsdom
import { useLoaderData, useLocation, useNavigate, useRevalidator } from "@remix-run/react";
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { layoutRouteId } from "~/loaded-data/layout-data";
import { SwapCard, type SwapCardProps } from "~/routes/swap/direction/swap-card";
import { deferred } from "../../../support/deferred";
import { assets, rates } from "./fixtures";

afterEach(() => {
  cleanup();
  respond = () => null;
});

const { history: _, ...published } = rates;

const refused = {
  typed: { side: "source", text: "250" },
  chosen: { delivery: null, refund: null },
  addresses: { delivery: { typed: "", error: undefined }, refund: { typed: "", error: undefined } },
} as const;

let shown: SwapCardProps;
let respond: () => Promise<null> | null = () => null;
const Shown = () => <SwapCard {...shown} />;
const Stub = createRemixStub([
  { path: "/", Component: Shown },
  { path: "/swap/:direction", Component: Shown, action: () => respond() },
]);

function show(changes: Partial<SwapCardProps> = {}) {
  const props = {
    sourceAsset: assets[0],
    targetAsset: assets[1],
    rates: published,
    typed: { side: "source", text: "250" },
    delivery: { addresses: [], chosen: null },
    refund: { addresses: [], chosen: null },
    settings: { walletRpc: { mainnet: null, sepolia: null }, ensNames: false },
    result: undefined,
    ...changes,
  } as SwapCardProps;
  shown = props;
  render(<Stub initialEntries={["/"]} />);
  const field = (name: RegExp) => screen.getByLabelText(name) as HTMLInputElement;
  return { send: field(/^You send/), receive: field(/^You receive/) };
}

const type = (field: HTMLInputElement, value: string) => fireEvent.change(field, { target: { value } });

/** With a button that loads its data again, as the session's upkeep does. */
function RefreshedPage() {
  const { revalidate } = useRevalidator();
  return (
    <>
      <button type="button" onClick={revalidate}>
        Refresh
      </button>
      <SwapCard {...shown} />
    </>
  );
}

/** The visitor leaves the field just after the account has changed, before the effects of the page have run. */
function LeftPage() {
  const { email } = useLoaderData<{ email: string }>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever the account changes
  useLayoutEffect(() => {
    fireEvent.blur(screen.getByLabelText(/^If something goes wrong/));
  }, [email]);
  return <RefreshedPage />;
}

/** With a button that replaces its history entry, as the router does when a form is refused. */
function ReplacedPage() {
  const navigate = useNavigate();
  return (
    <>
      <button type="button" value={useLocation().key} onClick={() => navigate("/", { replace: true })}>
        Replace
      </button>
      <SwapCard {...shown} />
    </>
  );
}

describe("the swap form", () => {
  it("calculates the other amount while one is typed, in both directions", async () => {
    const { send, receive } = show();
    expect(receive.value).toBe("710.7142");
    type(send, "1,000");
    await waitFor(() => expect(receive.value).toBe("2,842.8571"));
    type(receive, "100");
    await waitFor(() => expect(send.value).toBe("35.18"));
    expect(receive.value).toBe("100");
  });

  it("reports what the exchange would refuse beside the field, linked to it for screen readers", async () => {
    const { send } = show();
    type(send, "2");
    await waitFor(() => expect(send.getAttribute("aria-invalid")).toBe("true"));
    expect(screen.getByText("The minimum swap is worth 10 USDT.", { selector: "p" }).id).toBe(
      send.getAttribute("aria-describedby")?.split(" ").at(-1),
    );
    type(send, "20,000");
    await waitFor(() => screen.getByText("The maximum swap is worth 10,000 USDT.", { selector: "p" }));
    screen.getByText("The maximum swap is worth 10,000 USDT.", { selector: "[role=status]" });
    type(send, "ten");
    await waitFor(() => screen.getByText("Enter an amount such as 1,250.50.", { selector: "p" }));
  });

  it("links to the other direction with the same amount of the same coin", async () => {
    const { send } = show();
    const flip = () => screen.getByRole("link", { name: /^Switch direction/ }).getAttribute("href");
    expect(flip()).toBe("/swap/mob-to-usdt?amount=250&side=target");
    type(send, "nonsense");
    await waitFor(() => expect(flip()).toBe("/swap/mob-to-usdt"));
  });

  it("says above the field for a refund address that it should not be an exchange's", () => {
    show();
    const hintOf = (label: string) =>
      document.getElementById(screen.getByLabelText(label).getAttribute("aria-describedby") ?? "")?.textContent;
    expect(hintOf("If something goes wrong, refund USDT to")).toMatch(
      /^Use an address in your own wallet if you can\. Starts with 0x.* An exchange's address works only if/,
    );
    expect(hintOf("Where your MOB goes")).toMatch(/^106 to 254/);
  });

  it("says what each button for a new address is for", () => {
    const saved = { id: "1", type: "ETH", address: "0x1", label: "" } as const;
    show({ delivery: { addresses: [saved], chosen: null }, refund: { addresses: [saved], chosen: null } });
    expect(screen.getAllByRole("button", { name: /^Add/ }).map(({ textContent }) => textContent)).toEqual([
      "Add an address for the payout",
      "Add an address for refunds",
    ]);
  });

  it("says that the page for a new address is being opened", async () => {
    const saved = { id: "1", type: "ETH", address: "0x1", label: "" } as const;
    const options = { addresses: [saved], chosen: "1" };
    const opened = deferred<null>();
    respond = () => opened.promise;
    show({ delivery: options, refund: options });
    const [delivery, refund] = screen.getAllByRole("button", { name: /^Add/ });
    fireEvent.click(delivery as HTMLElement);
    await waitFor(() => expect(delivery?.textContent).toBe("Opening…"));
    expect(refund?.textContent).toBe("Add an address for refunds");
    opened.resolve(null);
    await waitFor(() => expect(delivery?.textContent).toBe("Add an address for the payout"));
  });

  it("T49 asks which address to use if none is suggested, instead of showing the first one as chosen", () => {
    const saved = { id: "1", type: "MOB", address: "mob", label: "" } as const;
    show({ delivery: { addresses: [saved], chosen: null }, refund: { addresses: [saved], chosen: "1" } });
    const selected = screen.getAllByRole<HTMLSelectElement>("combobox").map(({ value }) => value);
    expect(selected).toEqual(["", "1"]);
    expect(screen.getAllByRole("option", { name: "Choose an address" })).toHaveLength(1);
  });

  it("shows an address again that was typed before a reload, but not to another account", () => {
    show();
    const showTo = (email: string) => {
      cleanup();
      const Stub = createRemixStub([{ id: layoutRouteId, path: "/", Component: Shown }]);
      render(<Stub hydrationData={{ loaderData: { [layoutRouteId]: { email } } }} />);
      return screen.getByLabelText<HTMLTextAreaElement>(/^If something goes wrong/);
    };
    const before = window.history.state;
    const field = showTo("ada@example.org");
    fireEvent.input(field, { target: { value: "0x1234" } });
    fireEvent.blur(field);
    expect(showTo("eve@example.org").value).toBe("");
    expect(showTo("ada@example.org").value).toBe("0x1234");
    window.history.replaceState(before, "");
  });

  it("does not show it to an account that replaces this one in another tab, even just after typing it", async () => {
    show();
    cleanup();
    let email = "ada@example.org";
    const PageStub = createRemixStub([
      { id: layoutRouteId, path: "/", Component: LeftPage, loader: () => ({ email }) },
    ]);
    render(<PageStub />);
    const before = window.history.state;
    const field = await screen.findByLabelText<HTMLTextAreaElement>(/^If something goes wrong/);
    fireEvent.input(field, { target: { value: "0x1234" } });
    email = "eve@example.org";
    fireEvent.click(screen.getByRole("button", { name: "Refresh" }));
    await waitFor(() => expect(field.value).toBe(""));
    expect(JSON.stringify(window.history.state)).not.toMatch(/"eve@[^"]*":"0x1234"/);
    window.history.replaceState(before, "");
  });

  it("keeps what was sent in the URL of its history entry, for visitors who come back", async () => {
    const before = window.location.href;
    const replaced = vi.spyOn(window.history, "replaceState");
    const saved = (id: string) => ({ id, type: "ETH", address: id, label: "" }) as const;
    const { receive } = show({
      delivery: { addresses: [saved("1"), saved("2")], chosen: "1" },
      refund: { addresses: [], chosen: null },
    });
    type(receive, "1,000");
    fireEvent.change(screen.getByRole("combobox"), { target: { value: "2" } });
    fireEvent.click(screen.getAllByRole("button", { name: "Get exact price" })[0] as HTMLElement);
    const path = "/swap/usdt-to-mob?amount=1000&side=target&delivery=2";
    await waitFor(() => expect(replaced).toHaveBeenCalledWith(null, "", path));
    replaced.mockRestore();
    window.history.replaceState(null, "", before);
  });

  it("keeps what is typed as soon as the visitor pauses, for a reload with the caret in the field", async () => {
    const before = window.location.href;
    const { send } = show();
    const refund = screen.getByLabelText<HTMLTextAreaElement>(/^If something goes wrong/);
    vi.useFakeTimers();
    fireEvent.input(send, { target: { value: "1,0" } });
    vi.advanceTimersByTime(499);
    fireEvent.input(send, { target: { value: "1,000" } });
    fireEvent.input(refund, { target: { value: "0x1234" } });
    vi.advanceTimersByTime(499);
    expect(window.location.href).toBe(before);
    vi.advanceTimersByTime(1);
    expect(window.location.pathname + window.location.search).toBe("/swap/usdt-to-mob?amount=1000");
    expect(Object.values(window.history.state)).toContain("0x1234");
    vi.useRealTimers();
    window.history.replaceState(null, "", before);
  });

  it("keeps nothing in the entry of another page that is still loading", () => {
    const before = window.location.href;
    const { send } = show();
    const refund = screen.getByLabelText<HTMLTextAreaElement>(/^If something goes wrong/);
    vi.useFakeTimers();
    fireEvent.input(send, { target: { value: "2,000" } });
    fireEvent.input(refund, { target: { value: "0x1234" } });
    window.history.pushState({ key: "next" }, "", "/next");
    fireEvent.blur(refund);
    fireEvent.blur(send);
    vi.advanceTimersByTime(500);
    fireEvent.blur(refund);
    fireEvent.submit(send);
    expect(window.location.pathname + window.location.search).toBe("/next");
    expect(window.history.state).toEqual({ key: "next" });
    // The visitor returns before it has loaded.
    window.history.replaceState(null, "", before);
    fireEvent.blur(refund);
    expect(window.location.search).toBe("?amount=2000");
    expect(Object.values(window.history.state)).toContain("0x1234");
    vi.useRealTimers();
    window.history.replaceState(null, "", before);
  });

  it("keeps what was typed just before the entry was replaced for the same page", async () => {
    const before = window.location.href;
    show();
    cleanup();
    const PageStub = createRemixStub([{ path: "/", Component: ReplacedPage }]);
    render(<PageStub />);
    const button = screen.getByRole<HTMLButtonElement>("button", { name: "Replace" });
    const { value: key } = button;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    fireEvent.input(screen.getByLabelText(/^You send/), { target: { value: "3,000" } });
    fireEvent.click(button);
    await vi.waitFor(() => expect(button.value).not.toBe(key));
    window.history.replaceState({ key: button.value }, "", before);
    vi.advanceTimersByTime(500);
    expect(window.location.search).toBe("?amount=3000");
    vi.useRealTimers();
    window.history.replaceState(null, "", before);
  });

  it("fills in the limits when pressed", async () => {
    const { send } = show();
    fireEvent.click(await screen.findByRole("button", { name: "Enter max 10,000" }));
    await waitFor(() => expect(send.value).toBe("10,000"));
  });

  it("shows the server's refusal until something else is typed", async () => {
    const { send } = show({ result: { ...refused, fieldError: "Not today." } });
    screen.getByText("Not today.", { selector: "p" });
    type(send, "251");
    await waitFor(() => expect(screen.queryByText("Not today.")).toBeNull());
  });

  it("shows a fee in full, and calls it a minimum fee if the share would be less", async () => {
    const { send } = show();
    type(send, "251.4");
    await screen.findByText("1.257 USDT (0.5%)");
    cleanup();
    const mob = show({
      sourceAsset: assets[1],
      targetAsset: assets[0],
      typed: { side: "source", text: "30" },
    } as Partial<SwapCardProps>);
    expect(mob.send.value).toBe("30");
    screen.getByText("Minimum fee, included");
    screen.getByText("1.4286 MOB (4.8%)");
    screen.getByText(/For 286 MOB or more, it is 0\.5%/);
  });

  it("asks for addresses on the form itself if none is saved", () => {
    const addresses = {
      delivery: { typed: "3Cnfx", error: "This is too short." },
      refund: { typed: "", error: undefined },
    };
    show({ result: { ...refused, addresses } });
    const delivery = screen.getByLabelText("Where your MOB goes") as HTMLTextAreaElement;
    expect(delivery).toMatchObject({ name: "new_delivery", value: "3Cnfx" });
    expect(delivery.getAttribute("aria-invalid")).toBe("true");
    screen.getByText("This is too short.");
    expect(screen.getByLabelText("If something goes wrong, refund USDT to").getAttribute("name")).toBe("new_refund");
    screen.getByRole("button", { name: "Use my wallet's address" });
  });

  it("disables the button while there is no rate", () => {
    const { receive } = show({ rates: { ...published, rates: null } });
    expect(receive.value).toBe("");
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Get exact price" }).disabled).toBe(true);
  });
});

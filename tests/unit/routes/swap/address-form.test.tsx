// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AddressForm, type AddressFormResult } from "~/routes/swap/add-delivery-address/address-form";

afterEach(() => {
  cleanup();
  window.history.replaceState(null, "");
  vi.unstubAllGlobals();
});

const refused: AddressFormResult = {
  kind: "refused",
  values: { type: "MOB", address: "3Cnfx" },
  fields: { address: "This is too short." },
};

const settings = { walletRpc: { mainnet: null, sepolia: null }, ensNames: false };
let shown: AddressFormResult | undefined;
const form = { action: "/add", back: "/back", settings };
const Form = () => <AddressForm {...form} fixedType="MOB" result={shown} />;
const FormWithTypes = () => <AddressForm {...form} fixedType={null} result={undefined} />;

/** With a button that stands for another submission with the same result. */
function Sendable() {
  const [, setCount] = useState(0);
  function send() {
    shown = { kind: "refused", error: "Try again later." };
    setCount((count) => count + 1);
  }
  return (
    <>
      <Form />
      <button type="button" onClick={send}>
        Again
      </button>
    </>
  );
}

function show(result?: AddressFormResult) {
  shown = result;
  const root = { hasSandbox: true };
  const Stub = createRemixStub([
    { id: "root", path: "", loader: () => root, children: [{ path: "/", Component: Form, action: () => null }] },
  ]);
  render(<Stub initialEntries={["/"]} hydrationData={{ loaderData: { root } }} />);
  return screen.getByLabelText("Address") as HTMLTextAreaElement;
}

describe("the form for an address", () => {
  it("shows the whole address, on several lines", () => {
    const field = show({ ...refused, values: { type: "MOB", address: "3".repeat(254) } });
    expect(field.tagName).toBe("TEXTAREA");
    expect(field.value).toHaveLength(254);
  });

  it("forgets the refusal of an address once another one is typed", () => {
    const field = show(refused);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    fireEvent.input(field, { target: { value: "3CnfxA" } });
    expect(screen.queryByText("This is too short.")).toBeNull();
    expect(field.getAttribute("aria-invalid")).toBeNull();
  });

  it("forgets the name of an address once another one is typed", () => {
    const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
    const field = show({
      kind: "resolved",
      values: { type: "ETH", address },
      resolved: { name: "alice.eth", address },
    });
    expect(field.value).toBe(address);
    expect(screen.getByText("alice.eth points to this address")).toBeTruthy();
    fireEvent.input(field, { target: { value: address.replace("5", "6") } });
    expect(screen.queryByText("alice.eth points to this address")).toBeNull();
  });

  it("announces a refusal each time, even if its text is the same", async () => {
    shown = { kind: "refused", error: "Try again later." };
    const Stub = createRemixStub([{ path: "/", Component: Sendable, action: () => null }]);
    render(<Stub />);
    const first = screen.getByRole("alert");
    fireEvent.click(screen.getByRole("button", { name: "Again" }));
    expect(screen.getByRole("alert").textContent).toBe("Try again later.");
    expect(first.isConnected).toBe(false);
  });

  it("says what the chosen kind of address looks like, even if it was chosen before scripts ran", async () => {
    const Stub = createRemixStub([{ path: "/", Component: FormWithTypes, action: () => null }]);
    const container = document.body.appendChild(document.createElement("div"));
    // React warns that the router's layout effects do not run on a server.
    const warnings = vi.spyOn(console, "error").mockImplementation(() => undefined);
    container.innerHTML = renderToString(<Stub />);
    warnings.mockRestore();
    expect(screen.getByText("Paste the whole address.")).toBeTruthy();
    screen.getByRole("radio", { name: /^Ethereum/ }).click();
    render(<Stub />, { container, hydrate: true });
    expect(await screen.findByText(/^Starts with 0x and has 42 characters/)).toBeTruthy();
    fireEvent.click(screen.getByRole("radio", { name: /^MobileCoin/ }));
    expect(screen.getByText(/^106 to 254 letters and digits/)).toBeTruthy();
  });

  it("restores an address that was typed before a reload, or before the visitor looked at the help", () => {
    const field = show();
    fireEvent.input(field, { target: { value: "3Cnfx" } });
    fireEvent.blur(field);
    cleanup();
    expect(show().value).toBe("3Cnfx");
  });

  it("forgets the refusal when the sandbox's address is filled in", async () => {
    vi.stubGlobal("fetch", async () => Response.json({ address: "sandbox-address" }));
    const field = show(refused);
    const button = screen.getByRole("button", { name: "Use the sandbox address" });
    await waitFor(() => expect(button.closest("fieldset")?.disabled).toBe(false));
    fireEvent.click(button);
    await waitFor(() => expect(field.value).toBe("sandbox-address"));
    await waitFor(() => expect(screen.queryByText("This is too short.")).toBeNull());
  });
});

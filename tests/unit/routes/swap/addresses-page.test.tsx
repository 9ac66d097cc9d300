// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import type { ComponentType } from "react";
import { afterEach, describe, expect, it } from "vitest";
import "../../../support/site";
import AddDeliveryAddress from "~/routes/swap/add-delivery-address/route";
import DeliveryAddresses from "~/routes/swap/delivery-addresses/route";
import { addresses } from "./fixtures";

afterEach(cleanup);

const settings = { walletRpc: { mainnet: null, sepolia: null }, ensNames: false };

function show(Component: ComponentType, data: object): HTMLElement {
  const Stub = createRemixStub([{ id: "page", path: "/", Component, loader: () => data }]);
  return render(<Stub hydrationData={{ loaderData: { page: data } }} />).container;
}

describe("the pages of the delivery addresses", () => {
  it("R10 lists the addresses in full, each with its name", () => {
    const shown = show(DeliveryAddresses, { addressType: null, addresses }).textContent ?? "";
    expect(screen.getAllByRole("listitem").length).toBeGreaterThanOrEqual(addresses.length);
    for (const { address, label } of addresses) {
      expect(shown.replaceAll(/\s/g, "")).toContain(address.replaceAll(/\s/g, ""));
      expect(shown).toContain(label);
      // A label in Arabic is read from right to left, whatever is beside it.
      const labels = label === "" ? [] : screen.getAllByText(label);
      for (const text of labels) expect(text.closest("bdi, [dir=auto]")).not.toBeNull();
    }
  });

  it("R11 asks for an address of the given type, and leads back to the page that needs it", () => {
    const data = { settings };
    show(AddDeliveryAddress, { ...data, addressType: "ETH", redirect: "/swap/usdt-to-mob" });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Add an Ethereum address");
    const form = screen.getByLabelText("Address").closest("form");
    expect(form?.getAttribute("action")).toBe(
      "/swap/deliveryaddress/add?addressType=ETH&redirect=%2Fswap%2Fusdt-to-mob",
    );
    expect(screen.getByRole("link", { name: "Back" }).getAttribute("href")).toBe("/swap/usdt-to-mob");
  });

  it.each([
    ["MOB", "Add a MobileCoin address", "No saved MobileCoin addresses yet"],
    ["ETH", "Add an Ethereum address", "No saved Ethereum addresses yet"],
    [null, "Add an address", "No saved addresses yet"],
  ])("V03 for %s, says which address to add, and which are missing", (addressType, title, missing) => {
    const data = { settings, redirect: null };
    show(AddDeliveryAddress, { ...data, addressType });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(title);
    cleanup();
    show(DeliveryAddresses, { addressType, addresses: [] });
    expect(screen.getByRole("heading", { level: 2 }).textContent).toBe(missing);
  });
});

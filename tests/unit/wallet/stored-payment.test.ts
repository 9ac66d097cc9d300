// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { onStoredPayment, readStoredPayment, type StoredPayment, storePayment } from "~/wallet/stored-payment";

const address = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";
const tokenAddress = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const due = { chainId: 1, address, amount: "25.5", tokenAddress } as const;
const key = `antelope.payment:${address}`;
const hash = `0x${"ab".repeat(32)}` as const;
const asked: StoredPayment = { ...due, state: "asked" };
const sent: StoredPayment = { ...due, state: hash };

afterEach(() => {
  vi.restoreAllMocks();
  storePayment(address, null);
  localStorage.clear();
});

describe("what is stored of a payment", () => {
  it("is found again after a reload by its address, with its amount", () => {
    for (const payment of [asked, sent, { ...due, amount: "100", state: "dropped" }] as const) {
      storePayment(address, payment);
      expect(readStoredPayment(address)).toEqual(payment);
      expect(readStoredPayment(`0x${address.slice(2).toUpperCase()}`)).toBe(readStoredPayment(address));
      expect(readStoredPayment(tokenAddress)).toBeNull();
    }
    expect(localStorage.getItem(key)).toBe(`dropped 100 1 ${tokenAddress}`);
    storePayment(address, null);
    expect(localStorage.getItem(key)).toBeNull();
    expect(readStoredPayment(address)).toBeNull();
    for (const text of ["<script>", "asked", `asked 1,5 1 ${tokenAddress}`, `sent 25.5 1 ${tokenAddress}`]) {
      localStorage.setItem(key, text);
      expect(readStoredPayment(address)).toBeNull();
    }
  });

  it("lasts until the page is left if storage is blocked or full", () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);
    storePayment(address, asked);
    storePayment(address, sent);
    expect(readStoredPayment(address)).toEqual(sent);
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(refuse);
    vi.spyOn(Storage.prototype, "removeItem").mockImplementation(refuse);
    expect(readStoredPayment(address)).toEqual(sent);
    storePayment(address, null);
    expect(readStoredPayment(address)).toBeNull();
  });

  it("is announced to this page and to other tabs", () => {
    const listener = vi.fn();
    const stop = onStoredPayment(listener);
    storePayment(address, sent);
    expect(listener).toHaveBeenCalledTimes(1);
    // The browser sends this event to the other tabs.
    window.dispatchEvent(new StorageEvent("storage", { key }));
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    storePayment(address, null);
    window.dispatchEvent(new StorageEvent("storage", { key }));
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from "vitest";
import { onStoredPayment, readStoredPayment, storePayment } from "~/wallet/stored-payment";

const address = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const due = { chainId: 1, address, amount: "25.5" };
const key = `antelope.payment:1:${address.toLowerCase()}:25.5`;
const hash = `0x${"ab".repeat(32)}` as const;

afterEach(() => {
  vi.restoreAllMocks();
  storePayment(due, null);
  localStorage.clear();
});

describe("what is stored of a payment", () => {
  it("is found again after a reload, only for the same chain, address and amount", () => {
    for (const payment of ["asked", hash] as const) {
      storePayment(due, payment);
      expect(localStorage.getItem(key)).toBe(payment);
      expect(readStoredPayment({ ...due, address: address.toLowerCase() })).toBe(payment);
      expect(readStoredPayment({ ...due, amount: "1.5" })).toBeNull();
      expect(readStoredPayment({ ...due, chainId: 11_155_111 })).toBeNull();
    }
    storePayment(due, null);
    expect(localStorage.getItem(key)).toBeNull();
    expect(readStoredPayment(due)).toBeNull();
    localStorage.setItem(key, "<script>");
    expect(readStoredPayment(due)).toBeNull();
  });

  it("lasts until the page is left if storage is blocked or full", () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    vi.spyOn(Storage.prototype, "setItem").mockImplementation(refuse);
    storePayment(due, "asked");
    storePayment(due, hash);
    expect(readStoredPayment(due)).toBe(hash);
    vi.spyOn(Storage.prototype, "getItem").mockImplementation(refuse);
    vi.spyOn(Storage.prototype, "removeItem").mockImplementation(refuse);
    expect(readStoredPayment(due)).toBe(hash);
    storePayment(due, null);
    expect(readStoredPayment(due)).toBeNull();
  });

  it("is announced to this page and to other tabs", () => {
    const listener = vi.fn();
    const stop = onStoredPayment(listener);
    storePayment(due, hash);
    expect(listener).toHaveBeenCalledTimes(1);
    // The browser sends this event to the other tabs.
    window.dispatchEvent(new StorageEvent("storage", { key }));
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    storePayment(due, null);
    window.dispatchEvent(new StorageEvent("storage", { key }));
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

import { storedPaymentPrefix } from "~/browser/stored-wallet";

/**
 * Stores what we know about a payment from this browser, so that the page follows it instead of offering to pay again:
 * after a reload, in other tabs, and in other parts of the page. The key is the funding address, which belongs to one
 * order, and the amount, which differs for a later top-up.
 */
type DuePayment = { chainId: number; address: string; amount: string };

/** The hash of a payment that was sent, or "asked" if a wallet was asked for it and has not responded. */
export type StoredPayment = `0x${string}` | "asked";

/** Payments that the browser refused to store. Kept until the page is left. */
const unsaved = new Map<string, StoredPayment>();
const listeners = new Set<() => void>();

const toKey = ({ chainId, address, amount }: DuePayment) =>
  `${storedPaymentPrefix}${chainId}:${address.toLowerCase()}:${amount}`;

export function readStoredPayment(due: DuePayment): StoredPayment | null {
  const key = toKey(due);
  const stored = unsaved.get(key) ?? readItem(key);
  if (stored === "asked") return stored;
  return stored && /^0x[0-9a-f]{64}$/.test(stored) ? `0x${stored.slice(2)}` : null;
}

/** @param payment null if nothing is on its way */
export function storePayment(due: DuePayment, payment: StoredPayment | null): void {
  const key = toKey(due);
  unsaved.delete(key);
  try {
    if (payment) localStorage.setItem(key, payment);
    else localStorage.removeItem(key);
  } catch {
    if (payment) unsaved.set(key, payment);
  }
  for (const listener of listeners) listener();
}

/** Calls the listener after every change, including those in other tabs. Returns a function that unsubscribes. */
export function onStoredPayment(listener: () => void): () => void {
  listeners.add(listener);
  window.addEventListener("storage", listener);
  return () => {
    listeners.delete(listener);
    window.removeEventListener("storage", listener);
  };
}

/** Accessing localStorage throws in browsers that block it. */
function readItem(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

import { storedPaymentPrefix } from "~/browser/stored-wallet";
import type { WalletFunding } from "./funding";

/**
 * What we know about a payment from this browser, so that the page follows it instead of offering to pay again: after a
 * reload, in other tabs, and in other parts of the page. Each funding address, which belongs to one order, has one.
 */
export type StoredPayment = WalletFunding & {
  /**
   * The hash of a payment that was sent; "asked" if a wallet was asked for it and has not responded; "dropped" if the
   * customer says that it won't arrive, so that another can be made.
   */
  state: `0x${string}` | "asked" | "dropped";
  /**
   * When a wallet was asked, in milliseconds: distinguishes the request from later ones, including those of other tabs.
   */
  askedAt?: number;
};

/** Payments that the browser refused to store, as text. Kept until the page is left. */
const unsaved = new Map<string, string>();
/** What was read, by its text: a payment that has not changed is the same object. */
const parsed = new Map<string, StoredPayment | null>();
const listeners = new Set<() => void>();

const toKey = (address: string) => storedPaymentPrefix + address.toLowerCase();

/** @param address the exchange's funding address */
export function readStoredPayment(address: string): StoredPayment | null {
  const key = toKey(address);
  const text = unsaved.get(key) ?? readItem(key);
  if (text === null) return null;
  const entry = `${key} ${text}`;
  const payment = parsed.get(entry) ?? parse(entry);
  parsed.set(entry, payment);
  return payment;
}

/** @param payment null if nothing is on its way */
export function storePayment(address: string, payment: StoredPayment | null): void {
  const key = toKey(address);
  const text = payment && toText(payment);
  unsaved.delete(key);
  try {
    if (text) localStorage.setItem(key, text);
    else localStorage.removeItem(key);
  } catch {
    if (text) unsaved.set(key, text);
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

function toText({ state, amount, chainId, tokenAddress, askedAt }: StoredPayment): string {
  const text = `${state} ${amount} ${chainId} ${tokenAddress}`;
  return state === "asked" && askedAt !== undefined ? `${text} ${askedAt}` : text;
}

const pattern =
  /:(0x[0-9a-f]{40}) (asked|dropped|0x[0-9a-f]{64}) (\d+(?:\.\d{1,6})?) ([1-9]\d{0,15}) (0x[0-9a-f]{40})(?: (\d{1,15}))?$/i;

function parse(entry: string): StoredPayment | null {
  const [, address = "", state = "", amount = "", chainId, tokenAddress = "", askedAt] = pattern.exec(entry) ?? [];
  if (!state) return null;
  return {
    address: `0x${address.slice(2)}`,
    state: state === "asked" || state === "dropped" ? state : `0x${state.slice(2).toLowerCase()}`,
    amount,
    chainId: Number(chainId),
    tokenAddress: `0x${tokenAddress.slice(2)}`,
    ...(askedAt && { askedAt: Number(askedAt) }),
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

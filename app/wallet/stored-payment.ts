/**
 * Stores the hash of a payment sent from this browser, so that after a reload the page follows it
 * instead of offering to pay again. The key is the funding address, which belongs to one order, and
 * the amount, which differs for a later top-up.
 */
type DuePayment = { chainId: number; address: string; amount: string };
type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const toKey = ({ chainId, address, amount }: DuePayment) =>
  `antelope.payment:${chainId}:${address.toLowerCase()}:${amount}`;

export function readStoredPayment(due: DuePayment, store: Store | null = findStore()): `0x${string}` | null {
  const stored = attempt(() => store?.getItem(toKey(due)) ?? null) ?? "";
  return /^0x[0-9a-f]{64}$/.test(stored) ? `0x${stored.slice(2)}` : null;
}

export function storePayment(due: DuePayment, hash: `0x${string}`, store: Store | null = findStore()): void {
  attempt(() => store?.setItem(toKey(due), hash));
}

export function clearStoredPayment(due: DuePayment, store: Store | null = findStore()): void {
  attempt(() => store?.removeItem(toKey(due)));
}

function findStore(): Store | null {
  return attempt(() => (typeof window === "undefined" ? null : window.localStorage)) ?? null;
}

/** Null if the browser blocks storage. After a reload, the page then shows only what the exchange sees. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/**
 * The hash of a payment that left this browser, kept by funding address and amount, so that a
 * reload follows it on instead of offering to pay once more. A funding address serves one order;
 * what is still missing of it is another amount.
 */
type Due = { chainId: number; address: string; amount: string };
type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;

const toKey = ({ chainId, address, amount }: Due) => `antelope.payment:${chainId}:${address.toLowerCase()}:${amount}`;

export function readKeptPayment(due: Due, store: Store | null = findStore()): `0x${string}` | null {
  const kept = attempt(() => store?.getItem(toKey(due)) ?? null) ?? "";
  return /^0x[0-9a-f]{64}$/.test(kept) ? `0x${kept.slice(2)}` : null;
}

export function keepPayment(due: Due, hash: `0x${string}`, store: Store | null = findStore()): void {
  attempt(() => store?.setItem(toKey(due), hash));
}

export function forgetPayment(due: Due, store: Store | null = findStore()): void {
  attempt(() => store?.removeItem(toKey(due)));
}

function findStore(): Store | null {
  return attempt(() => (typeof window === "undefined" ? null : window.localStorage)) ?? null;
}

/** A browser that keeps nothing: a reload then shows the exchange's own view of the payment alone. */
function attempt<T>(work: () => T): T | null {
  try {
    return work();
  } catch {
    return null;
  }
}

/**
 * What this browser remembers of the wallet used last: wagmi's entries in local storage, with
 * the accounts' addresses, and the connection of a page that lives on. Whoever signed out
 * leaves neither behind. wagmi itself is not loaded for that: it is in no first page.
 */
export const walletStorageKey = "antelope.wallet";

let disconnect: (() => void) | null = null;

/** Called by the wallet's chunk once it has something to forget. */
export function onForgetWallet(listener: () => void): void {
  disconnect = listener;
}

export function forgetWallet(): void {
  disconnect?.();
  try {
    for (const key of Object.keys(localStorage)) {
      // That a wallet was disconnected by hand is no secret: without it wagmi would connect it again by itself.
      if (key.startsWith(`${walletStorageKey}.`) && !key.endsWith(".disconnected")) localStorage.removeItem(key);
    }
  } catch {
    // A browser that keeps nothing has nothing to forget.
  }
}

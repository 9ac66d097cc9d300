/**
 * Clears the wallet used last when the visitor is signed out: wagmi's entries in local storage, which contain the
 * account addresses, the payments, and the connection of the current page. Works without loading wagmi. If a payment is
 * still waiting for a block when the session expires, it is removed, too.
 */

export const walletStorageKey = "antelope.wallet";
export const storedPaymentPrefix = "antelope.payment:";

/** Whether a wallet is connected, as wagmi has stored it. */
export function hasStoredWallet(): boolean {
  try {
    return /"current":"[^"]/.test(localStorage.getItem(`${walletStorageKey}.store`) ?? "");
  } catch {
    return false;
  }
}

let disconnect: (() => void) | null = null;

/** Registers what disconnects the wallet, once the wallet code is loaded. */
export function onClearStoredWallet(listener: () => void): void {
  disconnect = listener;
}

export function clearStoredWallet(): void {
  disconnect?.();
  try {
    for (const key of Object.keys(localStorage)) {
      // Keep the entry for a manually disconnected wallet, or wagmi would reconnect it automatically.
      const isWallet = key.startsWith(`${walletStorageKey}.`) && !key.endsWith(".disconnected");
      if (isWallet || key.startsWith(storedPaymentPrefix)) localStorage.removeItem(key);
    }
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

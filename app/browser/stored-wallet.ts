/**
 * Clears the wallet used last when the visitor signs out: wagmi's entries in local storage, which
 * contain the account addresses, and the connection of the current page. Works without loading wagmi.
 */
export const walletStorageKey = "antelope.wallet";

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
      if (key.startsWith(`${walletStorageKey}.`) && !key.endsWith(".disconnected")) localStorage.removeItem(key);
    }
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/**
 * The stored passkey value of the specification: the identifier last used with a passkey in
 * this browser. A convenience that fills the form; it proves nothing. Cleared where the
 * specification says so (E11, E15). A browser that keeps nothing is answered null.
 */
const key = "passkey";

export function readStoredPasskey(): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export function storePasskey(identifier: string): void {
  try {
    localStorage.setItem(key, identifier);
  } catch {
    // Private mode or a full store: the field will be empty next time.
  }
}

export function clearStoredPasskey(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Nothing was kept then.
  }
}

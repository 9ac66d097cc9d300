/**
 * The stored passkey value of the specification: the e-mail address last used with a passkey in this
 * browser, to fill in the sign-in form. Cleared by E11 and E15. Without storage there is none.
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
    // Storage is blocked or full: the field will be empty next time.
  }
}

export function clearStoredPasskey(): void {
  try {
    localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

/** Remembers whether the last passkey used in this browser was a test passkey. Later confirmations then use it, too. */

const key = "antelope.used-test-passkey";

export function hasUsedTestPasskey(): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

export function storeTestPasskeyUse(isTest: boolean): void {
  try {
    if (isTest) localStorage.setItem(key, "true");
    else localStorage.removeItem(key);
  } catch {
    // Storage is blocked, so there are no test passkeys.
  }
}

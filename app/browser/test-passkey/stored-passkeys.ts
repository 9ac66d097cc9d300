/** A test passkey as stored in this browser. The private key is a JWK: it only protects sandbox accounts. */
export type StoredPasskey = {
  id: string;
  rpId: string;
  userHandle: string;
  userName: string;
  createdAt: string;
  privateKey: JsonWebKey;
};

type BrowserStorage = Pick<Storage, "getItem" | "setItem" | "removeItem">;
const storageKey = "antelope.test-passkeys";

export type PasskeyStore = {
  /** Oldest first. */
  list(): StoredPasskey[];
  add(passkey: StoredPasskey): void;
  clear(): void;
};

/** Stores test passkeys in local storage. Unreadable data counts as no passkeys; `add` throws if it cannot write. */
export function createPasskeyStore(storage: BrowserStorage): PasskeyStore {
  const list = (): StoredPasskey[] => {
    try {
      const stored: unknown = JSON.parse(storage.getItem(storageKey) ?? "[]");
      return Array.isArray(stored) ? stored.filter(isStoredPasskey) : [];
    } catch {
      return [];
    }
  };
  return {
    list,
    add: (passkey) => storage.setItem(storageKey, JSON.stringify([...list(), passkey])),
    clear: () => storage.removeItem(storageKey),
  };
}

function isStoredPasskey(value: unknown): value is StoredPasskey {
  if (typeof value !== "object" || value === null) return false;
  const { id, rpId, userHandle, privateKey } = value as Record<string, unknown>;
  return [id, rpId, userHandle].every((part) => typeof part === "string") && typeof privateKey === "object";
}

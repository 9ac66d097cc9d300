/** A test passkey as this browser keeps it. The private half is a JWK: it opens play accounts alone. */
export type KeptPasskey = {
  id: string;
  rpId: string;
  userHandle: string;
  userName: string;
  createdAt: string;
  privateKey: JsonWebKey;
};

type Store = Pick<Storage, "getItem" | "setItem" | "removeItem">;
const name = "antelope.test-passkeys";

export type PasskeyKeep = {
  /** Oldest first. */
  list(): KeptPasskey[];
  add(passkey: KeptPasskey): void;
  clear(): void;
};

/** In a browser's local storage. What cannot be read counts as none; what cannot be written throws. */
export function keepPasskeys(store: Store): PasskeyKeep {
  const list = (): KeptPasskey[] => {
    try {
      const kept: unknown = JSON.parse(store.getItem(name) ?? "[]");
      return Array.isArray(kept) ? kept.filter(isKept) : [];
    } catch {
      return [];
    }
  };
  return {
    list,
    add: (passkey) => store.setItem(name, JSON.stringify([...list(), passkey])),
    clear: () => store.removeItem(name),
  };
}

function isKept(value: unknown): value is KeptPasskey {
  if (typeof value !== "object" || value === null) return false;
  const { id, rpId, userHandle, privateKey } = value as Record<string, unknown>;
  return [id, rpId, userHandle].every((part) => typeof part === "string") && typeof privateKey === "object";
}

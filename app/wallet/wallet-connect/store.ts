import type { SignClient } from "@walletconnect/sign-client";
import { walletStorageKey } from "~/browser/stored-wallet";

type ClientOptions = NonNullable<Parameters<typeof SignClient.init>[0]>;
type ClientStorage = NonNullable<ClientOptions["storage"]>;

/** Signing out removes all entries with this prefix. */
const prefix = `${walletStorageKey}.`;

/**
 * Keeps the client's keys and sessions in local storage, where signing out clears them, and not in the client's own
 * database. If storage is blocked or full, they last until the page is left.
 */
export function toClientStorage(storage: Storage | null): ClientStorage {
  const entries = new Map<string, string>();
  const read = (name: string) => entries.get(name) ?? storage?.getItem(prefix + name) ?? null;
  const getKeys = () => {
    const stored = Object.keys(storage ?? {}).filter((key) => key.startsWith(prefix));
    return [...new Set([...stored.map((key) => key.slice(prefix.length)), ...entries.keys()])];
  };
  const parse = <T>(text: string | null) => (text === null ? undefined : (JSON.parse(text) as T));
  return {
    getKeys: async () => getKeys(),
    getEntries: async <T>() => getKeys().map((key): [string, T] => [key, parse<T>(read(key)) as T]),
    getItem: async <T>(key: string) => parse<T>(read(key)),
    async setItem(key, value) {
      const text = JSON.stringify(value);
      try {
        storage?.setItem(prefix + key, text);
        if (storage) entries.delete(key);
        else entries.set(key, text);
      } catch {
        entries.set(key, text);
      }
    },
    async removeItem(key) {
      entries.delete(key);
      storage?.removeItem(prefix + key);
    },
  };
}

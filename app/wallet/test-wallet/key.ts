import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

type Store = Pick<Storage, "getItem" | "setItem">;
const keyName = "antelope.test-wallet.key";

/** The test wallet's account: made in this browser at the first use and kept by it. It never holds more than play money. */
export function openTestAccount(store: Store): PrivateKeyAccount {
  const kept = store.getItem(keyName) ?? "";
  if (/^0x[0-9a-f]{64}$/.test(kept)) return privateKeyToAccount(`0x${kept.slice(2)}`);
  const made = generatePrivateKey();
  store.setItem(keyName, made);
  return privateKeyToAccount(made);
}

import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";

type Store = Pick<Storage, "getItem" | "setItem">;
const keyName = "antelope.test-wallet.key";

/** The test wallet's account, created at the first use and stored in this browser. It holds only play money. */
export function openTestAccount(store: Store): PrivateKeyAccount {
  const stored = store.getItem(keyName) ?? "";
  if (/^0x[0-9a-f]{64}$/.test(stored)) return privateKeyToAccount(`0x${stored.slice(2)}`);
  const created = generatePrivateKey();
  store.setItem(keyName, created);
  return privateKeyToAccount(created);
}

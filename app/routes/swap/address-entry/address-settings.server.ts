import { getConfig } from "~/config/config.server";
import type { WalletRpc } from "~/wallet/chains";

/** What the fields for an address need to know about the site. */
export type AddressSettings = {
  walletRpc: WalletRpc;
  /** The exchange looks up names such as alice.eth. */
  ensNames: boolean;
};

export function readAddressSettings(): AddressSettings {
  const { walletRpc, exchange } = getConfig();
  return { walletRpc, ensNames: exchange.ensRpcUrl !== null };
}

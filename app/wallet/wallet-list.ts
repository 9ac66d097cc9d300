import type { Connector } from "wagmi";
import { toOneLine } from "~/lib/one-line";
import { testWalletRdns } from "./test-wallet/identity";
import { walletConnectType } from "./wallet-connect/pairing";

export type WalletChoice = {
  key: string;
  name: string;
  /** The wallet's icon as a data URI. Null for any other URL, so that nothing is loaded from elsewhere. */
  icon: string | null;
  isTestWallet: boolean;
  /** The wallet connects through a relay, with a code to scan. */
  isRemote: boolean;
  connector: Connector;
};

/**
 * The wallets that announced themselves (EIP-6963), the sandbox's test wallet first, then WalletConnect if it is
 * configured. If no other wallet announced itself, the list ends with a choice for one that only sets
 * `window.ethereum`, which may not exist.
 */
export function listWallets(connectors: readonly Connector[]): WalletChoice[] {
  const choices = connectors.filter(({ id }) => id !== "injected").map(toChoice);
  const remote = choices.filter(({ isRemote }) => isRemote);
  const announced = choices.filter(({ isRemote }) => !isRemote);
  announced.sort((a, b) => Number(b.isTestWallet) - Number(a.isTestWallet));
  const injected = connectors.find(({ id }) => id === "injected");
  if (!injected || announced.some((choice) => !choice.isTestWallet)) return [...announced, ...remote];
  const name = announced.length > 0 ? "Another wallet in this browser" : "The wallet in this browser";
  return [...announced, ...remote, { ...toChoice(injected), name }];
}

/** A wallet announces its own name: shown as one short line, which is never blank. */
export function toWalletName(name: string): string {
  // Cutting the name may leave nothing visible, or half of a character.
  return toOneLine(toOneLine(name).slice(0, 40)) || "Unnamed wallet";
}

function toChoice(connector: Connector): WalletChoice {
  const { uid, id, type, name, icon } = connector;
  const picture = icon?.trim() ?? "";
  return {
    key: uid,
    name: toWalletName(name),
    icon: picture.startsWith("data:image/") ? picture : null,
    isTestWallet: id === testWalletRdns,
    isRemote: type === walletConnectType,
    connector,
  };
}

import type { Connector } from "wagmi";
import { toOneLine } from "~/lib/one-line";
import { testWalletRdns } from "./test-wallet/identity";

export type WalletChoice = {
  key: string;
  name: string;
  /** A picture that the wallet brought along as a data URI; anything else is not shown. */
  icon: string | null;
  isTestWallet: boolean;
  connector: Connector;
};

/**
 * The wallets that announced themselves (EIP-6963), the sandbox's own first. Where no other
 * did, whatever sets `window.ethereum` may be tried: asking tells whether there is one.
 */
export function listWallets(connectors: readonly Connector[]): WalletChoice[] {
  const announced = connectors.filter(({ id }) => id !== "injected").map(toChoice);
  announced.sort((a, b) => Number(b.isTestWallet) - Number(a.isTestWallet));
  const unnamed = connectors.find(({ id }) => id === "injected");
  if (!unnamed || announced.some((choice) => !choice.isTestWallet)) return announced;
  const name = announced.length > 0 ? "Another wallet in this browser" : "The wallet in this browser";
  return [...announced, { ...toChoice(unnamed), name }];
}

function toChoice(connector: Connector): WalletChoice {
  const { uid, id, name, icon } = connector;
  const picture = icon?.trim() ?? "";
  return {
    key: uid,
    name: toOneLine(name).slice(0, 40),
    icon: picture.startsWith("data:image/") ? picture : null,
    isTestWallet: id === testWalletRdns,
    connector,
  };
}

import { describe, expect, it } from "vitest";
import type { Connector } from "wagmi";
import { parseTransferUri } from "~/wallet/funding";
import { toState } from "~/wallet/use-followed-transaction";
import { listWallets } from "~/wallet/wallet-list";

const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const to = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describe("a payment by wallet", () => {
  it("parses the token, the chain and the address from the exchange's URI, and rejects any other", () => {
    const uri = `ethereum:${token}@1/transfer?address=${to}&uint256=25500000`;
    expect(parseTransferUri(uri)).toEqual({ tokenAddress: token, chainId: 1, address: to });
    for (const other of [
      `ethereum:${to}@1?value=1`,
      `ethereum:${token}@1/approve?address=${to}&uint256=1`,
      `ethereum:${token}/transfer?address=${to}`,
      `ethereum:${token}@1/transfer?uint256=1`,
      `ethereum:${token}@1/transfer?address=0x12`,
      "mob:///b58/abc",
      "",
    ]) {
      expect(parseTransferUri(other)).toBeNull();
    }
  });

  it("is sent, in a block, confirmed; or cancelled, replaced or sped up by the wallet", () => {
    expect(toState(null, null, false)).toBe("sent");
    expect(toState(null, "success", false)).toBe("in-block");
    expect(toState(null, "success", true)).toBe("confirmed");
    expect(toState(null, "reverted", true)).toBe("failed");
    expect(toState("repriced", "success", false)).toBe("in-block");
    expect(toState("cancelled", "success", true)).toBe("cancelled");
    expect(toState("replaced", "success", true)).toBe("other");
  });
});

describe("the list of wallets", () => {
  const connector = (id: string, name: string, icon?: string) => ({ uid: id, id, name, icon }) as unknown as Connector;
  const injected = connector("injected", "Injected");
  const test = connector("app.antelope.test-wallet", "Test wallet", "data:image/svg+xml;utf8,x");

  it("lists the wallets that announced themselves, the test wallet first, without a generic one", () => {
    const list = listWallets([injected, connector("io.metamask", "MetaMask", "data:image/png;base64,x"), test]);
    expect(list.map(({ name }) => name)).toEqual(["Test wallet", "MetaMask"]);
  });

  it("offers a generic choice for a wallet that only sets window.ethereum", () => {
    expect(listWallets([injected]).map(({ name }) => name)).toEqual(["The wallet in this browser"]);
    expect(listWallets([injected, test]).map(({ name }) => name)).toEqual([
      "Test wallet",
      "Another wallet in this browser",
    ]);
  });

  it("lists WalletConnect after wallets that are here, and before one that may not exist", () => {
    const remote = {
      uid: "wc",
      id: "walletConnect",
      type: "walletConnect",
      name: "WalletConnect",
    } as unknown as Connector;
    const names = (...connectors: Connector[]) => listWallets(connectors).map(({ name }) => name);
    expect(names(injected, remote, connector("io.metamask", "MetaMask"))).toEqual(["MetaMask", "WalletConnect"]);
    expect(names(injected, remote)).toEqual(["WalletConnect", "The wallet in this browser"]);
    expect(names(injected, remote, test)).toEqual(["Test wallet", "WalletConnect", "Another wallet in this browser"]);
  });

  it("ignores icons that are not data URIs and shortens long names", () => {
    const [one] = listWallets([connector("x.y", "N".repeat(500), "https://evil.example/track.png")]);
    expect(one).toMatchObject({ icon: null, name: "N".repeat(40) });
  });

  it.each(["", "  ", "\u200b\u3164", `${"\u3164".repeat(40)}x`])(
    "calls a wallet with the blank name %j unnamed, so that its button has a name",
    (name) => {
      expect(listWallets([connector("x.y", name)]).map((wallet) => wallet.name)).toEqual(["Unnamed wallet"]);
    },
  );
});

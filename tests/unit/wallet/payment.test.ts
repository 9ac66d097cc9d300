import { describe, expect, it } from "vitest";
import type { Connector } from "wagmi";
import { parseTransferUri } from "~/wallet/funding";
import { forgetPayment, keepPayment, readKeptPayment } from "~/wallet/kept-payment";
import { toState } from "~/wallet/use-followed-transaction";
import { listWallets } from "~/wallet/wallet-list";

const token = "0xdAC17F958D2ee523a2206206994597C13D831ec7";
const to = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";

describe("a payment by wallet", () => {
  it("reads the token, the chain and the address from the exchange's own URI, and nothing else", () => {
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

  it("is followed on after a reload, and only where the same amount is due at the same address", () => {
    const kept = new Map<string, string>();
    const store = {
      getItem: (name: string) => kept.get(name) ?? null,
      setItem: (name: string, value: string) => void kept.set(name, value),
      removeItem: (name: string) => void kept.delete(name),
    };
    const due = { chainId: 1, address: to, amount: "25.5" };
    const hash = `0x${"ab".repeat(32)}` as const;
    keepPayment(due, hash, store);
    expect(readKeptPayment({ ...due, address: to.toLowerCase() }, store)).toBe(hash);
    expect(readKeptPayment({ ...due, amount: "1.5" }, store)).toBeNull();
    expect(readKeptPayment({ ...due, chainId: 11_155_111 }, store)).toBeNull();
    forgetPayment(due, store);
    expect(readKeptPayment(due, store)).toBeNull();
    store.setItem([...kept.keys()][0] ?? `antelope.payment:1:${to.toLowerCase()}:25.5`, "<script>");
    expect(readKeptPayment(due, store)).toBeNull();
  });

  it("is not there for a browser that keeps nothing, which is no failure", () => {
    const refuse = () => {
      throw new DOMException("denied", "SecurityError");
    };
    const store = { getItem: refuse, setItem: refuse, removeItem: refuse };
    const due = { chainId: 1, address: to, amount: "1" };
    expect(() => keepPayment(due, "0x01", store)).not.toThrow();
    expect(readKeptPayment(due, store)).toBeNull();
  });

  it("is sent, in a block, confirmed; and a wallet may cancel, replace or speed it up", () => {
    expect(toState(null, null, false)).toBe("sent");
    expect(toState(null, "success", false)).toBe("in-block");
    expect(toState(null, "success", true)).toBe("confirmed");
    expect(toState(null, "reverted", true)).toBe("failed");
    expect(toState({ reason: "repriced" }, "success", false)).toBe("in-block");
    expect(toState({ reason: "cancelled" }, "success", true)).toBe("cancelled");
    expect(toState({ reason: "replaced" }, "success", true)).toBe("other");
  });
});

describe("the list of wallets", () => {
  const connector = (id: string, name: string, icon?: string) => ({ uid: id, id, name, icon }) as unknown as Connector;
  const unnamed = connector("injected", "Injected");
  const test = connector("app.antelope.test-wallet", "Test wallet", "data:image/svg+xml;utf8,x");

  it("shows those that announced themselves, the sandbox's first, and then no nameless one", () => {
    const list = listWallets([unnamed, connector("io.metamask", "MetaMask", "data:image/png;base64,x"), test]);
    expect(list.map(({ name }) => name)).toEqual(["Test wallet", "MetaMask"]);
  });

  it("lets a wallet be tried that only sets window.ethereum", () => {
    expect(listWallets([unnamed]).map(({ name }) => name)).toEqual(["The wallet in this browser"]);
    expect(listWallets([unnamed, test]).map(({ name }) => name)).toEqual([
      "Test wallet",
      "Another wallet in this browser",
    ]);
  });

  it("loads no picture from elsewhere and bears no endless name", () => {
    const [one] = listWallets([connector("x.y", "N".repeat(500), "https://evil.example/track.png")]);
    expect(one).toMatchObject({ icon: null, name: "N".repeat(40) });
  });
});

import { HDKey } from "@scure/bip32";
import { pino } from "pino";
import { describe, expect, it } from "vitest";
import { openFundingAddresses } from "~/exchange.server/chains/ethereum/funding-addresses";
import { createEthereumGateway } from "~/exchange.server/chains/ethereum/gateway";
import { makeSandboxXpub, ownerPrivateKey, payoutPrivateKey } from "~/sandbox.server/ethereum/sandbox-keys";
import vectors from "../../vectors/ethereum.json";

const account = HDKey.fromMasterSeed(new Uint8Array(64).fill(7)).derive("m/44'/60'/0'");

describe("funding addresses", () => {
  it("are the external children (m/44'/60'/0'/0/i) of the account's xpub", () => {
    const toAddress = openFundingAddresses(vectors.hd.xpub_m_44_60_0);
    for (const [index, address] of Object.entries(vectors.hd.external)) expect(toAddress(Number(index))).toBe(address);
  });

  it("reject an extended private key without repeating it", () => {
    expect(() => openFundingAddresses(account.privateExtendedKey)).toThrow(/private key/);
    expect(() => openFundingAddresses(account.privateExtendedKey)).not.toThrow(account.privateExtendedKey);
  });

  it("reject a key of another depth and text that is not a key", () => {
    expect(() => openFundingAddresses(account.deriveChild(0).publicExtendedKey)).toThrow(/account/);
    expect(() => openFundingAddresses("xpub")).toThrow(/ETH_XPUB/);
  });

  it("come from keys that no other test chain uses in the sandbox", () => {
    const known = new Set(Object.values(vectors.hd.external));
    const toAddress = openFundingAddresses(makeSandboxXpub());
    expect([0, 1, 2].some((index) => known.has(toAddress(index)))).toBe(false);
    expect(ownerPrivateKey).not.toBe(payoutPrivateKey);
  });
});

describe("the payment URI", () => {
  it("follows EIP-681, with the amount in base units", () => {
    const gateway = createEthereumGateway({
      rpcUrls: ["http://127.0.0.1:1"],
      chainId: 1,
      usdtAddress: vectors.usdt_mainnet,
      xpub: vectors.hd.xpub_m_44_60_0,
      payoutPrivateKey,
      requiredConfirmations: 3,
      log: pino({ level: "silent" }),
    });
    expect(gateway.toPaymentUri("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 25_500_000n)).toBe(vectors.eip681);
    expect(gateway.toWalletLink("0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed", 25_500_000n)).toBe(vectors.eip681);
  });
});

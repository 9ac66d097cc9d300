import { mkdtempSync, readFileSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesToHex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { settings } from "~/config/settings.server";
import { toConfigTable } from "~/config/table.server";
import { parseConfig } from "~/config.server";

const dataDir = () => mkdtempSync(join(tmpdir(), "antelope-config-"));
const secret = "kR7v0yQ2mZ9xT4wB6nL1pD8sF3hJ5gC_";
const live = () => ({
  EXCHANGE_MODE: "live",
  DATA_DIR: dataDir(),
  ORIGIN: "https://antelope.example",
  SESSION_SECRET: secret,
  DATABASE_URL: "postgres://db/antelope",
  ETH_RPC_URLS: "https://a.example, https://b.example",
  ETH_CHAIN_ID: "1",
  ETH_XPUB: "xpub-of-our-own",
  ETH_PAYOUT_PRIVATE_KEY: `0x${"1234567890abcdef".repeat(4)}`,
  USDT_ADDRESS: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  MOBILECOIN_URL: "http://full-service:9090/wallet/v2",
  MOBILECOIN_ACCOUNT_ID: "abc",
  SMTP_URL: "smtps://mail.example",
  MAIL_FROM: "hello@antelope.example",
  KYC_URL: "https://kyc.example",
  KYC_API_KEY: "key",
  KYC_WEBHOOK_SECRET: "hook",
  RATE_SOURCES: "https://r1.example,https://r2.example",
});

describe("the configuration", () => {
  it("needs nothing in the sandbox and has the numbers of decisions.md", () => {
    const config = parseConfig({ DATA_DIR: dataDir() });
    expect(config).toMatchObject({ mode: "sandbox", port: 3000, host: "127.0.0.1", origin: "http://localhost:3000" });
    expect(config.exchange).toMatchObject({
      feeBps: 50,
      minUsdt: 10_000_000n,
      maxUsdt: 10_000_000_000n,
      payoutCost: { USDT: 500_000n, MOB: 400_000_000n },
      quoteTtlMs: 60_000,
      lockTtlMs: 1_800_000,
      graceMs: 120_000,
      rpId: "localhost",
    });
  });

  it("makes the sandbox's secret once, readable by its owner alone", () => {
    const dir = dataDir();
    const first = parseConfig({ DATA_DIR: dir }).sessionSecret;
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(parseConfig({ DATA_DIR: dir }).sessionSecret).toBe(first);
    const file = join(dir, "session-secret");
    expect(readFileSync(file, "utf8")).toBe(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it("offers the sandbox's world where it runs, and nowhere else", () => {
    const hasSandbox = (environment: Record<string, string>) => parseConfig(environment).hasSandbox;
    expect(hasSandbox({ DATA_DIR: dataDir() })).toBe(true);
    expect(hasSandbox({ DATA_DIR: dataDir(), API_URL: "http://localhost:3001" })).toBe(false);
    expect(hasSandbox(live())).toBe(false);
  });

  it("names every wrong variable in one message", () => {
    const wrong = {
      PORT: "eighty",
      FEE_BPS: "-1",
      MIN_USDT: "1.2345678",
      ORIGIN: "https://a.example/",
      LOG_LEVEL: "loud",
    };
    expect(() => parseConfig(wrong)).toThrowError(
      /PORT.*[\s\S]*ORIGIN.*[\s\S]*LOG_LEVEL.*[\s\S]*FEE_BPS.*[\s\S]*MIN_USDT/,
    );
  });

  it("goes live when everything is there", () => {
    const config = parseConfig(live());
    expect(config).toMatchObject({ mode: "live", secure: true, allowedHosts: ["antelope.example"] });
    expect(config.ethereum).toMatchObject({ chainId: 1, rpcUrls: ["https://a.example", "https://b.example"] });
  });

  it.each([
    ["T62 without PostgreSQL", { DATABASE_URL: "" }, /DATABASE_URL/],
    ["T5 without a secret", { SESSION_SECRET: "" }, /SESSION_SECRET/],
    ["T5 with a short secret", { SESSION_SECRET: "abc" }, /SESSION_SECRET/],
    ["T5 with a weak secret", { SESSION_SECRET: "a".repeat(40) }, /SESSION_SECRET.*weak/],
    ["over http", { ORIGIN: "http://antelope.example" }, /ORIGIN.*https/],
    [
      "with the public xpub (facts 69)",
      {
        ETH_XPUB:
          "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP",
      },
      /ETH_XPUB.*test key/,
    ],
    ["without mail", { SMTP_URL: "" }, /SMTP_URL/],
    ["with one price feed", { RATE_SOURCES: "https://r1.example" }, /RATE_SOURCES/],
  ])("T20 refuses to go live %s", (_name, change, message) => {
    expect(() => parseConfig({ ...live(), ...change })).toThrowError(message);
  });

  it("T20 refuses to go live with any of the ten keys of the public mnemonic", () => {
    for (let addressIndex = 0; addressIndex < 10; addressIndex++) {
      const account = mnemonicToAccount("test test test test test test test test test test test junk", {
        addressIndex,
      });
      const key = account.getHdKey().privateKey;
      expect(key).not.toBeNull();
      const ETH_PAYOUT_PRIVATE_KEY = bytesToHex(key as Uint8Array);
      expect(() => parseConfig({ ...live(), ETH_PAYOUT_PRIVATE_KEY }), `${addressIndex}`).toThrowError(
        /public test key/,
      );
    }
  });

  it("T20 refuses a sandbox on mainnet", () => {
    expect(() => parseConfig({ DATA_DIR: dataDir(), ETH_CHAIN_ID: "1" })).toThrowError(/sandbox/);
  });

  it("asks for no chain where the exchange is elsewhere", () => {
    const config = parseConfig({
      EXCHANGE_MODE: "live",
      DATA_DIR: dataDir(),
      ORIGIN: "https://antelope.example",
      SESSION_SECRET: secret,
      API_URL: "https://api.example",
    });
    expect(config.apiUrl).toBe("https://api.example");
  });

  it("describes every variable for the README", () => {
    const rows = toConfigTable(settings).split("\n").slice(2);
    expect(rows).toHaveLength(Object.keys(settings.shape).length);
    for (const row of rows) expect(row).toMatch(/^\| `[A-Z0-9_]+` \| .*\| .{8,} \|$/);
  });
});

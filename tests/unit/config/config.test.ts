import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesToHex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { afterAll, describe, expect, it } from "vitest";
import { parseConfig } from "~/config/config.server";
import { generatedDocs } from "~/config/docs.server";
import { warnOfReadableFile, warnOfUnknownVariables } from "~/config/env-file.server";
import { sections, settings } from "~/config/settings.server";
import { usualTerms } from "~/loaded-data/root-data";
import { toSecurityHeaders } from "~/server/security-headers.server";
import { liveEnvironment } from "../../support/environments";

const directory = mkdtempSync(join(tmpdir(), "antelope-config-"));
afterAll(() => rmSync(directory, { recursive: true }));
const dataDir = () => mkdtempSync(join(directory, "data-"));
const secret = liveEnvironment.SESSION_SECRET;
const live = () => ({
  ...liveEnvironment,
  DATA_DIR: dataDir(),
  ETH_RPC_URLS: "https://a.example, https://b.example",
  ETH_XPUB: "xpub-of-our-own",
  MOBILECOIN_URL: "http://full-service:9090/wallet/v2",
});
/** Live settings without a risk. */
const safe = () => ({ ...live(), KYC_WEBHOOK_SECRET: "0123456789abcdef" });

describe("configuration", () => {
  it("has a default for everything in the sandbox", () => {
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

  it("has the same defaults as the copies in code that cannot read the settings", () => {
    const { exchange, port } = parseConfig({ DATA_DIR: dataDir() });
    expect(exchange).toMatchObject(usualTerms);
    expect(readFileSync("vite.config.ts", "utf8")).toContain(`PORT || ${port})`);
  });

  it("T23 hashes e-mail codes slowly", () => {
    expect(parseConfig({ DATA_DIR: dataDir() }).exchange.codeHashCost).toBe(4096);
  });

  it("T81 treats the keys in the URLs of nodes and rate sources as secrets", () => {
    const url = "https://mainnet.example/v3/0123456789abcdef0123?key=fedcba98765432100123";
    const config = parseConfig({ DATA_DIR: dataDir(), ENS_RPC_URL: url });
    expect(config.exchange.ensRpcUrl).toBe(url);
    expect(config.secretValues).toEqual(expect.arrayContaining(["0123456789abcdef0123", "fedcba98765432100123"]));
    const short = parseConfig({
      ...live(),
      ETH_RPC_URLS: "https://shortkey12:@rpc.example/v3/other4key5",
      RATE_SOURCES: "https://one.example/mainnet-beta?apikey=RATEKEY99,https://two.example/rate",
    });
    expect(short.secretValues).toEqual(expect.arrayContaining(["shortkey12", "other4key5", "RATEKEY99"]));
    expect(short.secretValues).not.toContain("v3");
    expect(short.secretValues).not.toContain("mainnet-beta");
    expect(parseConfig({ DATA_DIR: dataDir() }).exchange.ensRpcUrl).toBeNull();
  });

  it("generates the sandbox's secret once, readable only by its owner", () => {
    const dir = dataDir();
    const first = parseConfig({ DATA_DIR: dir }).exchange.secret;
    expect(first.length).toBeGreaterThanOrEqual(32);
    expect(parseConfig({ DATA_DIR: dir }).exchange.secret).toBe(first);
    const file = join(dir, "session-secret");
    expect(readFileSync(file, "utf8")).toBe(first);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(dir)).toEqual(["session-secret"]);
  });

  it.each(["", "half-written"])("refuses a stored secret that is not whole, naming the file: %j", (stored) => {
    const dir = dataDir();
    writeFileSync(join(dir, "session-secret"), stored);
    expect(() => parseConfig({ DATA_DIR: dir })).toThrow(`DATA_DIR: the secret in ${join(dir, "session-secret")} is`);
  });

  it.each([
    ["SANDBOX_RATE", { SANDBOX_RATE: "0.00" }],
    ["SANDBOX_RESERVE_USDT", { SANDBOX_RESERVE_USDT: "1.0000001" }],
    ["SANDBOX_FAUCET_MAX_USDT", { SANDBOX_FAUCET_MAX_USDT: "1.0000001" }],
    ["SCAN_ETHEREUM_MS", { SCAN_ETHEREUM_MS: "15001" }],
    ["SCAN_MOBILECOIN_MS", { SCAN_MOBILECOIN_MS: "15001" }],
    ["RATE_REFRESH_MS", { ...live(), RATE_REFRESH_MS: "60001" }],
    ["MIN_USDT", { MIN_USDT: "10000.1" }],
    ["ALLOWED_HOSTS", { ALLOWED_HOSTS: "ok.example,https://a.example" }],
    ["ALLOWED_HOSTS", { ALLOWED_HOSTS: "a.example/path" }],
    ["MAIL_FROM", { ...live(), MAIL_FROM: "Antelope" }],
    ["KYC_URL", { ...live(), KYC_URL: "http://kyc.example" }],
  ])("refuses a setting that cannot work: %s", (name, environment) => {
    expect(() => parseConfig({ DATA_DIR: dataDir(), ...environment })).toThrow(`- ${name}: must`);
  });

  it("lets the rate become too old in the sandbox", () => {
    const { exchange } = parseConfig({ DATA_DIR: dataDir(), RATE_MAX_AGE_MS: "1000" });
    expect(exchange).toMatchObject({ rateMaxAgeMs: 1_000, rateRefreshMs: 10_000 });
  });

  it("accepts hosts in any case, and an identity provider on this machine", () => {
    const hosts = "WWW.Example.com, 10.0.0.5:3000,[::1]:80, my_host";
    const { allowedHosts } = parseConfig({ DATA_DIR: dataDir(), ALLOWED_HOSTS: hosts });
    expect(allowedHosts).toEqual(expect.arrayContaining(["www.example.com", "10.0.0.5:3000", "[::1]:80", "my_host"]));
    for (const host of ["localhost", "127.0.0.1", "[::1]"]) {
      const { live: systems } = parseConfig({
        ...live(),
        KYC_URL: `http://${host}:8080`,
        MAIL_FROM: "Antelope <a@b.example>",
      });
      expect(systems?.kyc.url).toBe(`http://${host}:8080`);
    }
  });

  it("offers the sandbox's tools only where the sandbox runs", () => {
    const hasSandbox = (environment: Record<string, string>) => parseConfig(environment).hasSandbox;
    expect(hasSandbox({ DATA_DIR: dataDir() })).toBe(true);
    expect(hasSandbox({ DATA_DIR: dataDir(), API_URL: "http://localhost:3001" })).toBe(false);
    expect(hasSandbox(live())).toBe(false);
  });

  it("names every invalid variable in one message", () => {
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

  it("accepts a complete live configuration", () => {
    const config = parseConfig(live());
    expect(config).toMatchObject({ mode: "live", secure: true, allowedHosts: ["antelope.example"] });
    expect(config.live?.ethereum).toMatchObject({ chainId: 1, rpcUrls: ["https://a.example", "https://b.example"] });
    expect(config.networks).toEqual({ USDT: "1", MOB: "main" });
    expect(config.confirmations).toEqual({ USDT: 12, MOB: 1 });
    expect(parseConfig({ ...live(), USDT_CONFIRMATIONS: "20" }).confirmations.USDT).toBe(20);
    expect(parseConfig({ DATA_DIR: dataDir() }).confirmations.USDT).toBe(3);
  });

  it.each([
    ["T62 without PostgreSQL", { DATABASE_URL: "" }, /DATABASE_URL/],
    ["T5 without a secret", { SESSION_SECRET: "" }, /SESSION_SECRET/],
    ["T5 with a short secret", { SESSION_SECRET: "abc" }, /SESSION_SECRET/],
    ["T5 with a weak secret", { SESSION_SECRET: "a".repeat(40) }, /SESSION_SECRET.*weak/],
    ["over http", { ORIGIN: "http://antelope.example" }, /ORIGIN.*https/],
    [
      "with a public test xpub",
      {
        ETH_XPUB:
          "xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP",
      },
      /ETH_XPUB.*test key/,
    ],
    ["without mail", { SMTP_URL: "" }, /SMTP_URL/],
    ["with mail that may not be encrypted", { SMTP_URL: "smtp://mail.example:587" }, /SMTP_URL: must be smtps, or/],
    ["with requireTLS=false", { SMTP_URL: "smtp://mail.example?requireTLS=false" }, /SMTP_URL: must be smtps, or/],
    [
      "with any certificate of the mail server",
      { SMTP_URL: "smtps://mail.example?tls.rejectUnauthorized=false" },
      /SMTP_URL: must not have tls\.rejectUnauthorized=false/,
    ],
    [
      "with any certificate of any server",
      { NODE_TLS_REJECT_UNAUTHORIZED: "0" },
      /NODE_TLS_REJECT_UNAUTHORIZED: must not be 0 in live mode/,
    ],
    ["with one price feed", { RATE_SOURCES: "https://r1.example" }, /RATE_SOURCES/],
    [
      "T55 with one Ethereum node that is listed twice",
      { ETH_RPC_URLS: "https://a.example/key,https://b.example,https://a.example/key/" },
      /ETH_RPC_URLS: must have different hosts or paths/,
    ],
    ["on an IPv4 address", { ORIGIN: "https://203.0.113.5" }, /ORIGIN: must use a host name/],
    ["on an IPv6 address", { ORIGIN: "https://[2001:db8::5]:8443" }, /ORIGIN: must use a host name/],
    ["without a log", { LOG_LEVEL: "silent" }, /LOG_LEVEL: must not be silent/],
    [
      "with a node that browsers do not call",
      { WALLET_RPC_MAINNET: "http://rpc.example" },
      /WALLET_RPC_MAINNET.*https/,
    ],
    ["with such a node of Sepolia", { WALLET_RPC_SEPOLIA: "http://rpc.example" }, /WALLET_RPC_SEPOLIA.*https/],
    ["on a chain that wallets do not know", { ETH_CHAIN_ID: "137" }, /ETH_CHAIN_ID: must be 1 .* 11155111 .* 31337/],
    ["with links that lead nowhere", { EXPLORER_ETHEREUM_TX: "etherscan.io/{hash}" }, /EXPLORER_ETHEREUM_TX.*\{hash\}/],
    [
      "with links that are all the same",
      { EXPLORER_MOBILECOIN_TX: "https://explorer.example/tx" },
      /EXPLORER_MOBILECOIN_TX.*\{hash\}/,
    ],
    ["with a minimum that its fee uses up", { MIN_USDT: "50", PAYOUT_COST_USDT: "50" }, /MIN_USDT.*PAYOUT_COST_USDT/],
    [
      "with a test network of MobileCoin on mainnet",
      { MOBILECOIN_CHAIN_ID: "test" },
      /MOBILECOIN_CHAIN_ID: must be main with ETH_CHAIN_ID=1; otherwise MOB without value buys real USDT/,
    ],
    [
      "with a token other than Tether's on mainnet",
      { USDT_ADDRESS: `0x${"11".repeat(20)}` },
      /USDT_ADDRESS: must be 0xdAC17F958D2ee523a2206206994597C13D831ec7 on mainnet/,
    ],
  ])("T20 refuses to go live %s", (_name, change, message) => {
    expect(() => parseConfig({ ...live(), ...change })).toThrowError(message);
  });

  it.each(["11155111", "31337"])("lets a rehearsal on the test network %s have settings that mainnet refuses", (id) => {
    const rehearsal = { ETH_CHAIN_ID: id, ORIGIN: "https://127.0.0.1:3000", LOG_LEVEL: "silent", MIN_USDT: "1" };
    expect(() => parseConfig({ ...live(), ...rehearsal })).not.toThrow();
  });

  it.each(["11155111", "31337"])("T20 warns of a rehearsal on %s that pays out real MOB", (ETH_CHAIN_ID) => {
    const risksOf = (change: Record<string, string>) => parseConfig({ ...live(), ...change }).risks;
    const risk = expect.stringMatching(/^MOBILECOIN_CHAIN_ID is main, .* USDT without value buys real MOB/);
    const token = { ETH_CHAIN_ID, USDT_ADDRESS: `0x${"11".repeat(20)}` };
    expect(risksOf(token)).toEqual([risk]);
    expect(risksOf({ ...token, MOBILECOIN_CHAIN_ID: "main" })).toEqual([risk]);
    expect(risksOf({ ...token, MOBILECOIN_CHAIN_ID: "test" })).toEqual([]);
    expect(risksOf({ ...safe(), USDT_ADDRESS: liveEnvironment.USDT_ADDRESS.toLowerCase() })).toEqual([]);
    expect(parseConfig({ DATA_DIR: dataDir() }).risks).toEqual([]);
  });

  it.each([
    ["RECOVERY_HOLD_MS", "3600000", "3599999"],
    ["PASSKEY_FRESH_MS", "900000", "900001"],
    ["ACCESS_TOKEN_TTL_MS", "3600000", "3600001"],
    ["RATE_MAX_AGE_MS", "600000", "600001"],
    ["RATE_MAX_DEVIATION_BPS", "1000", "1001"],
    ["REFUND_MAX_USDT", "100000", "100000.1"],
    ["KYC_WEBHOOK_SECRET", "0123456789abcdef", "0123456789abcde"],
  ])("T20 warns on mainnet of %s if it switches a defence off", (name, fine, weak) => {
    const risksOf = (change: Record<string, string>) => parseConfig({ ...safe(), ...change }).risks;
    expect(risksOf({ [name]: fine })).toEqual([]);
    const [risk = "", ...others] = risksOf({ [name]: weak });
    expect(risk).toMatch(new RegExp(`^${name} is weak: .*\\.$`));
    if (name === "KYC_WEBHOOK_SECRET") expect(risk).not.toContain(weak);
    expect(others).toEqual([]);
    expect(risksOf({ [name]: weak, ETH_CHAIN_ID: "11155111", MOBILECOIN_CHAIN_ID: "test" })).toEqual([]);
  });

  it.each([
    ["WALLET_RPC_MAINNET", "ETH_RPC_URLS", {}],
    ["WALLET_RPC_MAINNET", "ENS_RPC_URL", {}],
    ["WALLET_RPC_SEPOLIA", "ETH_RPC_URLS", { ETH_CHAIN_ID: "11155111", MOBILECOIN_CHAIN_ID: "test" }],
  ])("T81 warns if %s, which visitors can see, is a node in %s", (name, setting, network) => {
    const risksOf = (url: string) =>
      parseConfig({
        ...safe(),
        ...network,
        [setting]: "https://rpc.example/v3/secret-key",
        [name]: url,
      }).risks;
    expect(risksOf("https://rpc.example/v3/public")).toEqual([]);
    const [risk = "", ...others] = risksOf("https://rpc.example/v3/secret-key/");
    expect(risk).toMatch(new RegExp(`^${name} is a node of the exchange: `));
    expect(risk).not.toContain("secret-key");
    expect(others).toEqual([]);
  });

  it.each([
    ["https://rpc.example/?key=secret", "https://rpc.example/?key=public"],
    ["https://name:secret@rpc.example", "https://rpc.example"],
  ])("T81 does not warn if the exchange uses %s, and visitors see %s", (own, shown) => {
    const risksOf = (url: string) => parseConfig({ ...safe(), ETH_RPC_URLS: own, WALLET_RPC_MAINNET: url }).risks;
    expect(risksOf(shown)).toEqual([]);
    expect(risksOf(own)).toHaveLength(1);
  });

  it.each([
    "smtp://mail.example:587?requireTLS=true",
    "smtp://127.0.0.1:25",
    "smtp://localhost",
    "smtps://mail.example?tls.servername=mx.example",
  ])("goes live with %s", (SMTP_URL) => {
    expect(parseConfig({ ...live(), SMTP_URL })).toMatchObject({ live: { mail: { smtpUrl: SMTP_URL } } });
  });

  it("T20 refuses to go live with any of the first ten keys of the public test mnemonic", () => {
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

  it("T50 requires a finality rule in live mode", () => {
    const { USDT_FINALIZED_ABOVE: _, ...without } = live();
    expect(() => parseConfig(without)).toThrowError(/USDT_FINALIZED_ABOVE: is required in live mode/);
    expect(parseConfig({ ...live(), USDT_FINALIZED_ABOVE: "0" }).live?.ethereum.finalizedAbove).toBe(0n);
  });

  it("T44 stops swaps after the rate jumps in live mode, and in the sandbox only if the limit is set", () => {
    const limitOf = (env: Record<string, string>) => parseConfig(env).exchange.rateMaxMoveBps;
    expect(limitOf(live())).toBe(2_000);
    expect(limitOf({ ...live(), RATE_MAX_MOVE_BPS: "500" })).toBe(500);
    expect(limitOf({ DATA_DIR: dataDir() })).toBeNull();
    expect(limitOf({ DATA_DIR: dataDir(), RATE_MAX_MOVE_BPS: "500" })).toBe(500);
  });

  it("T19 allows only known Fog servers in live mode: the network's, or those in the settings", () => {
    const rehearsal = { ...live(), ETH_CHAIN_ID: "11155111" };
    const fogServersOf = (set: Record<string, string>) => parseConfig(set).exchange.fogServers;
    expect(fogServersOf({ DATA_DIR: dataDir(), MOBILECOIN_FOG_URLS: "fog://fog.example" })).toBeNull();
    expect(fogServersOf(live())).toContain("fog://fog-rpt-prd.namda.net");
    expect(fogServersOf(live())).not.toContain("fog://fog-rpt-stg.namda.net");
    expect(fogServersOf({ ...rehearsal, MOBILECOIN_CHAIN_ID: "test" })).toContain("fog://fog-rpt-stg.namda.net");
    expect(fogServersOf({ ...rehearsal, MOBILECOIN_CHAIN_ID: "local" })).toEqual([]);
    const set = { ...live(), MOBILECOIN_FOG_URLS: "fog://a.example, fog://b.example:8443" };
    expect(fogServersOf(set)).toEqual(["fog://a.example", "fog://b.example:8443"]);
    for (const url of ["insecure-fog://a.example", "https://a.example", "fog://a.example/", "fog://u@a.example"]) {
      expect(() => parseConfig({ ...live(), MOBILECOIN_FOG_URLS: url }), url).toThrowError(
        "MOBILECOIN_FOG_URLS: must be URLs such as fog://fog.example.com",
      );
    }
  });

  it("T67 refuses payouts and refunds at our cost in live mode, in one sentence for each setting", () => {
    for (const name of ["PAYOUT_COST_USDT", "PAYOUT_COST_MOB"]) {
      expect(() => parseConfig({ ...live(), [name]: "0" })).toThrowError(
        `  - ${name}: must be above 0 in live mode; otherwise we pay the network's fees`,
      );
    }
    for (const name of ["REFUND_COST_USDT", "REFUND_COST_MOB"]) {
      expect(() => parseConfig({ ...live(), [name]: "0" })).toThrowError(
        `  - ${name}: must be above 0 in live mode; otherwise we pay for refunds of dust`,
      );
    }
    expect(() => parseConfig({ ...live(), ETH_PRICE_USDT: "0" })).toThrowError(
      "  - ETH_PRICE_USDT: must be above 0 in live mode; otherwise gas counts as free and we pay for it",
    );
    const { exchange, live: systems } = parseConfig(live());
    expect(exchange.refundCost).toEqual({ USDT: 500_000n, MOB: 400_000_000n });
    expect(systems?.ethereum.etherPrice).toBe(5_000_000_000n);
    expect(parseConfig({ DATA_DIR: dataDir() })).toMatchObject({
      exchange: { refundCost: { USDT: 0n, MOB: 0n } },
      live: null,
    });
  });

  it("goes live with links to explorers, nodes for browsers, and fees below the minimum", () => {
    const change = {
      EXPLORER_ETHEREUM_TX: "https://explorer.example/tx/{hash}",
      WALLET_RPC_MAINNET: "https://rpc.example",
      MIN_USDT: "50",
      PAYOUT_COST_USDT: "49.9",
    };
    expect(parseConfig({ ...live(), ...change }).exchange.explorer.ethereumTx).toBe(change.EXPLORER_ETHEREUM_TX);
  });

  it("T20 refuses a sandbox on mainnet", () => {
    expect(() => parseConfig({ DATA_DIR: dataDir(), ETH_CHAIN_ID: "1" })).toThrowError(/sandbox/);
  });

  it("lets every process do everything, unless it is told its role", () => {
    const roleOf = (environment: Record<string, string>) => parseConfig(environment).exchange.role;
    expect(roleOf({ DATA_DIR: dataDir() })).toBe("all");
    expect(roleOf({ ...live(), ROLE: "web" })).toBe("web");
    expect(roleOf({ ...live(), ROLE: "worker" })).toBe("worker");
  });

  it.each([
    ["another one", { ROLE: "jobs" }, /^ {2}- ROLE: /m],
    ["web with a remote exchange", { ROLE: "web", API_URL: "https://api.example" }, /ROLE: .*not web, with API_URL: /],
    ["worker with PGlite", { ROLE: "worker", DATABASE_URL: "" }, /ROLE: .*not worker, without DATABASE_URL: /],
    [
      "web in the sandbox",
      { ROLE: "web", EXCHANGE_MODE: "sandbox", ETH_CHAIN_ID: "" },
      /ROLE: .*with EXCHANGE_MODE=sandbox/,
    ],
  ])("refuses the role %s", (_name, change, message) => {
    expect(() => parseConfig({ ...live(), ...change })).toThrowError(message);
  });

  it("does not require chain settings when the exchange is remote", () => {
    const config = parseConfig({
      EXCHANGE_MODE: "live",
      DATA_DIR: dataDir(),
      ORIGIN: "https://antelope.example",
      SESSION_SECRET: secret,
      API_URL: "https://api.example",
    });
    expect(config.apiUrl).toBe("https://api.example");
  });

  it("T86 opens the relay's origin and passes the project to browsers only if WalletConnect is configured", () => {
    const relay = { WALLETCONNECT_RELAY_URL: "wss://relay.example/v1" };
    const off = parseConfig({ DATA_DIR: dataDir(), ...relay });
    expect(off.walletRpc).toEqual({ mainnet: null, sepolia: null });
    expect(off.walletRpcOrigins).toEqual([]);
    const projectId = "0123456789abcdef0123456789abcdef";
    const on = parseConfig({ DATA_DIR: dataDir(), WALLETCONNECT_PROJECT_ID: projectId, ...relay });
    expect(on.walletRpc.walletConnect).toEqual({ projectId, relayUrl: "wss://relay.example/v1" });
    expect(on.walletRpcOrigins).toEqual(["wss://relay.example"]);
    expect(toSecurityHeaders(on)["Content-Security-Policy"]).toMatch(/connect-src 'self' wss:\/\/relay\.example;/);
    expect(() => parseConfig({ DATA_DIR: dataDir(), WALLETCONNECT_PROJECT_ID: "mine" })).toThrowError(
      "WALLETCONNECT_PROJECT_ID: must be 32 hexadecimal digits",
    );
  });

  it("requires a node of the chain and an encrypted relay for WalletConnect in live mode", () => {
    const project = { WALLETCONNECT_PROJECT_ID: "0123456789abcdef0123456789abcdef" };
    const mainnet = { WALLET_RPC_MAINNET: "https://node.example" };
    expect(() => parseConfig({ ...live(), ...project })).toThrowError("WALLET_RPC_MAINNET: is required with");
    expect(() => parseConfig({ ...live(), ...project, ...mainnet, ETH_CHAIN_ID: "11155111" })).toThrowError(
      "WALLET_RPC_SEPOLIA: is required with",
    );
    expect(() =>
      parseConfig({ ...live(), ...project, ...mainnet, WALLETCONNECT_RELAY_URL: "ws://relay.example" }),
    ).toThrowError("WALLETCONNECT_RELAY_URL: must be wss in live mode");
    expect(parseConfig({ ...live(), ...project, ...mainnet }).walletRpcOrigins).toEqual([
      "https://node.example",
      "wss://relay.walletconnect.org",
    ]);
  });

  it("refuses service URLs without a host", () => {
    for (const [name, value] of [
      ["SMTP_URL", "smtp://"],
      ["SMTP_URL", "mail.example:587"],
      ["DATABASE_URL", "postgres:///antelope"],
      ["DATABASE_URL", "mysql://db.example/antelope"],
    ] as const) {
      expect(() => parseConfig({ ...live(), [name]: value }), value).toThrowError(`${name}: must be a URL with a host`);
    }
    expect(() => parseConfig({ ...live(), DATABASE_URL: "postgres:///antelope?host=/var/run" })).not.toThrow();
  });

  it("names DATA_DIR when the directory cannot be written", () => {
    const file = join(dataDir(), "a-file");
    writeFileSync(file, "");
    expect(() => parseConfig({ DATA_DIR: file })).toThrowError(/DATA_DIR: .*a-file is not a writable directory/);
  });

  it("warns of variables in .env that are not settings, without their values", () => {
    const file = join(dataDir(), ".env");
    const warnings: unknown[][] = [];
    const warn = () => warnOfUnknownVariables({ warn: (...args: unknown[]) => void warnings.push(args) }, file);
    warn();
    writeFileSync(file, `# REFUND_MAX=1\nPORT=3000\nTZ=UTC\nPGSSLMODE=require\n`);
    warn();
    expect(warnings).toEqual([]);
    writeFileSync(file, `USDT_CONFIRMATION=12\nSESSION_SECRETS=${secret}\nPORT=3000\n${secret}=\n`);
    warn();
    expect(warnings).toEqual([
      [{ names: ["SESSION_SECRETS", "USDT_CONFIRMATION"] }, expect.stringContaining("not settings")],
    ]);
  });

  it("warns if everyone can read .env", () => {
    const file = join(dataDir(), ".env");
    const warnings: unknown[] = [];
    const warn = () => warnOfReadableFile({ warn: (text: unknown) => void warnings.push(text) }, file);
    warn();
    writeFileSync(file, "PORT=3000\n");
    for (const mode of [0o600, 0o640]) {
      chmodSync(file, mode);
      warn();
    }
    expect(warnings).toEqual([]);
    chmodSync(file, 0o644);
    warn();
    expect(warnings).toEqual([expect.stringContaining("chmod 600")]);
  });

  it("T5 never repeats a secret value in an error message", () => {
    const canary = "canary-9f8e7d";
    const wrong = {
      ETH_PAYOUT_PRIVATE_KEY: canary,
      SMTP_URL: `http://user:${canary}@mail.example`,
      SESSION_SECRET: canary,
    };
    expect(() => parseConfig({ ...live(), ...wrong })).toThrowError(/ETH_PAYOUT_PRIVATE_KEY[\s\S]*SMTP_URL/);
    try {
      parseConfig({ ...live(), ...wrong });
    } catch (error) {
      expect(String(error)).not.toContain(canary);
    }
  });

  it("lists every variable with a description, in exactly one section", () => {
    const listed = sections.flatMap(({ shape }) => Object.entries(shape));
    expect(listed.map(([name]) => name).sort()).toEqual(Object.keys(settings.shape).sort());
    for (const [name, type] of listed) expect(type.description ?? "", name).toMatch(/^.{8,}\.$/);
  });

  it("documents each variable that live mode requires", () => {
    const refused = (environment: Record<string, string>) => {
      try {
        parseConfig(environment);
        return [];
      } catch (error) {
        return [...String(error).matchAll(/- ([A-Z_]+): is required in live mode/g)].map(([, name = ""]) => name);
      }
    };
    const { EXCHANGE_MODE, ORIGIN } = live();
    const missing = refused({ EXCHANGE_MODE, ORIGIN });
    const rows = generatedDocs["docs/configuration.md"]().matchAll(/^\| `([A-Z_]+)` .* Required in live mode\. \|$/gm);
    expect([...rows].map(([, name]) => name).sort()).toEqual(missing.sort());
    expect(missing).toEqual(
      expect.arrayContaining(["SESSION_SECRET", "DATABASE_URL", "USDT_FINALIZED_ABOVE", "KYC_URL"]),
    );
    expect(refused(live())).toEqual([]);
  });

  it.each(Object.entries(generatedDocs))("%s is current (npm run docs:config)", (path, generate) => {
    expect(readFileSync(path, "utf8")).toBe(generate());
  });
});

import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer, type Server } from "node:net";
import { HDKey } from "@scure/bip32";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseConfig } from "~/config/config.server";
import { createLog } from "~/config/log.server";
import { createCurrencyFeeds } from "~/currency/feeds.server";
import { createEnsLookup } from "~/exchange.server/addresses/ens-names";
import { createEthereumGateway } from "~/exchange.server/chains/ethereum/gateway";
import { createMobilecoinGateway } from "~/exchange.server/chains/mobilecoin/gateway";
import { openPostgres } from "~/exchange.server/db/open";
import { describeError } from "~/exchange.server/describe-error";
import { bootExchange } from "~/exchange.server/index";
import { createHttpKycProvider } from "~/exchange.server/kyc/http-provider";
import { connectLive } from "~/exchange.server/live";
import { createSmtpSender } from "~/exchange.server/mail/smtp";
import { createRateFeeds } from "~/exchange.server/pricing/rate-feeds";
import { connectRemoteExchange } from "~/exchange-binding/remote-exchange.server";
import { hideSecrets } from "~/lib/redact-url";
import { toStartupMessage } from "~/server/startup-message.server";
import { application } from "../../support/exchange";
import { createTemporaryDirectory } from "../../support/temporary-directory";

const root = HDKey.fromMasterSeed(new Uint8Array(32).fill(9));
const canary = (name: string) => `canary-${name}-5e1f9c7ab2d4`;
const sessionSecret = "canary-Zr4w9QpLm2Xt7Vb5Kd8Ny3Hg6Fs1Jc0";
const payoutKey = `0x${"c4a7".repeat(16)}`;
const xpub = root.derive("m/44'/60'/0'").publicExtendedKey;

/** How the other side fails. The first two repeat what they received, as some providers do. */
const failures = ["echoes with 401", "echoes as an RPC error", "closes the connection", "is not JSON"] as const;
let failure: (typeof failures)[number] = failures[0];
const servers: Server[] = [];
let httpPort = 0;
let smtpPort = 0;

async function respond(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  if (failure === "closes the connection") return void incoming.socket.destroy();
  const seen = `${incoming.method} http://${incoming.headers.host}${incoming.url} ${JSON.stringify(incoming.headers)} ${body}`;
  const isRpc = failure === "echoes as an RPC error";
  outgoing.statusCode = failure === "echoes with 401" ? 401 : 200;
  outgoing.setHeader("Content-Type", "application/json");
  const error = { code: -32603, message: seen, data: { server_error: seen, details: seen } };
  outgoing.end(
    failure === "is not JSON"
      ? `<html>${seen}`
      : JSON.stringify(isRpc ? { jsonrpc: "2.0", id: 1, error } : { error: seen, message: seen }),
  );
}

beforeAll(async () => {
  const http = createHttpServer((incoming, outgoing) => void respond(incoming, outgoing));
  const smtp = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.write("220 mail\r\n");
    socket.on("data", (data) => {
      const text = data.toString();
      if (/^EHLO/i.test(text)) socket.write("250-mail\r\n250 AUTH PLAIN\r\n");
      else
        socket.write(
          `535 refused: ${Buffer.from(text.split(" ").at(-1) ?? "", "base64")
            .toString("latin1")
            .replaceAll("\0", " ")}\r\n`,
        );
    });
  });
  servers.push(http, smtp);
  for (const server of servers) await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  [httpPort, smtpPort] = servers.map((server) => (server.address() as AddressInfo).port) as [number, number];
});
afterAll(() => {
  for (const server of servers) server.close();
});

const toEnvironment = () => {
  const withKey = (name: string) =>
    `http://127.0.0.1:${httpPort}/v3/${canary(`${name}-path`)}?key=${canary(`${name}-query`)}`;
  return {
    EXCHANGE_MODE: "live",
    ORIGIN: "https://antelope.example",
    DATA_DIR: createTemporaryDirectory(),
    SESSION_SECRET: sessionSecret,
    DATABASE_URL: `postgres://antelope:${canary("database-password")}@127.0.0.1:1/antelope`,
    ETH_RPC_URLS: `${withKey("rpc1")},${withKey("rpc2")}`,
    ETH_CHAIN_ID: "1",
    ETH_XPUB: xpub,
    ETH_PAYOUT_PRIVATE_KEY: payoutKey,
    USDT_ADDRESS: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
    USDT_FINALIZED_ABOVE: "5000",
    MOBILECOIN_URL: withKey("mobilecoin"),
    MOBILECOIN_ACCOUNT_ID: "a".repeat(64),
    MOBILECOIN_API_KEY: canary("mobilecoin-key"),
    SMTP_URL: `smtp://mailer:${canary("smtp-password")}@127.0.0.1:${smtpPort}`,
    MAIL_FROM: "noreply@antelope.example",
    KYC_URL: withKey("kyc"),
    KYC_API_KEY: canary("kyc-key"),
    KYC_WEBHOOK_SECRET: canary("kyc-webhook"),
    RATE_SOURCES: `${withKey("rates1")},${withKey("rates2")}`,
    CURRENCY_FEEDS: withKey("currencies"),
    ENS_RPC_URL: withKey("ens"),
    LOG_LEVEL: "trace",
  };
};

describe("logs and errors for the operator", () => {
  it.each(failures)(
    "T18 never contain a secret from any setting, if every other system %s",
    async (how) => {
      failure = how;
      const config = parseConfig(toEnvironment());
      hideSecrets(config.secretValues);
      const lines: string[] = [];
      const log = createLog("trace", { write: (line) => void lines.push(line) });
      const failed: string[] = [];
      /** Runs what fails, and logs the error as the jobs, the pages and the start do. */
      const fail = async (what: string, call: () => Promise<unknown>) => {
        const error: unknown = await call().then(
          () => null,
          (reason: unknown) => reason,
        );
        if (error === null) return;
        failed.push(what);
        log.error({ err: error }, what);
        log.error({ error: describeError(error) }, what);
        lines.push(toStartupMessage(error));
      };

      const { live } = config;
      if (live === null) throw new Error("The configuration is not live.");
      const { ethereum, mobilecoin, mail, kyc } = live;
      const usdt = createEthereumGateway({ ...ethereum, requiredConfirmations: 3, log });
      const { apiKey, ...fullService } = mobilecoin;
      const mob = createMobilecoinGateway({
        ...fullService,
        ...(apiKey !== null && { apiKey }),
        expectedChainId: "main",
        fogServers: null,
        requiredConfirmations: 1,
        log,
        timeoutMs: 2_000,
      });
      const feeds = { urls: live.rateSources, maxDeviationBps: 100, maxAgeMs: 60_000, log };
      const message = {
        id: "m1",
        queuedAt: new Date(),
        to: "a@example.org",
        subject: "s",
        text: "t",
        html: "t",
        code: null,
      };
      const provider = createHttpKycProvider(kyc);
      const remote = connectRemoteExchange(`http://127.0.0.1:1/${canary("api-path")}`);

      await fail("boot", () => bootExchange(config, log, () => connectLive(live, config, log)));
      await fail("database", () => openPostgres(config.databaseUrl ?? ""));
      await fail("connect", () => connectLive(live, config, log));
      await fail("verify USDT", () => usdt.verify());
      await fail("verify MOB", () => mob.verify());
      await fail("mail", () => createSmtpSender(mail.smtpUrl, mail.from).send(message));
      await fail("review", () => provider.submit("reference", application));
      await fail("decision", () => provider.getDecision("reference"));
      await fail("rate", () => createRateFeeds(feeds).getRate());
      createCurrencyFeeds({ urls: config.currencyFeeds, log }).current();
      await vi.waitFor(() => expect(lines.some((line) => line.includes("A currency feed"))).toBe(true), 30_000);
      await fail("name", () => createEnsLookup({ rpcUrl: config.exchange.ensRpcUrl ?? "", log })("alice.eth"));
      await fail("remote", () => remote.fetch(new Request("http://exchange.invalid/api/status")));

      // Submitting an application does not need a particular response.
      expect(failed.filter((what) => what !== "review")).toHaveLength(10);
      const leaks = lines.filter((line) => /canary|c4a7c4a7/.test(line) || line.includes(xpub));
      expect(leaks).toEqual([]);
    },
    60_000,
  );
});

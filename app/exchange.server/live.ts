import type { Logger } from "pino";
import { createEthereumGateway } from "./chains/ethereum";
import { createMobilecoinGateway } from "./chains/mobilecoin";
import { invariant } from "./errors";
import type { World } from "./exchange";
import { createHttpKycProvider } from "./kyc/http-provider";
import { createSmtpSender } from "./mail/smtp";
import { createRateFeeds } from "./rates/feeds";
import type { ExchangeSetup } from "./setup";

/** The real world, by configuration. Rejects where a chain is not what it is said to be. */
export async function connectLive(setup: ExchangeSetup, log: Logger): Promise<World> {
  const { ethereum, mobilecoin, mail, kyc } = setup;
  invariant(ethereum && mobilecoin && mail && kyc, "the configuration of a live exchange is complete");
  const chains = {
    USDT: createEthereumGateway({
      ...ethereum,
      requiredConfirmations: setup.confirmations.USDT,
      ...(setup.ethereumFinalizedAbove !== null && { finalizedAbove: setup.ethereumFinalizedAbove }),
      log,
    }),
    MOB: createMobilecoinGateway({
      url: mobilecoin.url,
      accountId: mobilecoin.accountId,
      ...(mobilecoin.apiKey !== null && { apiKey: mobilecoin.apiKey }),
      expectedChainId: mobilecoin.chainId,
      log,
      timeoutMs: 30_000,
    }),
  };
  await Promise.all([chains.USDT.verify(), chains.MOB.verify()]);
  const sender = createSmtpSender(mail.smtpUrl, mail.from);
  return {
    chains,
    forbiddenDeliveryAddresses: [ethereum.usdtAddress, chains.USDT.signer],
    connect: async () => ({
      mail: sender,
      kyc: createHttpKycProvider(kyc),
      rateSource: createRateFeeds({
        urls: setup.rateSources,
        maxDeviationBps: setup.rateMaxDeviationBps,
        maxAgeMs: setup.exchange.rateMaxAgeMs,
      }),
      sandbox: null,
    }),
    stop: async () => sender.close(),
  };
}

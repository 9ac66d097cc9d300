import type { Logger } from "pino";
import { BaseError, ContractFunctionExecutionError } from "viem";
import { toOneLine } from "../lib/one-line";
import { redactUrls } from "../lib/redact-url";
import { StartupError } from "../lib/startup-error";
import { createEthereumGateway } from "./chains/ethereum/gateway";
import { isRefusedByContract } from "./chains/ethereum/token";
import { FullServiceError } from "./chains/mobilecoin/full-service";
import { createMobilecoinGateway } from "./chains/mobilecoin/gateway";
import type { ExternalSystems } from "./exchange";
import { createHttpKycProvider } from "./kyc/http-provider";
import { createSmtpSender } from "./mail/smtp";
import { createRateFeeds } from "./pricing/rate-feeds";
import type { ExchangeSetup, LiveSetup } from "./setup";

/**
 * Connects to the live systems and checks that both chains are the configured ones.
 * @throws StartupError that names the variable to correct
 */
export async function connectLive(live: LiveSetup, setup: ExchangeSetup, log: Logger): Promise<ExternalSystems> {
  const { ethereum, mobilecoin, mail, kyc } = live;
  const { confirmations } = setup;
  const chains = {
    USDT: openEthereum(ethereum, confirmations.USDT, log),
    MOB: openMobilecoin(mobilecoin, setup, log),
  };
  const [usdt, mob] = await Promise.all([
    chains.USDT.verify().catch((error: unknown) => toEthereumError(error, ethereum.rpcUrls)),
    chains.MOB.verify().catch((error: unknown) => toMobilecoinError(error, mobilecoin)),
  ]);
  if (usdt instanceof StartupError || mob instanceof StartupError) {
    const errors = [usdt, mob].filter((outcome) => outcome instanceof StartupError);
    throw new StartupError(errors.map(({ message }) => message).join("\n"), { cause: errors });
  }
  const sender = createSmtpSender(mail.smtpUrl, mail.from);
  return {
    chains,
    forbiddenDeliveryAddresses: [ethereum.usdtAddress, usdt.address, mob.address],
    connect: async () => ({
      mail: sender,
      kyc: createHttpKycProvider(kyc),
      rateSource: createRateFeeds({
        urls: live.rateSources,
        maxDeviationBps: live.rateMaxDeviationBps,
        maxAgeMs: setup.exchange.rateMaxAgeMs,
        log,
      }),
      sandbox: null,
    }),
    stop: async () => sender.close(),
  };
}

function openEthereum(ethereum: LiveSetup["ethereum"], requiredConfirmations: number, log: Logger) {
  try {
    return createEthereumGateway({ ...ethereum, requiredConfirmations, log });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : "";
    // Our own messages name the variable. Any other message is the library's complaint about the key.
    const named = /ETH_|USDT_/.test(reason);
    throw new StartupError(named ? reason : "ETH_PAYOUT_PRIVATE_KEY is not a valid private key.", { cause });
  }
}

function openMobilecoin(mobilecoin: LiveSetup["mobilecoin"], { confirmations, exchange }: ExchangeSetup, log: Logger) {
  return createMobilecoinGateway({
    url: mobilecoin.url,
    accountId: mobilecoin.accountId,
    ...(mobilecoin.apiKey !== null && { apiKey: mobilecoin.apiKey }),
    expectedChainId: mobilecoin.chainId,
    fogServers: exchange.fogServers,
    requiredConfirmations: confirmations.MOB,
    log,
    timeoutMs: 30_000,
  });
}

function toEthereumError(cause: unknown, rpcUrls: string[]): StartupError {
  if (isRefusedByContract(cause)) {
    return new StartupError("The contract at USDT_ADDRESS is not a token: correct the address.", { cause });
  }
  if (!(cause instanceof BaseError)) return toStartupError(cause);
  if (cause instanceof ContractFunctionExecutionError) {
    // The nodes have responded to everything before this call.
    const reason = toReason(cause.details || cause.shortMessage);
    const message = `decimals() of the contract at USDT_ADDRESS cannot be called (${reason}): check USDT_ADDRESS and ETH_RPC_URLS.`;
    return new StartupError(message, { cause });
  }
  const nodes = rpcUrls.map((url) => redactUrls(url)).join(", ");
  const reason = toReason(cause.shortMessage);
  return new StartupError(`No Ethereum node responds at ${nodes} (${reason}): check ETH_RPC_URLS.`, { cause });
}

/** A node's text, to be put in parentheses. */
const toReason = (text: string): string => redactUrls(toOneLine(text)).replace(/\.$/, "");

function toMobilecoinError(cause: unknown, { url, accountId }: LiveSetup["mobilecoin"]): StartupError {
  if (cause instanceof FullServiceError) {
    if (cause.isResyncing) {
      const message = `full-service at ${redactUrls(url)} is still syncing (${cause.serverError}): start again once it has finished.`;
      return new StartupError(message, { cause });
    }
    const message = cause.is("AccountNotFound")
      ? `full-service has no account ${accountId}: check MOBILECOIN_ACCOUNT_ID.`
      : `full-service at ${redactUrls(url)} refused (${cause.serverError}): check MOBILECOIN_ACCOUNT_ID.`;
    return new StartupError(message, { cause });
  }
  if (cause instanceof Error && cause.message.startsWith("full-service ")) {
    const reason = cause.message.replace(/^full-service \w+: /, "");
    const variable = reason.includes("API key") ? "MOBILECOIN_API_KEY" : "MOBILECOIN_URL";
    return new StartupError(`full-service at ${redactUrls(url)}: ${redactUrls(reason)}: check ${variable}.`, { cause });
  }
  const { message } = toStartupError(cause);
  return new StartupError(`${message} Check MOBILECOIN_CHAIN_ID and MOBILECOIN_ACCOUNT_ID.`, { cause });
}

/** The gateways' own messages are sentences for the operator. */
function toStartupError(cause: unknown): StartupError {
  return new StartupError(cause instanceof Error ? cause.message : String(cause), { cause });
}

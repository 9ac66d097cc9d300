/**
 * The sandbox replaces everything outside the exchange, so that a new checkout can swap without
 * accounts, keys or money:
 *
 * | System               | Replaced by                                                              |
 * | -------------------- | ------------------------------------------------------------------------ |
 * | Ethereum and USDT    | anvil with a token that behaves like Tether's (`ethereum/`)              |
 * | MobileCoin           | a full-service wallet and its network, in this process (`mobilecoin/`)   |
 * | E-mail               | an inbox in the database (`inbox.ts`)                                    |
 * | KYC provider         | a reviewer who decides by the last name (`reviewer.ts`)                  |
 * | Rate feeds           | a random walk (`rate-walk.ts`)                                           |
 *
 * The exchange uses both chains over HTTP with its production gateways, so the sandbox runs the same
 * code as live mode. The replacements imitate behaviour that the exchange must handle: USDT that can
 * be paused or blacklisted, MobileCoin payments with unknown outcomes, restarts and crashes. Tests use
 * them to cause such failures. Their state is in DATA_DIR and the database and survives a restart.
 *
 * `calls.ts` serves /sandbox/… (inbox, faucet, JSON-RPC, tester's wallet). This folder is loaded only
 * in sandbox mode and may import the exchange; the exchange never imports it.
 */
import { join } from "node:path";
import type { Logger } from "pino";
import { createEthereumGateway } from "../exchange.server/chains/ethereum/gateway";
import { createMobilecoinGateway } from "../exchange.server/chains/mobilecoin/gateway";
import type { ExternalSystems } from "../exchange.server/exchange";
import type { ExchangeSetup } from "../exchange.server/setup";
import { parseAmount, parseDecimal, RATE_DECIMALS } from "../lib/money";
import { createSandboxCalls } from "./calls";
import { startSandboxEthereum } from "./ethereum/start";
import { createSandboxInbox } from "./inbox";
import { startSandboxMobilecoin } from "./mobilecoin/start";
import { createRateWalk, seedRateHistory } from "./rate-walk";
import { createSandboxReviewer } from "./reviewer";

/** Starts the sandbox's systems and connects the exchange to them. See the top of this file. */
export async function startSandbox(setup: ExchangeSetup, log: Logger): Promise<ExternalSystems> {
  const { sandbox } = setup;
  const starting = [
    startSandboxEthereum({
      dataDir: join(setup.dataDir, "ethereum"),
      log,
      blockTimeMs: sandbox.ethereumBlockMs,
      reserveUsdt: parseAmount(sandbox.reserveUsdt, "USDT"),
      anvilPath: sandbox.anvilPath,
    }),
    startSandboxMobilecoin({ dataDir: setup.dataDir, log, blockDelayMs: sandbox.mobilecoinBlockMs }),
  ] as const;
  const [ethereum, mobilecoin] = await Promise.all(starting).catch(async (error: unknown) => {
    // Neither may outlive a failed start of the other.
    await Promise.allSettled(starting.map(async (chain) => (await chain).stop()));
    throw error;
  });
  const start = parseDecimal(sandbox.rate, RATE_DECIMALS);
  const faucetMax = {
    ETH: parseDecimal(sandbox.faucetMaxEth, 12) * 10n ** 6n,
    USDT: parseAmount(sandbox.faucetMaxUsdt, "USDT"),
  };
  const chains = {
    USDT: createEthereumGateway({
      rpcUrls: [ethereum.rpcUrl],
      chainId: ethereum.chainId,
      usdtAddress: ethereum.usdtAddress,
      xpub: ethereum.xpub,
      payoutPrivateKey: ethereum.payoutPrivateKey,
      requiredConfirmations: setup.confirmations.USDT,
      log,
    }),
    MOB: createMobilecoinGateway({
      url: mobilecoin.url,
      accountId: mobilecoin.accountId,
      expectedChainId: mobilecoin.chainId,
      fogServers: setup.exchange.fogServers,
      requiredConfirmations: setup.confirmations.MOB,
      log,
      timeoutMs: 10_000,
    }),
  };
  return {
    chains,
    forbiddenDeliveryAddresses: [ethereum.usdtAddress, chains.USDT.signer, mobilecoin.mainAddress],
    async connect(db, clock) {
      const inbox = createSandboxInbox(db, clock);
      await seedRateHistory(db, { start, seed: sandbox.rateSeed }, await clock.now(db));
      const calls = createSandboxCalls({ ethereum, mobilecoin, inbox, faucetMax }, setup.exchange.origin, log);
      return {
        mail: inbox,
        kyc: createSandboxReviewer({ db, clock, delayMs: sandbox.kycDelayMs }),
        rateSource: createRateWalk(db, { start, seed: sandbox.rateSeed }),
        sandbox: { fetch: async (request, env = {}) => calls.fetch(request, env) },
      };
    },
    async stop() {
      await Promise.all([ethereum.stop(), mobilecoin.stop()]);
    },
  };
}

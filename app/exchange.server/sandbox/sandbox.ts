import { join } from "node:path";
import type { Logger } from "pino";
import { parseAmount, parseDecimal, RATE_DECIMALS } from "../../lib/money";
import { createEthereumGateway } from "../chains/ethereum";
import { createMobilecoinGateway } from "../chains/mobilecoin";
import type { World } from "../exchange";
import type { ExchangeSetup } from "../setup";
import { createSandboxCalls } from "./calls";
import { startSandboxEthereum } from "./ethereum/start";
import { createSandboxInbox } from "./inbox";
import { startSandboxMobilecoin } from "./mobilecoin/start";
import { createRateWalk, inventHistory } from "./rate-walk";
import { createSandboxReviewer } from "./reviewer";

/**
 * The embedded world: an EVM chain and a MobileCoin wallet, spoken to over HTTP by the
 * production clients; an inbox, a reviewer and a rate that walks. All of it is kept in
 * DATA_DIR and the database.
 */
export async function startSandbox(setup: ExchangeSetup, log: Logger): Promise<World> {
  const { sandbox } = setup;
  const [ethereum, mobilecoin] = await Promise.all([
    startSandboxEthereum({
      dataDir: join(setup.dataDir, "ethereum"),
      log,
      blockTimeMs: sandbox.ethereumBlockMs,
      reserveUsdt: parseAmount(sandbox.reserveUsdt, "USDT"),
      anvilPath: sandbox.anvilPath,
    }),
    startSandboxMobilecoin({ dataDir: setup.dataDir, log, blockDelayMs: sandbox.mobilecoinBlockMs }),
  ]);
  const start = parseDecimal(sandbox.startRate, RATE_DECIMALS);
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
      log,
      timeoutMs: 10_000,
    }),
  };
  return {
    chains,
    forbiddenDeliveryAddresses: [ethereum.usdtAddress, chains.USDT.signer],
    async connect(db, clock) {
      const inbox = createSandboxInbox(db, clock);
      await inventHistory(db, { start, seed: sandbox.rateSeed }, await clock.now(db));
      const calls = createSandboxCalls({ ethereum, mobilecoin, inbox, faucetMax }, setup.exchange.origin, log);
      return {
        mail: inbox,
        kyc: createSandboxReviewer({ db, clock, delayMs: sandbox.kycDelayMs }),
        rateSource: createRateWalk(db, { start, seed: sandbox.rateSeed }),
        sandbox: { fetch: async (request) => calls.fetch(request) },
      };
    },
    async stop() {
      await Promise.all([ethereum.stop(), mobilecoin.stop()]);
    },
  };
}

import type { Logger } from "pino";
import { createFullService, FullServiceError } from "./full-service";
import { answers } from "./full-service-answers";
import type { ChainGateway } from "./gateway";
import { recheckDeposit, scanDeposits } from "./mobilecoin-deposits";
import { broadcastPayment, getPaymentState, preparePayment } from "./mobilecoin-payments";
import { createMobilecoinWallet, isSynced, mobTokenId } from "./mobilecoin-wallet";

/**
 * MobileCoin through a full-service wallet. Blocks are final, so that one confirmation is
 * enough; there are no nonces and no fee bumps.
 */
export function createMobilecoinGateway(options: {
  /** `http://HOST:PORT/wallet/v2` */
  url: string;
  /** The account that receives deposits and pays; it must not be a Fog or a view-only one. */
  accountId: string;
  apiKey?: string;
  /** full-service's `--chain-id`: `main`, `test`, or the sandbox's. */
  expectedChainId: string;
  log: Logger;
  timeoutMs: number;
}): ChainGateway {
  const service = createFullService(options);
  const wallet = createMobilecoinWallet(service, options.accountId);

  return {
    network: "mobilecoin",
    asset: "MOB",
    requiredConfirmations: 1,
    signer: options.accountId,

    async verify() {
      const { network_status } = await service.call("get_network_status", {}, answers.networkStatus);
      const chainId = network_status.network_info.chain_id;
      if (chainId !== options.expectedChainId) {
        throw new Error(
          `The MobileCoin wallet is on network "${chainId}" and "${options.expectedChainId}" is configured. ` +
            "Start full-service with the right --chain-id.",
        );
      }
      const { account } = await wallet.getStatus();
      if (account.fog_enabled) throw new Error("The MobileCoin account uses Fog and has no subaddresses; use another.");
      if (account.view_only) throw new Error("The MobileCoin account is view-only and cannot pay; use another.");
      if (account.require_spend_subaddress) {
        throw new Error(
          "The MobileCoin account spends by subaddress only; import it without require_spend_subaddress.",
        );
      }
      return { chainId };
    },

    /** `pending` coins are inputs on their way back as change; what leaves with them is still owed in our ledger. */
    async getSpendable() {
      const { balance_per_token } = await wallet.getStatus();
      const balance = balance_per_token[mobTokenId];
      return balance ? balance.unspent + balance.pending : 0n;
    },

    async getPaymentObstacle() {
      try {
        if (isSynced(await wallet.getStatus())) return null;
      } catch (error) {
        if (!(error instanceof FullServiceError && error.isResyncing)) throw error;
      }
      return "The MobileCoin wallet is catching up with its network.";
    },

    /** Nobody can be kept from receiving on MobileCoin. */
    getReceiverObstacle: async () => null,
    assignFundingAddress: async ({ orderId }) => ({ address: await wallet.assign(orderId) }),
    /** The amount cannot ride along: Signal refuses payment requests (facts 9 and 10). */
    toPaymentUri: (address) => `mob:///b58/${address}`,
    scan: (cursor, isOurs) => scanDeposits(wallet, cursor, isOurs),
    recheck: (transfer) => recheckDeposit(wallet, transfer),
    preparePayment: (request) => preparePayment(wallet, request),
    getNextNonce: async () => null,
    broadcast: (payment) => broadcastPayment(wallet, payment),
    getPaymentState: (payment) => getPaymentState(wallet, payment),
    bumpPayment: async () => null,
  };
}

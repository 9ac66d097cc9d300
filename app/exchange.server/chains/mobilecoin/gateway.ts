import type { Logger } from "pino";
import { encodePaymentRequest } from "../../addresses/mob-address";
import type { ChainGateway } from "../gateway";
import { readHoldings, readWallet } from "./balance";
import { assignFundingAddress, readDeposits, recheckDeposits, scanDeposits } from "./deposits";
import { createFullService } from "./full-service";
import { responses } from "./full-service-responses";
import { hashAddress, listOutgoing } from "./outgoing";
import {
  broadcastPayment,
  findAddressProblem,
  getPaymentState,
  prepareConsolidation,
  preparePayment,
} from "./payments";
import { createMobilecoinWallet, findOutputBlock } from "./wallet";

/**
 * The gateway for MOB on MobileCoin, through a full-service wallet. Blocks are final, so one
 * confirmation is enough. There are no nonces and no fee bumps.
 */
export function createMobilecoinGateway(options: {
  /** `http://HOST:PORT/wallet/v2` */
  url: string;
  /** The account for deposits and payments. It must be neither a Fog nor a view-only account. */
  accountId: string;
  apiKey?: string;
  /** full-service's `--chain-id`: `main`, `test`, or `sandbox`. */
  expectedChainId: string;
  /** The Fog report servers that a paid address may name; null: any. See `requireKnownFog`. */
  fogServers: readonly string[] | null;
  log: Logger;
  timeoutMs: number;
  /** Blocks are final, so 1 is enough; more delays deposits and payments by that many blocks. */
  requiredConfirmations: number;
  /** Sends the requests; the global `fetch` by default. */
  fetch?: typeof fetch;
  now?: () => number;
}): ChainGateway {
  const service = createFullService(options);
  const wallet = createMobilecoinWallet(service, options);

  return {
    requiredConfirmations: options.requiredConfirmations,
    settledConfirmations: options.requiredConfirmations,
    finalizedAbove: null,
    signer: options.accountId,

    async verify() {
      const { network_status } = await service.call("get_network_status", {}, responses.networkStatus);
      const { chain_id: chainId, offline } = network_status.network_info;
      if (chainId !== options.expectedChainId) {
        throw new Error(
          `The MobileCoin wallet is on network "${chainId}", but "${options.expectedChainId}" is configured. ` +
            "Start full-service with the right --chain-id.",
        );
      }
      if (offline) throw new Error("The MobileCoin wallet is offline. Start full-service without --offline.");
      const { account } = await wallet.getStatus();
      if (account.fog_enabled) {
        throw new Error("The MobileCoin account uses Fog and has no subaddresses. Use another account.");
      }
      if (account.view_only)
        throw new Error("The MobileCoin account is view-only and cannot pay. Use another account.");
      if (account.require_spend_subaddress) {
        throw new Error(
          "The MobileCoin account can only spend by subaddress. Import it without require_spend_subaddress.",
        );
      }
      return { chainId, address: account.main_address };
    },

    async readHead() {
      const { account, local_block_height, network_block_height } = await wallet.getStatus();
      return [account.next_block_index, local_block_height, network_block_height].join(" ");
    },

    readWallet: () => readWallet(wallet),
    readHoldings: () => readHoldings(wallet),
    prepareConsolidation: () => prepareConsolidation(wallet),

    getReceiverBlockReason: async (to) => findAddressProblem(wallet, to),
    findPending: async () => new Set(),
    assignFundingAddress: (order) => assignFundingAddress(wallet, order),
    deriveFundingAddress: () => null,
    getNewestFundingIndex: () => wallet.getNewestFundingIndex(),
    knowsFundingAddress: (address) => wallet.knows(address),
    /** Without the amount: Signal's scanner accepts addresses but rejects payment requests. */
    toPaymentUri: (address) => `mob:///b58/${address}`,
    toWalletLink: (address, amount) => `mob:///b58/${encodePaymentRequest(address, amount)}`,
    scan: (cursor, matchAddresses, startedAt = new Date((options.now ?? Date.now)())) =>
      scanDeposits(wallet, cursor, matchAddresses, startedAt),
    readRange: (range, matchAddresses) => readDeposits(wallet, range, matchAddresses),
    listOutgoing: (range) => listOutgoing(wallet, range),
    hashAddress: (address) => hashAddress(wallet, address),
    findBlock: (hash) => findOutputBlock(wallet, hash),
    recheck: (transfers) => recheckDeposits(wallet, transfers),
    preparePayment: (request) => preparePayment(wallet, request),
    getNextNonce: async () => null,
    getMinedNonce: async () => null,
    broadcast: (payment) => broadcastPayment(wallet, payment),
    getPaymentState: (payment) => getPaymentState(wallet, payment),
    prepareCancellation: async () => null,
    bumpPayment: async () => null,
  };
}

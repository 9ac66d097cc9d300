import type { Logger } from "pino";
import { getAddress, type Hex, isAddress } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { assets } from "../../lib/assets";
import { openNodes, WrongChainError } from "./ethereum-nodes";
import { createPaymentState } from "./ethereum-payment-state";
import { createPayer } from "./ethereum-payments";
import { createScanner } from "./ethereum-scan";
import { findReceiverObstacle, findTokenObstacle, tokenAbi } from "./ethereum-token";
import { createTransferLookup } from "./ethereum-transfers";
import { openFundingAddresses } from "./funding-addresses";
import type { ChainGateway } from "./gateway";

const gwei = 10n ** 9n;

export type EthereumGatewayOptions = {
  /** The first is asked first. With two, both must agree on what counts; with three, two of them. */
  rpcUrls: string[];
  chainId: number;
  usdtAddress: string;
  /** Of the account, m/44'/60'/0'. */
  xpub: string;
  payoutPrivateKey: string;
  requiredConfirmations: number;
  /** micro-USDT; larger deposits count once their block is finalized. */
  finalizedAbove?: bigint | null;
  /** Where the first scan begins; the head when absent. */
  startBlock?: number | null;
  /** A head older than this means that the node is not in step. */
  maxHeadAgeMs?: number;
  feeBumpAfterMs?: number;
  /** wei a gas. */
  maxFeePerGas?: bigint;
  log: Logger;
  now?: () => number;
};

/**
 * USDT on Ethereum over JSON-RPC. Throws at once where a key or an address is malformed;
 * talks to nobody before it is asked to.
 */
export function createEthereumGateway(options: EthereumGatewayOptions): ChainGateway {
  const { chainId, requiredConfirmations, finalizedAbove = null, startBlock = null, log, now = Date.now } = options;
  if (!isAddress(options.usdtAddress)) throw new Error("USDT_ADDRESS is not an Ethereum address.");
  if (requiredConfirmations < 1) throw new Error("A deposit needs one confirmation at least.");
  const token = getAddress(options.usdtAddress);
  const account = privateKeyToAccount(options.payoutPrivateKey as Hex);
  const signer = account.address;
  const toFundingAddress = openFundingAddresses(options.xpub);
  const nodes = openNodes({
    rpcUrls: options.rpcUrls,
    chainId,
    maxHeadAgeMs: options.maxHeadAgeMs ?? 120_000,
    log,
    now,
  });
  const lookup = createTransferLookup({ nodes, token, requiredConfirmations, finalizedAbove, log });
  const payer = createPayer({
    nodes,
    account,
    token,
    maxFeePerGas: options.maxFeePerGas ?? 300n * gwei,
    feeBumpAfterMs: options.feeBumpAfterMs ?? 180_000,
    log,
    now,
  });
  let verified = false;

  return {
    network: "ethereum",
    asset: "USDT",
    requiredConfirmations,
    signer,

    async verify() {
      if (!verified) {
        const answers = await nodes.askAll(async ({ client }) => client.getChainId());
        for (const { node, answer } of answers) {
          if (typeof answer === "number" && answer !== chainId) throw new WrongChainError(node.name, answer, chainId);
        }
        const { node } = await nodes.pickHead();
        if ((await node.client.getCode({ address: token })) === undefined) {
          throw new Error(`There is no contract at USDT_ADDRESS ${token} on chain ${chainId}.`);
        }
        const decimals = await node.client.readContract({ address: token, abi: tokenAbi, functionName: "decimals" });
        if (Number(decimals) !== assets.USDT.decimals) {
          throw new Error(`The token at USDT_ADDRESS has ${decimals} decimals, not ${assets.USDT.decimals}.`);
        }
        verified = true;
      }
      return { chainId };
    },

    async getSpendable() {
      const { node } = await nodes.pickHead();
      return node.client.readContract({ address: token, abi: tokenAbi, functionName: "balanceOf", args: [signer] });
    },

    async getPaymentObstacle() {
      return findTokenObstacle(await nodes.pickHead(), token, signer);
    },

    async getReceiverObstacle(to) {
      return findReceiverObstacle((await nodes.pickHead()).node, token, getAddress(to));
    },

    async assignFundingAddress({ index }) {
      return { address: toFundingAddress(index) };
    },

    /** EIP-681. The amount is a suggestion; wallets that do not read it still see the address. */
    toPaymentUri(address, amount) {
      return `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${amount}`;
    },

    // Read again: as many blocks as a deposit waits for, so that each is seen growing.
    scan: createScanner({ nodes, token, lookup, overlap: Math.max(requiredConfirmations, 4), startBlock, log }),
    recheck: (transfer) => lookup.recheck(transfer),

    async getNextNonce() {
      const { node } = await nodes.pickHead();
      return node.client.getTransactionCount({ address: signer, blockTag: "pending" });
    },
    preparePayment: (request) => payer.prepare(request),
    broadcast: (payment) => payer.broadcast(payment),
    bumpPayment: (payment) => payer.bump(payment),
    getPaymentState: createPaymentState({ nodes, token, requiredConfirmations, finalizedAbove, log }),
  };
}

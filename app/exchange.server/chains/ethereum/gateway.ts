import type { Logger } from "pino";
import { getAddress, type Hex, isAddress, type Transport } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import type { ChainGateway } from "../gateway";
import { broadcast } from "./broadcast";
import { chooseFees, readGasPrice, toPaymentCost, transferGas } from "./fees";
import { openFundingAddresses } from "./funding-addresses";
import { createHoldings } from "./holdings";
import { openNodes } from "./nodes";
import { createOutgoing } from "./outgoing";
import { createPaymentState } from "./payment-state";
import { createPayoutWallet } from "./payout-wallet";
import { findPendingDeposits } from "./pending-deposits";
import { preparePayment } from "./prepare-payment";
import { bumpPayment, prepareCancellation } from "./replace-payment";
import { createScanner } from "./scan";
import { findReceiverBlockReason, readPayer, tokenAbi } from "./token";
import { createTransferReader } from "./transfer-reader";
import { createTransferLookup } from "./transfers";
import { requireNetwork } from "./verify";

const gwei = 10n ** 9n;
/** Three epochs. Unless the whole network is attacked, blocks are final after two. */
const settledDepth = 96;

export type EthereumGatewayOptions = {
  /** A deposit or payment is final only when more than half of the nodes agree. */
  rpcUrls: string[];
  chainId: number;
  usdtAddress: string;
  /** The account's extended public key, m/44'/60'/0'. */
  xpub: string;
  payoutPrivateKey: string;
  requiredConfirmations: number;
  /** micro-USDT. Deposits beyond this are credited only after their block is finalized; null: no limit. */
  finalizedAbove?: bigint | null;
  /** The first block to scan; the current head when absent. */
  startBlock?: number | null;
  /** A node with an older head counts as out of sync. Default: two minutes. */
  maxHeadAgeMs?: number;
  /** How long a payment waits for inclusion before its fee is raised. Default: three minutes. */
  feeBumpAfterMs?: number;
  /** The highest fee to offer, in wei per gas. Default: 300 gwei. */
  maxFeePerGas?: bigint;
  /** The price of one ether in micro-USDT, which converts gas into USDT. Default: 0, for chains where ether is free. */
  etherPrice?: bigint;
  log: Logger;
  now?: () => number;
  /** Connects to a node; HTTP by default. */
  toTransport?: (url: string) => Transport;
};

/**
 * The gateway for USDT on Ethereum, over JSON-RPC. Throws if a key or address is malformed.
 * Sends no request before one of its methods is called.
 */
export function createEthereumGateway(options: EthereumGatewayOptions): ChainGateway {
  const {
    chainId,
    requiredConfirmations,
    finalizedAbove = null,
    startBlock = null,
    etherPrice = 0n,
    log,
    now = Date.now,
  } = options;
  if (!isAddress(options.usdtAddress)) throw new Error("USDT_ADDRESS is not an Ethereum address.");
  if (requiredConfirmations < 1) throw new Error("A deposit needs at least one confirmation.");
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
    ...(options.toTransport && { toTransport: options.toTransport }),
  });
  const lookup = createTransferLookup({ nodes, token, requiredConfirmations, finalizedAbove, log });
  const feeLimit = options.maxFeePerGas ?? 300n * gwei;
  const wallet = createPayoutWallet({
    nodes,
    account,
    token,
    feeLimit,
    feeBumpAfterMs: options.feeBumpAfterMs ?? 180_000,
    log,
    now,
  });
  // The overlap covers the blocks a deposit waits for, so every scan updates its confirmations.
  const overlap = Math.max(requiredConfirmations, 4);
  const readTransfers = createTransferReader({ token, log });
  const scanner = createScanner({ nodes, readTransfers, lookup, overlap, startBlock, log, now });
  const toTransferUri = (address: string, amount: bigint) =>
    `ethereum:${token}@${chainId}/transfer?address=${address}&uint256=${amount}`;
  let isVerified = false;

  /** Whether the address holds tokens or has sent a transaction, for example to collect its deposit. */
  const isUsed = (address: `0x${string}`) =>
    nodes.agree(async ({ node: { client } }) => {
      const [balance, sent] = await Promise.all([
        client.readContract({ address: token, abi: tokenAbi, functionName: "balanceOf", args: [address] }),
        client.getTransactionCount({ address }),
      ]);
      return balance > 0n || sent > 0;
    });

  return {
    requiredConfirmations,
    settledConfirmations: Math.max(requiredConfirmations, settledDepth),
    finalizedAbove,
    signer,

    async verify() {
      if (!isVerified) await requireNetwork(nodes, token, chainId);
      isVerified = true;
      return { chainId, address: signer };
    },

    async readHead() {
      const heads = await nodes.readHeads();
      return nodes.all.map((node) => heads.headOf(node)?.hash ?? "none").join(" ");
    },

    async readWallet() {
      const heads = await nodes.readHeads();
      const [spendable, price] = await Promise.all([wallet.readBalance(heads), readGasPrice(nodes, heads)]);
      const { maxFeePerGas } = chooseFees(price, feeLimit);
      const { wei, blockReason } = await readPayer(nodes, heads, { token, signer, maxFeePerGas });
      return {
        spendable,
        maxPayment: spendable,
        paymentCost: etherPrice === 0n ? 0n : toPaymentCost(price, { etherPrice, feeLimit }),
        paymentBlockReason: blockReason,
        ether: { wei, perPayment: transferGas * maxFeePerGas },
      };
    },

    readHoldings: createHoldings({ nodes, token, signer, log }),

    prepareConsolidation: async () => null,

    async getReceiverBlockReason(to) {
      return nodes.agree(({ node }) => findReceiverBlockReason(node, token, getAddress(to)));
    },

    async assignFundingAddress({ index }) {
      const address = toFundingAddress(index);
      return { address, index, isUsed: await isUsed(address) };
    },

    deriveFundingAddress: toFundingAddress,
    getNewestFundingIndex: async () => null,
    knowsFundingAddress: async () => true,

    /** EIP-681. Wallets that ignore the amount still read the address. */
    toPaymentUri: toTransferUri,
    toWalletLink: toTransferUri,

    scan: scanner.scan,
    readRange: scanner.readRange,
    hashAddress: async () => null,
    findBlock: async () => null,
    listOutgoing: createOutgoing({ nodes, readTransfers, signer }),
    recheck: (transfers) => lookup.recheck(transfers),
    findPending: (addresses) => findPendingDeposits(nodes, token, addresses),

    async getNextNonce() {
      return nodes.reach(({ node }) => node.client.getTransactionCount({ address: signer, blockTag: "pending" }));
    },
    async getMinedNonce(height) {
      const blockNumber = BigInt(height);
      return nodes.reach(({ node }) => node.client.getTransactionCount({ address: signer, blockNumber }));
    },
    preparePayment: (request) => preparePayment(wallet, request),
    broadcast: (payment) => broadcast(wallet, payment),
    prepareCancellation: (payment) => prepareCancellation(wallet, payment),
    bumpPayment: (payment, options) => bumpPayment(wallet, payment, options),
    getPaymentState: createPaymentState({ nodes, token, requiredConfirmations, finalizedAbove, log }),
  };
}

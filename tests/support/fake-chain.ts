import { createHash } from "node:crypto";
import {
  BroadcastRefusedError,
  type ChainGateway,
  type ChainTransfer,
  PaymentRefusedError,
  type PaymentRequest,
  type PaymentState,
  type PreparedPayment,
} from "~/exchange.server/chains/gateway";
import { type AssetSymbol, assets } from "~/lib/assets";

/**
 * An in-memory chain that the test controls: blocks, reorgs, failing nodes and lost payments. Unlike the real
 * anvil and the full-service double, it can force any order of events, in milliseconds.
 */
export type FakeChain = ChainGateway & {
  /** Puts a transfer into the next block. Returns its key. */
  deposit(address: string, amount: bigint, options?: { at?: Date; txHash?: string; ordinal?: number }): string;
  /** Adds empty blocks. */
  mine(blocks?: number): void;
  /** Takes a payment of ours out of the chain again. */
  loseFromChain(hash: string): void;
  /** Takes a transaction out of the chain again. */
  reorgAway(txHash: string): void;
  /** What was paid on this chain, in the order in which it was included. */
  readonly paid: { to: string; amount: bigint; hash: string }[];
  /** Set by tests to make the node misbehave. */
  faults: {
    prepare: (() => void) | null;
    broadcast: "ok" | "reject" | "accept_then_reject" | "drop";
    state: "ok" | "reverted" | "impossible";
    paymentBlockReason: string | null;
    /** Addresses with a payment in the mempool; null: the node does not show it. */
    pending: Set<string> | null;
    /** Addresses that must not be paid to. */
    blocked: Set<string>;
    /** Addresses of payments that every node refuses to accept. */
    refused: Set<string>;
    /** Addresses of payments that cannot be prepared, without a stated reason. */
    unpreparable: Set<string>;
    /** Addresses of payments that every node fails to accept, without a stated reason. */
    unsendable: Set<string>;
    /** Whether every node refuses a payment while an earlier nonce is free. */
    refusesGaps: boolean;
    /** The lowest fee that the network accepts; a payment starts at 1 and a bump adds 1. */
    minFee: number;
    synced: boolean;
    /** Base units; see `ChainGateway.finalizedAbove`. */
    finalizedAbove: bigint | null;
    /** What the nodes call finalized. */
    finalizedHeight: number | null;
    spendable: bigint;
    /** The largest single payment; null for `spendable`. */
    maxPayment: bigint | null;
    /** What one payment costs on the network, in base units. */
    paymentCost: bigint;
    /** See `WalletState.ether`. */
    ether: { wei: bigint; perPayment: bigint } | null;
    scan: (() => void) | null;
    /** The amount that left our wallet without the exchange, in base units; negative for money that came in. */
    stolen: bigint;
  };
  broadcasts: number;
};

type Block = { number: number; hash: string; time: Date };
type Tx = { hash: string; block: Block; transfers: { ordinal: number; address: string; amount: bigint }[] };

export function createFakeChain(
  asset: AssetSymbol,
  options: { confirmations: number; now: () => number; nonces: boolean; hasBlockTimes: boolean },
): FakeChain {
  const blocks: Block[] = [];
  let txs: Tx[] = [];
  const landed = new Map<string, Block>();
  /** The payment that used each nonce, by `signer:nonce`. */
  const usedNonces = new Map<string, string>();
  const paid: FakeChain["paid"] = [];
  let nextNonce = 0;
  let serial = 0;
  let newestIndex = 0;
  const assigned = new Set<string>();

  const mineOne = (time = new Date(options.now())): Block => {
    const number = blocks.length;
    const block = { number, hash: `block-${asset}-${number}-${serial++}`, time };
    blocks.push(block);
    return block;
  };
  mineOne();
  const head = () => blocks[blocks.length - 1] as Block;
  /** A payment's hash, as the chain of the asset writes it. */
  const toHash = (text: string) => `${options.nonces ? "0x" : ""}${createHash("sha256").update(text).digest("hex")}`;
  const confirmationsOf = (block: Block) => head().number - block.number + 1;
  const view = (tx: Tx, log: Tx["transfers"][number]): ChainTransfer => ({
    txHash: tx.hash,
    ordinal: log.ordinal,
    address: log.address,
    amount: log.amount,
    blockHash: tx.block.hash,
    blockNumber: tx.block.number,
    blockLogIndex: log.ordinal,
    blockTime: options.hasBlockTimes ? tx.block.time : null,
    confirmations: confirmationsOf(tx.block),
    displayHash: tx.hash,
  });

  const chain: FakeChain = {
    requiredConfirmations: options.confirmations,
    get finalizedAbove() {
      return chain.faults.finalizedAbove;
    },
    settledConfirmations: options.nonces ? options.confirmations + 2 : options.confirmations,
    signer: `signer-${asset}`,
    paid,
    broadcasts: 0,
    faults: {
      prepare: null,
      broadcast: "ok",
      state: "ok",
      paymentBlockReason: null,
      pending: new Set(),
      blocked: new Set(),
      refused: new Set(),
      unpreparable: new Set(),
      unsendable: new Set(),
      refusesGaps: false,
      minFee: 0,
      synced: true,
      finalizedAbove: null,
      finalizedHeight: null,
      spendable: 10n ** BigInt(assets[asset].decimals + 6),
      maxPayment: null,
      paymentCost: 0n,
      ether: null,
      scan: null,
      stolen: 0n,
    },
    deposit(address, amount, at = {}) {
      const block = mineOne(at.at);
      const hash = at.txHash ?? `tx-${asset}-${serial++}`;
      const known = txs.find((tx) => tx.hash === hash);
      const transfer = { ordinal: at.ordinal ?? 0, address, amount };
      if (known) {
        known.transfers.push(transfer);
        known.block = block;
      } else txs.push({ hash, block, transfers: [transfer] });
      return hash;
    },
    mine(count = 1) {
      for (let i = 0; i < count; i += 1) mineOne();
    },
    loseFromChain(hash) {
      landed.delete(hash);
      const index = paid.findIndex((payment) => payment.hash === hash);
      if (index >= 0) paid.splice(index, 1);
      for (const [nonce, used] of usedNonces) if (used === hash) usedNonces.delete(nonce);
      mineOne();
    },
    reorgAway(txHash) {
      txs = txs.filter((tx) => tx.hash !== txHash);
      mineOne();
    },
    verify: async () => ({ chainId: asset === "USDT" ? 11155111 : "test", address: `signer-${asset}` }),
    readHead: async () => head().hash,
    readWallet: async () => {
      const { spendable, maxPayment, paymentCost, paymentBlockReason, ether } = chain.faults;
      return { spendable, maxPayment: maxPayment ?? spendable, paymentCost, paymentBlockReason, ether };
    },
    async readHoldings(addresses, height = head().number) {
      const received = txs.filter(({ block }) => block.number <= height).flatMap((tx) => tx.transfers);
      const sum = (transfers: { amount: bigint }[]) => transfers.reduce((total, { amount }) => total + amount, 0n);
      const balanceOf = (address: string) => sum(received.filter((transfer) => transfer.address === address));
      const sent = paid.filter(({ hash }) => (landed.get(hash)?.number ?? 0) <= height);
      const spent = sum(sent) + chain.faults.stolen + BigInt(sent.length) * (asset === "MOB" ? 400_000_000n : 0n);
      const deposited = options.hasBlockTimes ? 0n : sum(received);
      return {
        height,
        wallet: chain.faults.spendable + deposited - spent,
        atAddresses: new Map(options.hasBlockTimes ? addresses.map((address) => [address, balanceOf(address)]) : []),
      };
    },
    prepareConsolidation: async () => null,
    getReceiverBlockReason: async (to) => (chain.faults.blocked.has(to) ? "This address is blocked." : null),
    // Like MobileCoin's wallet, and unlike Ethereum, where there is no such list.
    getNewestFundingIndex: async () => (options.hasBlockTimes ? null : newestIndex),
    knowsFundingAddress: async (address) => options.hasBlockTimes || assigned.has(address),
    async assignFundingAddress({ index }) {
      newestIndex = Math.max(newestIndex, index);
      const address = `${asset}-funding-${index}`;
      assigned.add(address);
      return {
        address,
        index,
        isUsed: txs.some((tx) => tx.transfers.some((transfer) => transfer.address === address)),
      };
    },
    deriveFundingAddress: (index) => (asset === "USDT" ? `USDT-funding-${index}` : null),
    toPaymentUri: (address, amount) => `${assets[asset].network}:${address}?amount=${amount}`,
    toWalletLink: (address, amount) => `${assets[asset].network}:${address}?amount=${amount}`,
    async scan(cursor, matchAddresses, startedAt = new Date(options.now())) {
      chain.faults.scan?.();
      const from = Math.max(0, (cursor?.height ?? -1) - 64);
      const found = txs.filter((tx) => tx.block.number >= from);
      const ours = await matchAddresses([...new Set(found.flatMap((tx) => tx.transfers.map((t) => t.address)))]);
      return {
        transfers: found.flatMap((tx) => tx.transfers.filter((t) => ours.has(t.address)).map((t) => view(tx, t))),
        cursor: { height: head().number, hash: head().hash },
        readFrom: from,
        // Blocks of a chain without block times, like MobileCoin, are final.
        finalizedHeight: options.hasBlockTimes ? chain.faults.finalizedHeight : head().number,
        caughtUp: true,
        scannedThrough: chain.faults.synced ? (options.hasBlockTimes ? head().time : startedAt) : null,
      };
    },
    async readRange({ from, to }, matchAddresses) {
      const through = Math.min(to, head().number, from + 9);
      const found = txs.filter((tx) => tx.block.number >= from && tx.block.number <= through);
      const ours = await matchAddresses([...new Set(found.flatMap((tx) => tx.transfers.map((t) => t.address)))]);
      return {
        transfers: found.flatMap((tx) => tx.transfers.filter((t) => ours.has(t.address)).map((t) => view(tx, t))),
        through,
      };
    },
    hashAddress: async () => null,
    findBlock: async () => null,
    async listOutgoing({ from }) {
      const isNew = ({ hash }: { hash: string }) => (landed.get(hash)?.number ?? -1) >= (from ?? Number.MAX_VALUE);
      return { payments: paid.filter(isNew), unrecorded: [], through: head().number, head: head().number };
    },
    findPending: async (addresses) => {
      if (chain.faults.pending === null) throw new Error("the node has no pending block");
      return new Set(addresses.filter((address) => chain.faults.pending?.has(address)));
    },
    async recheck(transfers) {
      return transfers.map(({ txHash, ordinal }) => {
        const tx = txs.find((t) => t.hash === txHash);
        const log = tx?.transfers.find((t) => t.ordinal === ordinal);
        return tx && log ? view(tx, log) : null;
      });
    },
    async preparePayment({ paymentId, to, amount, nonce }: PaymentRequest) {
      chain.faults.prepare?.();
      if (chain.faults.blocked.has(to)) throw new PaymentRefusedError("This address is blocked.");
      if (chain.faults.unpreparable.has(to)) throw new Error("estimation failed");
      const hash = toHash(`pay-${asset}-${paymentId}-${nonce ?? serial++}`);
      return {
        to,
        amount: amount.toString(),
        hash,
        nonce,
        raw: { paymentId, fee: 1 },
        networkFee: asset === "MOB" ? "400000000" : "0",
      };
    },
    getNextNonce: async () => (options.nonces ? nextNonce : null),
    getMinedNonce: async () => (options.nonces ? nextNonce : null),
    async broadcast(payment: PreparedPayment) {
      chain.broadcasts += 1;
      const { broadcast } = chain.faults;
      if (broadcast === "reject") throw new Error("the node does not respond");
      if (chain.faults.refused.has(payment.to)) throw new BroadcastRefusedError("payment", "transaction refused");
      if (chain.faults.unsendable.has(payment.to)) throw new Error("HTTP 403");
      if (getFee(payment) < chain.faults.minFee) throw new BroadcastRefusedError("fee", "transaction underpriced");
      if (broadcast === "drop" || landed.has(payment.hash)) return;
      const nonceKey = `${chain.signer}:${payment.nonce}`;
      // "Nonce too low" counts as sent.
      if (payment.nonce !== null && usedNonces.has(nonceKey)) return;
      const isAfterGap =
        payment.nonce !== null && payment.nonce > 0 && !usedNonces.has(`${chain.signer}:${payment.nonce - 1}`);
      if (chain.faults.refusesGaps && isAfterGap) throw new Error("nonce gap");
      usedNonces.set(nonceKey, payment.hash);
      landed.set(payment.hash, mineOne());
      if (payment.amount !== "0") paid.push({ to: payment.to, amount: BigInt(payment.amount), hash: payment.hash });
      if (payment.nonce !== null) nextNonce = Math.max(nextNonce, payment.nonce + 1);
      if (broadcast === "accept_then_reject") throw new Error("timeout");
    },
    async getPaymentState(payment): Promise<PaymentState> {
      const block = landed.get(payment.hash);
      if (block && chain.faults.state === "reverted") return { kind: "reverted" };
      if (block) {
        return {
          kind: "in_block",
          blockNumber: block.number,
          blockHash: block.hash,
          confirmations: confirmationsOf(block),
        };
      }
      const used =
        payment.nonce === null ? undefined : landed.get(usedNonces.get(`${chain.signer}:${payment.nonce}`) ?? "");
      const isSettled = used !== undefined && confirmationsOf(used) >= options.confirmations;
      return isSettled || chain.faults.state === "impossible" ? { kind: "impossible" } : { kind: "unknown" };
    },
    async prepareCancellation(payment) {
      if (!options.nonces) return null;
      const raw = { fee: getFee(payment) + 1 };
      return { ...payment, to: chain.signer, amount: "0", hash: `cancel-${payment.hash}`, raw };
    },
    async bumpPayment(payment, { refused = false } = {}) {
      if (!options.nonces || !refused) return null;
      const fee = getFee(payment) + 1;
      return { ...payment, hash: toHash(`${payment.hash}-${fee}`), raw: { ...(payment.raw as object), fee } };
    },
  };
  return chain;
}

function getFee({ raw }: PreparedPayment): number {
  return raw !== null && typeof raw === "object" && "fee" in raw && typeof raw.fee === "number" ? raw.fee : 1;
}

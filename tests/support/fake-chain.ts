import {
  type ChainGateway,
  type ChainTransfer,
  PaymentRefusedError,
  type PaymentRequest,
  type PaymentState,
  type PreparedPayment,
} from "../../app/exchange.server/chains/gateway";
import { type AssetSymbol, assets } from "../../app/lib/assets";

/**
 * A chain in memory, moved by the test: blocks, reorgs, failing nodes, payments that get
 * lost. It exists beside the real anvil and the full-service double because only here can
 * every order of events be forced, in milliseconds.
 */
export type FakeChain = ChainGateway & {
  /** Puts a transfer into the next block. Returns its key. */
  deposit(address: string, amount: bigint, options?: { at?: Date; txHash?: string; logIndex?: number }): string;
  /** Adds empty blocks. */
  mine(blocks?: number): void;
  /** Takes a transaction out of the chain again. */
  reorgAway(txHash: string): void;
  /** What was paid on this chain, in the order in which it landed. */
  readonly paid: { to: string; amount: bigint; hash: string }[];
  /** Set by tests to make the node misbehave. */
  faults: {
    prepare: (() => void) | null;
    broadcast: "ok" | "reject" | "accept_then_reject" | "drop";
    state: "ok" | "reverted" | "impossible";
    obstacle: string | null;
    /** Addresses that must not be paid to. */
    blocked: Set<string>;
    synced: boolean;
    spendable: bigint;
    scan: (() => void) | null;
  };
  broadcasts: number;
};

type Block = { number: number; hash: string; time: Date };
type Tx = { hash: string; block: Block; transfers: { logIndex: number; address: string; amount: bigint }[] };

export function createFakeChain(
  asset: AssetSymbol,
  options: { confirmations: number; now: () => number; nonces: boolean; tellsTime: boolean },
): FakeChain {
  const blocks: Block[] = [];
  let txs: Tx[] = [];
  const landed = new Map<string, Block>();
  const paid: FakeChain["paid"] = [];
  let nextNonce = 0;
  let serial = 0;

  const mineOne = (time = new Date(options.now())): Block => {
    const number = blocks.length;
    const block = { number, hash: `block-${asset}-${number}-${serial++}`, time };
    blocks.push(block);
    return block;
  };
  mineOne();
  const head = () => blocks[blocks.length - 1] as Block;
  const confirmationsOf = (block: Block) => head().number - block.number + 1;
  const view = (tx: Tx, log: Tx["transfers"][number]): ChainTransfer => ({
    txHash: tx.hash,
    logIndex: log.logIndex,
    address: log.address,
    amount: log.amount,
    blockHash: tx.block.hash,
    blockNumber: tx.block.number,
    blockTime: options.tellsTime ? tx.block.time : null,
    confirmations: confirmationsOf(tx.block),
    displayHash: tx.hash,
  });

  const chain: FakeChain = {
    network: assets[asset].network,
    asset,
    requiredConfirmations: options.confirmations,
    signer: `signer-${asset}`,
    paid,
    broadcasts: 0,
    faults: {
      prepare: null,
      broadcast: "ok",
      state: "ok",
      obstacle: null,
      blocked: new Set(),
      synced: true,
      spendable: 10n ** BigInt(assets[asset].decimals + 6),
      scan: null,
    },
    deposit(address, amount, at = {}) {
      const block = mineOne(at.at);
      const hash = at.txHash ?? `tx-${asset}-${serial++}`;
      const known = txs.find((tx) => tx.hash === hash);
      const transfer = { logIndex: at.logIndex ?? 0, address, amount };
      if (known) {
        known.transfers.push(transfer);
        known.block = block;
      } else txs.push({ hash, block, transfers: [transfer] });
      return hash;
    },
    mine(count = 1) {
      for (let i = 0; i < count; i += 1) mineOne();
    },
    reorgAway(txHash) {
      txs = txs.filter((tx) => tx.hash !== txHash);
      mineOne();
    },
    verify: async () => ({ chainId: asset === "USDT" ? 11155111 : "test" }),
    getSpendable: async () => chain.faults.spendable,
    getPaymentObstacle: async () => chain.faults.obstacle,
    getReceiverObstacle: async (to) => (chain.faults.blocked.has(to) ? "This address is blocked." : null),
    assignFundingAddress: async ({ index }) => ({ address: `${asset}-funding-${index}` }),
    toPaymentUri: (address, amount) => `${assets[asset].network}:${address}?amount=${amount}`,
    async scan(cursor, isOurs) {
      chain.faults.scan?.();
      const from = (cursor?.height ?? -1) - options.confirmations * 2;
      const found = txs.filter((tx) => tx.block.number >= from);
      const ours = await isOurs([...new Set(found.flatMap((tx) => tx.transfers.map((t) => t.address)))]);
      return {
        transfers: found.flatMap((tx) => tx.transfers.filter((t) => ours.has(t.address)).map((t) => view(tx, t))),
        cursor: { height: head().number, hash: head().hash },
        caughtUp: true,
        scannedThrough: chain.faults.synced ? (options.tellsTime ? head().time : new Date(options.now())) : null,
      };
    },
    async recheck({ txHash, logIndex }) {
      const tx = txs.find((t) => t.hash === txHash);
      const log = tx?.transfers.find((t) => t.logIndex === logIndex);
      return tx && log ? view(tx, log) : null;
    },
    async preparePayment({ paymentId, to, amount, nonce }: PaymentRequest) {
      chain.faults.prepare?.();
      if (chain.faults.blocked.has(to)) throw new PaymentRefusedError("This address is blocked.");
      const hash = `pay-${asset}-${paymentId}-${nonce ?? serial++}`;
      return {
        to,
        amount: amount.toString(),
        hash,
        nonce,
        raw: { paymentId },
        networkFee: asset === "MOB" ? "400000000" : "0",
      };
    },
    getNextNonce: async () => (options.nonces ? nextNonce : null),
    async broadcast(payment: PreparedPayment) {
      chain.broadcasts += 1;
      const { broadcast } = chain.faults;
      if (broadcast === "reject") throw new Error("the node does not answer");
      if (broadcast === "drop" || landed.has(payment.hash)) return;
      landed.set(payment.hash, mineOne());
      paid.push({ to: payment.to, amount: BigInt(payment.amount), hash: payment.hash });
      if (payment.nonce !== null) nextNonce = Math.max(nextNonce, payment.nonce + 1);
      if (broadcast === "accept_then_reject") throw new Error("timeout");
    },
    async getPaymentState(payment): Promise<PaymentState> {
      const block = landed.get(payment.hash);
      if (block && chain.faults.state === "reverted") return { state: "reverted" };
      if (block) {
        return {
          state: "in_block",
          blockNumber: block.number,
          blockHash: block.hash,
          confirmations: confirmationsOf(block),
        };
      }
      return chain.faults.state === "impossible" ? { state: "impossible" } : { state: "unknown" };
    },
    bumpPayment: async () => null,
  };
  return chain;
}

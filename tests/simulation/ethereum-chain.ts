import {
  decodeAbiParameters,
  getAddress,
  type Hex,
  keccak256,
  parseTransaction,
  toFunctionSelector,
  toHex,
} from "viem";
import { tokenAbi, transferTopic } from "~/exchange.server/chains/ethereum/token";

type Address = `0x${string}`;

/** The token's functions by their selectors. */
const functions = new Map<string, (typeof tokenAbi)[number]>(tokenAbi.map((item) => [toFunctionSelector(item), item]));

type Tx = {
  hash: Hex;
  from: Address;
  /** Null for a customer's transaction, whose nonces do not matter here. */
  nonce: number | null;
  transfers: { to: Address; value: bigint }[];
  maxFeePerGas: bigint;
  input: Hex;
};
type LogFilter = { fromBlock: Hex; toBlock: Hex; topics?: (Hex | Hex[] | null)[] };
type Mined = { tx: Tx; success: boolean; firstLogIndex: number };
type Block = { number: number; hash: Hex; parentHash: Hex; timeMs: number; mined: Mined[] };
export type Payment = { hash: Hex; from: Address; to: Address; value: bigint; block: number };

/** What one node does wrong; the other nodes of the network may still be honest. */
export type NodeFaults = {
  down: boolean;
  /** Each log comes this many times. */
  copies: number;
  /** Says that logs have other amounts and places in their block. */
  altersLogs: boolean;
  /** Returns no logs. */
  hidesLogs: boolean;
  /** Returns the logs of a block only after this many others. */
  lateBlocks: number;
  /** Says that our payments have no receipt. */
  deniesReceipts: boolean;
  /** Refuses every transaction that it is sent. */
  refusesTransactions: boolean;
  /** Refuses a transaction while an earlier nonce of its sender is free, as Nethermind does when its pool is full. */
  refusesGaps: boolean;
  /** Stays at the block that is the newest when it is next called, even if a reorg removes that block. */
  isStuck: boolean;
};

/** Responds to JSON-RPC requests, as a node does. */
export type SimulatedNode = {
  faults: NodeFaults;
  request(call: { method: string; params?: unknown }): Promise<unknown>;
};

/** An error with a JSON-RPC code, as viem expects one from a transport. */
class RpcFailure extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

/**
 * An Ethereum network in memory with one token: blocks, reorgs, a mempool and several nodes. Blocks
 * are made by the caller, never by a timer, so that a history replays exactly. A payment of the
 * exchange is decoded from its signed bytes, as a real node does.
 */
export function createEthereumChain(options: {
  chainId: number;
  token: Address;
  signer: Address;
  nodes: number;
  now: () => number;
}) {
  const { chainId, token, signer } = options;
  let serial = 0;
  let revision = 0;
  const blocks: Block[] = [];
  const mempool = new Map<Hex, Tx>();
  /** Our transactions that nodes or reorgs have lost. */
  const lostOfOurs = new Map<Hex, Tx>();
  const blacklist = new Set<Address>();
  const refused = new Set<Address>();
  let baseFee = 10n ** 9n;
  let isPaused = false;
  const opening = new Map<Address, bigint>();

  const append = (mined: Tx[]): Block => {
    revision += 1;
    const parent = blocks.at(-1);
    const number = blocks.length;
    const state = computeBalances(blocks, opening);
    let firstLogIndex = 0;
    const block: Block = {
      number,
      hash: keccak256(toHex(`block ${number} ${serial++}`)),
      parentHash: parent?.hash ?? `0x${"0".repeat(64)}`,
      timeMs: Math.max(options.now(), (parent?.timeMs ?? 0) + 1000),
      mined: [],
    };
    for (const tx of mined) {
      const total = tx.transfers.reduce((sum, { value }) => sum + value, 0n);
      const success = tx.transfers.length === 0 || (!isPaused && (state.get(tx.from) ?? 0n) >= total);
      if (success) applyTransfers(state, tx);
      block.mined.push({ tx, success, firstLogIndex });
      firstLogIndex += success ? tx.transfers.length : 0;
    }
    blocks.push(block);
    return block;
  };
  const nonceIn = (seen: readonly Block[], upTo = seen.length - 1) =>
    seen.slice(0, upTo + 1).reduce((sum, { mined }) => sum + mined.filter(({ tx }) => tx.from === signer).length, 0);

  /**
   * The mempool's transactions that can be mined now: ours in the order of their nonces, at a fee that is high enough.
   */
  const takeMinable = (): Tx[] => {
    const taken: Tx[] = [];
    let nonce = nonceIn(blocks);
    const ours = [...mempool.values()].filter(({ from }) => from === signer);
    for (;;) {
      const candidates = ours.filter((tx) => tx.nonce === nonce && tx.maxFeePerGas >= baseFee);
      const best = candidates.sort((a, b) => (a.maxFeePerGas < b.maxFeePerGas ? 1 : -1))[0];
      if (!best) break;
      taken.push(best);
      nonce += 1;
    }
    taken.push(...[...mempool.values()].filter(({ from }) => from !== signer));
    for (const tx of taken) mempool.delete(tx.hash);
    for (const tx of ours) if ((tx.nonce ?? 0) < nonce) mempool.delete(tx.hash);
    for (const tx of lostOfOurs.values()) if ((tx.nonce ?? 0) < nonce) lostOfOurs.delete(tx.hash);
    return taken;
  };

  const findIn = (seen: readonly Block[], hash: Hex): { block: Block; entry: Mined } | null => {
    for (let i = seen.length - 1; i >= 0; i -= 1) {
      const block = seen[i] as Block;
      const entry = block.mined.find(({ tx }) => tx.hash === hash);
      if (entry) return { block, entry };
    }
    return null;
  };

  append([]);

  const nodes = Array.from({ length: options.nodes }, () => createNode());

  function createNode(): SimulatedNode {
    const faults: NodeFaults = {
      down: false,
      copies: 1,
      altersLogs: false,
      hidesLogs: false,
      lateBlocks: 0,
      deniesReceipts: false,
      refusesTransactions: false,
      refusesGaps: false,
      isStuck: false,
    };
    /** The blocks of a node that is stuck. */
    let stuckAt: readonly Block[] | null = null;
    const getSeen = (): readonly Block[] => {
      stuckAt = faults.isStuck ? (stuckAt ?? [...blocks]) : null;
      return stuckAt ?? blocks;
    };
    const toLogs = ({ number, hash, mined }: Block) =>
      mined
        .filter(({ success }) => success)
        .flatMap(({ tx, firstLogIndex }) =>
          tx.transfers.map(({ to, value }, i) => ({
            address: token.toLowerCase(),
            topics: [transferTopic, toTopic(tx.from), toTopic(to)],
            data: toHex(faults.altersLogs ? value * 3n : value, { size: 32 }),
            transactionHash: tx.hash,
            blockHash: hash,
            blockNumber: toHex(number),
            logIndex: toHex(firstLogIndex + i + (faults.altersLogs ? 1 : 0)),
            transactionIndex: "0x0",
            removed: false,
          })),
        );
    const toRpcBlock = (block: Block, whole: boolean) => ({
      number: toHex(block.number),
      hash: block.hash,
      parentHash: block.parentHash,
      timestamp: toHex(Math.floor(block.timeMs / 1000)),
      baseFeePerGas: toHex(baseFee),
      gasLimit: "0x1c9c380",
      gasUsed: "0x0",
      transactions: block.mined.map(({ tx }) => (whole ? toRpcTransaction(tx, block) : tx.hash)),
    });
    const toRpcTransaction = (tx: Tx, block: Block) => ({
      hash: tx.hash,
      from: tx.from.toLowerCase(),
      to: token.toLowerCase(),
      nonce: toHex(tx.nonce ?? 0),
      input: tx.input,
      value: "0x0",
      gas: "0x186a0",
      type: "0x2",
      blockHash: block.hash,
      blockNumber: toHex(block.number),
      transactionIndex: "0x0",
      chainId: toHex(chainId),
    });
    const copy = <T>(logs: T[]) => logs.flatMap((log) => Array.from({ length: faults.copies }, () => log));
    /** Our next nonce after the transactions that are waiting for a block. */
    const countPending = (): number => {
      const waiting = new Set([...mempool.values()].filter(({ from }) => from === signer).map(({ nonce }) => nonce));
      let count = nonceIn(getSeen());
      while (waiting.has(count)) count += 1;
      return count;
    };
    const blockAt = (tag: unknown): Block | undefined => {
      const seen = getSeen();
      if (tag === "finalized" || tag === "safe") return seen[Math.max(0, seen.length - 65)];
      if (tag === "latest" || tag === "pending" || tag === undefined) return seen.at(-1);
      return seen[Number(tag)];
    };

    const methods: Record<string, (params: readonly unknown[]) => unknown> = {
      eth_chainId: () => toHex(chainId),
      eth_blockNumber: () => toHex(getSeen().length - 1),
      eth_getBlockByNumber: ([tag, whole]) => {
        const block = blockAt(tag);
        return block ? toRpcBlock(block, whole === true) : null;
      },
      eth_getLogs: ([filter]) => {
        const { fromBlock, toBlock, topics = [] } = filter as LogFilter;
        if (faults.hidesLogs) return [];
        const seen = getSeen();
        const end = Math.min(Number(toBlock) + 1, seen.length - faults.lateBlocks);
        return copy(
          seen
            .slice(Number(fromBlock), Math.max(Number(fromBlock), end))
            .flatMap(toLogs)
            .filter((log) => matches(log.topics, topics)),
        );
      },
      eth_getTransactionReceipt: ([hash]) => {
        const found = findIn(getSeen(), hash as Hex);
        if (!found || (faults.deniesReceipts && found.entry.tx.from === signer)) return null;
        const { block, entry } = found;
        return {
          transactionHash: hash,
          blockHash: block.hash,
          blockNumber: toHex(block.number),
          status: entry.success ? "0x1" : "0x0",
          from: entry.tx.from.toLowerCase(),
          to: token.toLowerCase(),
          logs: copy(toLogs(block).filter((log) => log.transactionHash === hash)),
          transactionIndex: "0x0",
          type: "0x2",
          gasUsed: "0xc350",
          cumulativeGasUsed: "0xc350",
          effectiveGasPrice: toHex(baseFee),
        };
      },
      eth_getTransactionCount: ([address, tag]) => {
        if (getAddress(address as string) !== signer) return "0x0";
        const block = blockAt(tag);
        if (!block) throw new RpcFailure(-32000, "header not found");
        return toHex(tag === "pending" ? countPending() : nonceIn(getSeen(), block.number));
      },
      eth_getBalance: () => toHex(10n ** 20n),
      eth_getCode: () => "0x60",
      eth_maxPriorityFeePerGas: () => toHex(10n ** 8n),
      eth_gasPrice: () => toHex(baseFee),
      eth_estimateGas: ([request]) => {
        const { data } = request as { data: Hex };
        const { args } = decodeCall(data);
        const [, value] = args as readonly [Address, bigint];
        const balance = computeBalances(getSeen(), opening).get(signer) ?? 0n;
        if (isPaused || balance < value) throw new RpcFailure(3, "execution reverted");
        return "0xc350";
      },
      eth_call: ([request]) => {
        const { data } = request as { data: Hex };
        const { functionName, args } = decodeCall(data);
        if (functionName === "decimals") return toHex(6, { size: 32 });
        if (functionName === "paused") return toHex(isPaused, { size: 32 });
        if (functionName === "balanceOf") {
          const balance = computeBalances(getSeen(), opening).get(getAddress((args as readonly [Address])[0])) ?? 0n;
          return toHex(balance, { size: 32 });
        }
        if (functionName === "isBlackListed") {
          return toHex(blacklist.has(getAddress((args as readonly [Address])[0])) ? 1 : 0, { size: 32 });
        }
        return toHex(0, { size: 32 });
      },
      eth_sendRawTransaction: ([raw]) => {
        if (faults.refusesTransactions) throw new RpcFailure(-32000, "transaction refused");
        const tx = decode(raw as Hex);
        if (tx.transfers.some(({ to }) => refused.has(to))) throw new RpcFailure(-32000, "transaction refused");
        if ((tx.nonce ?? 0) < nonceIn(getSeen())) throw new RpcFailure(-32000, "nonce too low");
        if (mempool.has(tx.hash)) throw new RpcFailure(-32000, "already known");
        if (faults.refusesGaps && (tx.nonce ?? 0) > countPending()) throw new RpcFailure(-32000, "NonceGap");
        // The other nodes drop what only a node that is stuck accepts.
        if ((tx.nonce ?? 0) >= nonceIn(blocks)) mempool.set(tx.hash, tx);
        return tx.hash;
      },
    };

    return {
      faults,
      async request({ method, params }) {
        if (faults.down) throw new RpcFailure(-32603, "the node is down");
        const handle = methods[method];
        if (!handle) throw new RpcFailure(-32601, `the simulated node does not know ${method}`);
        return handle((params ?? []) as readonly unknown[]);
      },
    };
  }

  function decode(raw: Hex): Tx {
    const { nonce, to, data, maxFeePerGas, chainId: signedFor } = parseTransaction(raw);
    if (signedFor !== chainId || !to) throw new RpcFailure(-32000, "unexpected transaction");
    const sent = { hash: keccak256(raw), from: signer, nonce: nonce ?? 0, maxFeePerGas: maxFeePerGas ?? 0n };
    // The cancellation of a payment: a transfer of nothing to the payout wallet itself.
    if (getAddress(to) === signer) return { ...sent, transfers: [], input: "0x" };
    if (getAddress(to) !== token || !data) throw new RpcFailure(-32000, "unexpected transaction");
    const { args } = decodeCall(data);
    const [receiver, value] = args as readonly [Address, bigint];
    return { ...sent, transfers: [{ to: getAddress(receiver), value }], input: data };
  }

  return {
    nodes,
    /** Adds tokens to an address's opening balance. */
    fund(address: Address, value: bigint) {
      opening.set(address, (opening.get(address) ?? 0n) + value);
    },
    /** A customer's transfers in one transaction; mined in the next block. Returns its hash. */
    transfer(from: Address, transfers: { to: Address; value: bigint }[]): Hex {
      const hash = keccak256(toHex(`transfer ${serial++}`));
      const tx: Tx = { hash, from, nonce: null, transfers, maxFeePerGas: 10n ** 12n, input: "0x" };
      opening.set(from, (opening.get(from) ?? 0n) + transfers.reduce((sum, { value }) => sum + value, 0n));
      mempool.set(hash, tx);
      return hash;
    },
    /** Changes with every block. */
    getRevision: () => revision,
    /** Transactions that wait for a block. */
    countWaiting: () => mempool.size,
    mine(count = 1) {
      for (let i = 0; i < count; i += 1) append(takeMinable());
    },
    /**
     * Replaces the last `depth` blocks with one more than that. Their transactions return to the mempool, except those
     * for which `lose` returns true, and our payments that had no effect: these could take effect after we have
     * replaced them, which only the number of confirmations can prevent. Returns the hashes of the lost transactions.
     */
    reorg(depth: number, lose: (tx: { hash: Hex; ours: boolean }) => boolean): Hex[] {
      const removed = blocks.splice(Math.max(1, blocks.length - depth));
      const lost: Hex[] = [];
      for (const { tx, success } of removed.flatMap(({ mined }) => mined)) {
        const ours = tx.from === signer;
        const hadNoEffect = ours && !success;
        if (!hadNoEffect && !lose({ hash: tx.hash, ours })) mempool.set(tx.hash, tx);
        else {
          lost.push(tx.hash);
          if (ours && !hadNoEffect) lostOfOurs.set(tx.hash, tx);
        }
      }
      for (let i = 0; i <= removed.length; i += 1) append(i === 0 ? [] : i === 1 ? takeMinable() : []);
      return lost;
    },
    /** Makes the nodes drop all of our transactions that are waiting for a block. */
    evict() {
      for (const [hash, tx] of mempool) {
        if (tx.from !== signer) continue;
        mempool.delete(hash);
        lostOfOurs.set(hash, tx);
      }
    },
    /** Makes the nodes offer again all of our transactions that they or reorgs have lost. */
    resurface() {
      for (const [hash, tx] of lostOfOurs) if (!findIn(blocks, hash)) mempool.set(hash, tx);
      lostOfOurs.clear();
    },
    setBaseFee(fee: bigint) {
      baseFee = fee;
    },
    /** While the token is paused, transfers are included without effect. */
    setPaused(paused: boolean) {
      isPaused = paused;
    },
    blacklist,
    /** Addresses to which every node refuses payments. */
    refused,
    /** Every successful transfer of the canonical chain. */
    listPayments(): Payment[] {
      return blocks.flatMap(({ number, mined }) =>
        mined
          .filter(({ success }) => success)
          .flatMap(({ tx }) =>
            tx.transfers.map(({ to, value }) => ({ hash: tx.hash, from: tx.from, to, value, block: number })),
          ),
      );
    },
  };
}

/** viem's own function hashes the name of every function of the token for each call. */
function decodeCall(data: Hex): { functionName: string | undefined; args: readonly unknown[] } {
  const item = functions.get(data.slice(0, 10));
  if (!item) throw new RpcFailure(3, "execution reverted");
  return { functionName: item.name, args: decodeAbiParameters(item.inputs, `0x${data.slice(10)}`) };
}

/** A topic of the filter is a value, a list of values, or null for any. */
function matches(topics: readonly string[], filter: LogFilter["topics"] = []): boolean {
  return filter.every((wanted, i) => {
    return wanted === null || [wanted].flat().some((topic) => topic.toLowerCase() === topics[i]?.toLowerCase());
  });
}

function applyTransfers(state: Map<Address, bigint>, { from, transfers }: Tx): void {
  for (const { to, value } of transfers) {
    state.set(from, (state.get(from) ?? 0n) - value);
    state.set(to, (state.get(to) ?? 0n) + value);
  }
}

function computeBalances(blocks: readonly Block[], opening: ReadonlyMap<Address, bigint>): Map<Address, bigint> {
  const state = new Map(opening);
  for (const { mined } of blocks) for (const { tx, success } of mined) if (success) applyTransfers(state, tx);
  return state;
}

function toTopic(address: Address): Hex {
  return `0x${address.slice(2).toLowerCase().padStart(64, "0")}`;
}

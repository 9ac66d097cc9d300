import type { Journal } from "./journal";
import type { Entry, Ledger, Tx, TxOut } from "./ledger";
import { apply, createLedger } from "./ledger";
import { RpcError, toNetworkError } from "./rpc-error";

export type Network = {
  ledger: Ledger;
  /** Runs changes one after another. Committed entries are on disk before they are visible. */
  change<T>(work: (commit: (entries: Entry[]) => Promise<void>) => Promise<T>): Promise<T>;
  /** Submits a transaction to the network, which adds it to a block after the block delay. */
  propose(tx: Tx, commit: (entries: Entry[]) => Promise<void>): Promise<void>;
  /** Makes a block now, with the pending transactions and newly minted outputs. */
  makeBlock(minted?: TxOut[]): Promise<void>;
  /** Stops making blocks automatically, or starts again. */
  hold(held: boolean): void;
  /** Resolves after the next block. Rejects if the network is stopped. */
  nextBlock(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * The sandbox's consensus network. Like MobileCoin, it does not make empty blocks: a block follows
 * `blockDelayMs` after a transaction and contains all pending ones.
 */
export function createNetwork(
  journal: Journal<Entry>,
  blockDelayMs: number,
  onError: (error: unknown) => void,
): Network {
  const ledger = createLedger();
  for (const entry of journal.entries.splice(0)) apply(ledger, entry);
  let queue: Promise<unknown> = Promise.resolve();
  let timer: NodeJS.Timeout | null = null;
  let held = false;
  let stopped = false;
  let waiting: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const stoppedError = () => new Error("the sandbox's MobileCoin was stopped");

  const commit = async (entries: Entry[]) => {
    await journal.append(entries);
    for (const entry of entries) apply(ledger, entry);
  };
  const change: Network["change"] = (work) => {
    const result = queue.then(() => work(commit));
    queue = result.catch(() => undefined);
    return result;
  };
  const schedule = () => {
    if (timer || held || stopped || ledger.mempool.size === 0) return;
    timer = setTimeout(() => {
      timer = null;
      makeBlock().catch(onError);
    }, blockDelayMs);
  };
  const makeBlock = async (minted: TxOut[] = []) => {
    try {
      await change(async (commit) => {
        const txs = [...ledger.mempool.values()].filter((tx) => tx.tombstone > ledger.height);
        if (txs.length + minted.length === 0) return;
        await commit([{ kind: "block", at: new Date().toISOString(), txs, minted }]);
      });
      const resolved = waiting;
      waiting = [];
      for (const { resolve } of resolved) resolve();
    } finally {
      // Also after a block could not be stored: the disk may have room again.
      schedule();
    }
  };
  // Transactions accepted before a restart still get into a block.
  schedule();

  return {
    ledger,
    change,
    makeBlock,
    async propose(tx, commit) {
      requireValid(ledger, tx);
      if (!ledger.mempool.has(tx.id)) await commit([{ kind: "proposed", tx }]);
      schedule();
    },
    hold(value) {
      held = value;
      if (held && timer) {
        clearTimeout(timer);
        timer = null;
      }
      schedule();
    },
    nextBlock: () =>
      new Promise((resolve, reject) => {
        if (stopped) reject(stoppedError());
        else waiting.push({ resolve, reject });
      }),
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      for (const { reject } of waiting) reject(stoppedError());
      await queue;
      await journal.close();
    },
  };
}

/** The consensus checks that matter here (mobilecoin, transaction/core/src/validation). */
function requireValid(ledger: Ledger, tx: Tx): void {
  const invalid = (reason: string) =>
    new RpcError(toNetworkError(`TransactionValidation(${reason})`), `Error with the consensus network: ${reason}`);
  if (ledger.height >= tx.tombstone) throw invalid("TombstoneBlockExceeded");
  if (ledger.mempool.has(tx.id)) return;
  if (tx.inputs.some((id) => ledger.txos.get(id)?.spentBlockIndex !== null)) throw invalid("ContainsSpentKeyImage");
  const pendingInputs = new Set([...ledger.mempool.values()].flatMap((other) => other.inputs));
  if (tx.inputs.some((id) => pendingInputs.has(id))) throw invalid("ContainsSpentKeyImage");
}

import type { Journal } from "./journal";
import type { Entry, Ledger, Tx, TxOut } from "./ledger";
import { apply, createLedger } from "./ledger";
import { RpcError } from "./rpc-error";

export type Network = {
  ledger: Ledger;
  /** Runs one change after the other. What it commits is on the disk before it is seen. */
  change<T>(work: (commit: (entries: Entry[]) => Promise<void>) => Promise<T>): Promise<T>;
  /** Hands a transaction to the network, which puts it into a block after the block delay. */
  propose(tx: Tx, commit: (entries: Entry[]) => Promise<void>): Promise<void>;
  /** A block at once: what waits, and outputs out of nowhere. */
  makeBlock(minted?: TxOut[]): Promise<void>;
  /** While held no block comes by itself. */
  hold(held: boolean): void;
  /** Resolves after the next block; rejects when the network is stopped. */
  nextBlock(): Promise<void>;
  stop(): Promise<void>;
};

/**
 * The consensus network of the sandbox. No empty blocks, as on MobileCoin (fact 18): a
 * block comes `blockDelayMs` after a transaction did and takes all that wait.
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
  let waiting: { wake: () => void; end: (error: Error) => void }[] = [];
  const ended = () => new Error("the sandbox's MobileCoin was stopped");

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
    await change(async (commit) => {
      const txs = [...ledger.mempool.values()].filter((tx) => tx.tombstone > ledger.height);
      if (txs.length + minted.length === 0) return;
      await commit([{ kind: "block", at: new Date().toISOString(), txs, minted }]);
    });
    const woken = waiting;
    waiting = [];
    for (const { wake } of woken) wake();
    schedule();
  };
  // What the network had taken before a restart still lands.
  schedule();

  return {
    ledger,
    change,
    makeBlock,
    async propose(tx, commit) {
      refuseInvalid(ledger, tx);
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
      new Promise((wake, end) => {
        if (stopped) end(ended());
        else waiting.push({ wake, end });
      }),
    async stop() {
      stopped = true;
      if (timer) clearTimeout(timer);
      for (const { end } of waiting) end(ended());
      await queue;
      await journal.close();
    },
  };
}

/** The checks of consensus that matter here (mobilecoin, transaction/core/src/validation). */
function refuseInvalid(ledger: Ledger, tx: Tx): void {
  const invalid = (why: string) =>
    new RpcError(`NodeConnection(TransactionValidation(${why}))`, `Error with the consensus network: ${why}`);
  if (ledger.height >= tx.tombstone) throw invalid("TombstoneBlockExceeded");
  if (ledger.mempool.has(tx.id)) return;
  if (tx.inputs.some((id) => ledger.txos.get(id)?.spentBlockIndex !== null)) throw invalid("ContainsSpentKeyImage");
  const taken = new Set([...ledger.mempool.values()].flatMap((other) => other.inputs));
  if (tx.inputs.some((id) => taken.has(id))) throw invalid("ContainsSpentKeyImage");
}

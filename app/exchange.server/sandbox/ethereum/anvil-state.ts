/**
 * anvil's state file (`--state`): JSON with every block and transaction since genesis. Left
 * alone it grows by 1.5 kB a block, and so does anvil's memory; so it is shortened whenever
 * anvil is not running. Accounts and storage, which are what counts, are kept whole.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

type AnvilState = {
  best_block_number: number | string;
  blocks: { header: { number: string } }[];
  transactions: { block_number?: number | string; info?: unknown; block_hash?: string }[];
};

/** Blocks that stay readable over a restart: logs and receipts of some minutes. */
export const keptBlocks = 300;

/**
 * Shortens the state to the newest blocks before anvil reads it. A file that was cut off in
 * the middle of a write (anvil killed by -9) is replaced by the last good one; where there
 * is none it is put aside, and the chain begins anew. Answers what was found.
 */
export function prepareState(file: string): "new" | "kept" | "restored" | "lost" {
  if (!existsSync(file)) return "new";
  const backup = `${file}.good`;
  const state = readState(file);
  if (state) {
    writeState(file, shorten(state));
    copyFileSync(file, backup);
    return "kept";
  }
  renameSync(file, `${file}.broken`);
  if (!existsSync(backup)) return "lost";
  copyFileSync(backup, file);
  return "restored";
}

function readState(file: string): AnvilState | null {
  try {
    const state = JSON.parse(readFileSync(file, "utf8")) as AnvilState;
    return Array.isArray(state.blocks) && Array.isArray(state.transactions) ? state : null;
  } catch {
    return null;
  }
}

function shorten(state: AnvilState): AnvilState {
  const oldest = Number(state.best_block_number) - keptBlocks;
  return {
    ...state,
    blocks: state.blocks.filter((block) => Number(block.header.number) > oldest),
    transactions: state.transactions.filter((transaction) => Number(transaction.block_number) > oldest),
  };
}

/** Written beside and renamed, so that no crash leaves half a file. */
function writeState(file: string, state: AnvilState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

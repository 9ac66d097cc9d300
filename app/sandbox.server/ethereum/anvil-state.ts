/**
 * anvil's state file (`--state`): JSON with every block and transaction since genesis. It grows by
 * 1.5 kB per block, and anvil's memory with it, so it is shortened whenever anvil is not running.
 * Accounts and storage are left unchanged.
 */
import { copyFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";

type AnvilState = {
  best_block_number: number | string;
  blocks: { header: { number: string } }[];
  transactions: { block_number?: number | string; info?: unknown; block_hash?: string }[];
};

/** The blocks that stay readable after a restart: a few minutes of logs and receipts. */
const retainedBlocks = 300;

/**
 * Shortens the state to the newest blocks before anvil reads it. A truncated file (anvil was killed
 * by -9 while writing) is replaced by the last good copy. Without a copy it is renamed, and anvil
 * starts a new chain. Returns what was found.
 */
export function prepareState(file: string): "new" | "valid" | "restored" | "lost" {
  if (!existsSync(file)) return "new";
  const backup = `${file}.good`;
  const state = readState(file);
  if (state) {
    writeState(file, shorten(state));
    copyFileSync(file, backup);
    return "valid";
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
  const oldest = Number(state.best_block_number) - retainedBlocks;
  return {
    ...state,
    blocks: state.blocks.filter((block) => Number(block.header.number) > oldest),
    transactions: state.transactions.filter((transaction) => Number(transaction.block_number) > oldest),
  };
}

/** Writes a new file and renames it, so that a crash cannot leave a truncated one. */
function writeState(file: string, state: AnvilState): void {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

import type { Logger } from "pino";
import type { EthereumNodes } from "./nodes";

/** What decides whether a transfer of the token, in or out, is deep enough in the chain. */
export type LookupOptions = {
  nodes: EthereumNodes;
  token: `0x${string}`;
  requiredConfirmations: number;
  /** micro-USDT. A larger transfer counts only once its block is finalized; null: no such limit. */
  finalizedAbove: bigint | null;
  log: Logger;
};

import type { Logger } from "pino";
import { callRpc } from "./rpc";

type Options = {
  rpcUrl: string;
  blockTimeMs: number;
  log: Logger;
  /**
   * Called after every block with the number of blocks since it last returned true, and awaited before the next block.
   */
  onBlock(count: number): Promise<boolean>;
  /** Called when anvil does not respond. */
  onFailure(): Promise<void>;
};

export type Miner = { stop(): Promise<void> };

/** Mines a block every `blockTimeMs`, even without transactions, because deadlines are compared with block times. */
export function startMiner({ rpcUrl, blockTimeMs, log, onBlock, onFailure }: Options): Miner {
  let count = 0;
  let stopped = false;
  let timer: NodeJS.Timeout;
  let running: Promise<void> = Promise.resolve();

  async function tick(): Promise<void> {
    await callRpc(rpcUrl, "evm_mine", []);
    count += 1;
    if (await onBlock(count)) count = 0;
  }

  function schedule(waitMs: number): void {
    timer = setTimeout(() => {
      const startedMs = Date.now();
      running = tick()
        .catch(async (error: unknown) => {
          if (stopped) return;
          log.warn({ err: error }, "could not mine a block of the sandbox's Ethereum");
          await onFailure();
        })
        .catch((error: unknown) => log.error({ err: error }, "could not restart the sandbox's Ethereum"))
        .then(() => {
          if (!stopped) schedule(Math.max(0, blockTimeMs - (Date.now() - startedMs)));
        });
    }, waitMs);
  }

  schedule(blockTimeMs);
  return {
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}

/** Whether transactions are waiting for a block (anvil's txpool_status). */
export async function hasPending(rpcUrl: string): Promise<boolean> {
  const status = (await callRpc(rpcUrl, "txpool_status", [])) as { pending: string; queued: string };
  return Number(status.pending) > 0;
}

import type { Logger } from "pino";
import { callRpc } from "./rpc";

type Options = {
  rpcUrl: string;
  blockTimeMs: number;
  log: Logger;
  /** After every block, with the number mined since the last call that answered true. Awaited before the next one. */
  onBlock(count: number): Promise<boolean>;
  /** anvil did not answer. */
  onFailure(): Promise<void>;
};

export type Miner = { stop(): Promise<void> };

/** Mines the sandbox's blocks, one every `blockTimeMs`: deadlines are read from them. */
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
          log.warn({ err: error }, "the sandbox's chain made no block");
          await onFailure();
        })
        .catch((error: unknown) => log.error({ err: error }, "the sandbox's chain could not be started again"))
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

/** Whether transactions wait for a block (anvil's txpool_status). */
export async function hasPending(rpcUrl: string): Promise<boolean> {
  const status = (await callRpc(rpcUrl, "txpool_status", [])) as { pending: string; queued: string };
  return Number(status.pending) > 0;
}

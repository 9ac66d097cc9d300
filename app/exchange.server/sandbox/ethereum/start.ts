import { resolve } from "node:path";
import type { Logger } from "pino";
import { encodeFunctionData, getAddress, isAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { findAnvil } from "./anvil-binary";
import { openAnvil, sandboxChainId } from "./anvil-process";
import { hasPending, type Miner, startMiner } from "./miner";
import { callRpc, postRpc } from "./rpc";
import { makeSandboxXpub, payoutPrivateKey } from "./sandbox-keys";
import { openTreasury, tetherLikeAbi, tetherLikeAddress } from "./treasury";

/** anvil is started afresh after so many blocks, on a shortened state: memory and file stay small for days. */
const blocksPerRun = 1_000;

export type SandboxEthereumOptions = {
  /** anvil's state, log and pid are kept here. One site a directory. */
  dataDir: string;
  log: Logger;
  /** Milliseconds from block to block while the chain is in use. */
  blockTimeMs?: number;
  /** micro-USDT in the payout wallet at the very first start. */
  reserveUsdt?: bigint;
  /** ANVIL_PATH; null for the binary that npm brought. */
  anvilPath?: string | null;
  /** Stops it, as `stop()` does. */
  signal?: AbortSignal;
};

export type SandboxEthereum = Awaited<ReturnType<typeof startSandboxEthereum>>;

/**
 * The sandbox's Ethereum: anvil as a child process with a token that behaves like Tether's.
 * Everything survives a restart, and kill -9. Rejects with one sentence where anvil cannot
 * run here.
 */
export async function startSandboxEthereum(options: SandboxEthereumOptions) {
  const { log, blockTimeMs = 1_000, reserveUsdt = 1_000_000_000_000n, anvilPath = null, signal } = options;
  const dataDir = resolve(options.dataDir);
  signal?.throwIfAborted();
  const anvil = await openAnvil({ dataDir, binary: findAnvil(anvilPath), log });
  const { rpcUrl } = anvil;

  let miner: Miner | null = null;
  let ready: Promise<void> = Promise.resolve();
  // While the world is furnished the miner does not run: every transaction gets its block at once.
  let furnishing = true;
  const nudge = () => {
    if (furnishing)
      callRpc(rpcUrl, "evm_mine", []).catch((error: unknown) => log.warn({ err: error }, "no block was made"));
  };
  const treasury = openTreasury(rpcUrl, nudge);
  const furnish = async (): Promise<void> => {
    furnishing = true;
    try {
      await treasury.furnish(privateKeyToAddress(payoutPrivateKey), reserveUsdt);
      // The chain stood still while nobody ran it: a fresh head, or readers would take it for one out of step.
      await callRpc(rpcUrl, "evm_mine", []);
    } finally {
      furnishing = false;
    }
  };
  /** One at a time, whoever asks. Furnished again: anvil may have died before it ever wrote its state. */
  let restarting: Promise<void> | null = null;
  const restart = (): Promise<void> => {
    restarting ??= anvil
      .restart()
      .then(furnish)
      .finally(() => {
        restarting = null;
      });
    ready = restarting;
    return restarting;
  };

  try {
    await furnish();
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  miner = startMiner({
    rpcUrl,
    blockTimeMs,
    log,
    async onBlock(count) {
      // A restart would lose what waits in the pool.
      if (count < blocksPerRun || (await hasPending(rpcUrl))) return false;
      await restart();
      return true;
    },
    async onFailure() {
      if (!anvil.isAlive()) await restart();
    },
  });

  let stopping: Promise<void> | null = null;
  const stop = (): Promise<void> => {
    stopping ??= (async () => {
      await miner.stop();
      await restarting?.catch(() => undefined);
      await anvil.stop();
    })();
    return stopping;
  };
  signal?.addEventListener("abort", () => {
    stop().catch((error: unknown) => log.error({ err: error }, "the sandbox's chain did not stop"));
  });

  const encode = (functionName: "addBlackList" | "removeBlackList" | "destroyBlackFunds", address: string) =>
    encodeFunctionData({ abi: tetherLikeAbi, functionName, args: [getAddress(address)] });

  return {
    rpcUrl,
    chainId: sandboxChainId,
    usdtAddress: tetherLikeAddress,
    xpub: makeSandboxXpub(),
    payoutPrivateKey,
    stop,

    /** Sends wei or micro-USDT from the faucet. Resolves when mined. */
    async faucet({ address, asset, amount }: { address: string; asset: "ETH" | "USDT"; amount: bigint }) {
      if (!isAddress(address)) throw new Error("The faucet needs an Ethereum address.");
      if (amount <= 0n) throw new Error("The faucet gives more than nothing.");
      await ready;
      return asset === "ETH" ? treasury.send({ to: address, value: amount }) : treasury.sendToken(address, amount);
    },

    /** Passes a JSON-RPC body, one call or a batch, through to anvil and answers what it answers. */
    async request(body: unknown): Promise<unknown> {
      await ready;
      return postRpc(rpcUrl, body, 30_000);
    },

    /** What Tether's owner can do, for tests of what follows. Each resolves when mined. */
    async setPaused(paused: boolean): Promise<void> {
      if ((await treasury.isPaused()) === paused) return;
      const functionName = paused ? "pause" : "unpause";
      await treasury.callToken(encodeFunctionData({ abi: tetherLikeAbi, functionName }));
    },
    async setBlacklisted(address: string, blacklisted: boolean): Promise<void> {
      await treasury.callToken(encode(blacklisted ? "addBlackList" : "removeBlackList", address));
    },
    async destroyBlackFunds(address: string): Promise<void> {
      await treasury.callToken(encode("destroyBlackFunds", address));
    },
    /** `basisPoints` below 20, `maxFee` in whole USDT below 50, as Tether's contract demands. */
    async setFee(basisPoints: number, maxFee: number): Promise<void> {
      const args = [BigInt(basisPoints), BigInt(maxFee)] as const;
      await treasury.callToken(encodeFunctionData({ abi: tetherLikeAbi, functionName: "setParams", args }));
    },
    /** Starts anvil afresh as happens by itself now and then. */
    restartChain: restart,
  };
}

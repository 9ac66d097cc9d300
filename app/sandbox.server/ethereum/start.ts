import { resolve } from "node:path";
import type { Logger } from "pino";
import { encodeFunctionData, getAddress, isAddress } from "viem";
import { privateKeyToAddress } from "viem/accounts";
import { findAnvil } from "./anvil-binary";
import { openAnvil, sandboxChainId } from "./anvil-process";
import { hasPending, type Miner, startMiner } from "./miner";
import { callRpc, postRpc } from "./rpc";
import { makeSandboxXpub, payoutPrivateKey } from "./sandbox-keys";
import { openTokenOwner, tetherLikeAbi, tetherLikeAddress } from "./token-owner";

/** anvil is restarted after this many blocks with a shortened state, so that its memory and file stay small. */
const blocksPerRun = 1_000;
/**
 * A response for a wallet is read into the site's memory, and the response to a batch could have hundreds of megabytes.
 */
const maxResponseBytes = 256 * 1024;

export type SandboxEthereumOptions = {
  /** Holds anvil's state, log and pid. Only one site may use a directory. */
  dataDir: string;
  log: Logger;
  /** Milliseconds between blocks. */
  blockTimeMs: number;
  /** micro-USDT that the payout wallet has at the first start. */
  reserveUsdt?: bigint;
  /** ANVIL_PATH, or null for the binary that npm installed. */
  anvilPath?: string | null;
};

type Gift = { address: string; asset: "ETH" | "USDT"; amount: bigint };

export type SandboxEthereum = Awaited<ReturnType<typeof startSandboxEthereum>>;

/**
 * Starts the sandbox's Ethereum: anvil as a child process, with a token that behaves like Tether's.
 * The chain survives a restart and kill -9, except for transactions that are not in a block yet.
 * @throws StartupError if anvil cannot run here.
 */
export async function startSandboxEthereum(options: SandboxEthereumOptions) {
  const { log, blockTimeMs, reserveUsdt = 1_000_000_000_000n, anvilPath = null } = options;
  const dataDir = resolve(options.dataDir);
  const anvil = await openAnvil({ dataDir, binary: findAnvil(anvilPath), log });
  const { rpcUrl } = anvil;

  let miner: Miner | null = null;
  let ready: Promise<void> = Promise.resolve();
  // The miner does not run during the setup, so every transaction gets its block immediately.
  let isSettingUp = true;
  const mineDuringSetup = () => {
    if (isSettingUp)
      callRpc(rpcUrl, "evm_mine", []).catch((error: unknown) => log.warn({ err: error }, "could not mine a block"));
  };
  const tokenOwner = openTokenOwner(rpcUrl, mineDuringSetup);
  const setUp = async (): Promise<void> => {
    isSettingUp = true;
    try {
      await tokenOwner.setUp(privateKeyToAddress(payoutPrivateKey), reserveUsdt);
      // The newest block is as old as the last stop. Without a new one, readers would consider the node out of date.
      await callRpc(rpcUrl, "evm_mine", []);
    } finally {
      isSettingUp = false;
    }
  };
  /** Parallel calls share one restart. It repeats the setup, because anvil may have died before it wrote any state. */
  let restarting: Promise<void> | null = null;
  const restart = (): Promise<void> => {
    restarting ??= anvil
      .restart()
      .then(setUp)
      .finally(() => {
        restarting = null;
      });
    ready = restarting;
    return restarting;
  };

  try {
    await setUp();
  } catch (error) {
    await anvil.stop();
    throw error;
  }
  miner = startMiner({
    rpcUrl,
    blockTimeMs,
    log,
    async onBlock(count) {
      // A restart would lose pending transactions.
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

  const encode = (functionName: "addBlackList" | "removeBlackList" | "destroyBlackFunds", address: string) =>
    encodeFunctionData({ abi: tetherLikeAbi, functionName, args: [getAddress(address)] });

  return {
    rpcUrl,
    chainId: sandboxChainId,
    usdtAddress: tetherLikeAddress,
    xpub: makeSandboxXpub(),
    payoutPrivateKey,
    stop,

    /**
     * Sends wei or micro-USDT from the faucet. Resolves when the transaction is mined. Networks of visitors take turns.
     * @throws address_invalid if a contract refuses it, rate_limited
     */
    async faucet({ address, asset, amount }: Gift, network = "") {
      if (!isAddress(address)) throw new Error("The faucet needs an Ethereum address.");
      if (amount <= 0n) throw new Error("The faucet needs an amount above zero.");
      await ready;
      return asset === "ETH"
        ? tokenOwner.sendEther(address, amount, network)
        : tokenOwner.sendToken(address, amount, network);
    },

    /**
     * Passes a JSON-RPC body, one call or a batch, through to anvil and returns the text of its response, which is
     * empty if there is none.
     */
    async request(body: unknown): Promise<string> {
      await ready;
      return postRpc(rpcUrl, body, 30_000, maxResponseBytes);
    },

    /** The powers of Tether's owner, for tests. Each resolves when its transaction is mined. */
    async setPaused(paused: boolean): Promise<void> {
      if ((await tokenOwner.isPaused()) === paused) return;
      const functionName = paused ? "pause" : "unpause";
      await tokenOwner.callToken(encodeFunctionData({ abi: tetherLikeAbi, functionName }));
    },
    async setBlacklisted(address: string, blacklisted: boolean): Promise<void> {
      await tokenOwner.callToken(encode(blacklisted ? "addBlackList" : "removeBlackList", address));
    },
    async destroyBlackFunds(address: string): Promise<void> {
      await tokenOwner.callToken(encode("destroyBlackFunds", address));
    },
    /** `basisPoints` is below 20 and `maxFee` (whole USDT) below 50, as Tether's contract requires. */
    async setFee(basisPoints: number, maxFee: number): Promise<void> {
      const args = [BigInt(basisPoints), BigInt(maxFee)] as const;
      await tokenOwner.callToken(encodeFunctionData({ abi: tetherLikeAbi, functionName: "setParams", args }));
    },
    /** Restarts anvil, as happens automatically every `blocksPerRun` blocks. */
    restartChain: restart,
  };
}

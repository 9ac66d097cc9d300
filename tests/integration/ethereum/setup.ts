import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { createWalletClient, encodeFunctionData, http, publicActions } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { createEthereumGateway, type EthereumGatewayOptions } from "~/exchange.server/chains/ethereum/gateway";
import type { ChainGateway, ChainTransfer, ScanCursor } from "~/exchange.server/chains/gateway";
import { callRpc } from "~/sandbox.server/ethereum/rpc";
import { type SandboxEthereum, startSandboxEthereum } from "~/sandbox.server/ethereum/start";
import { tetherLikeAbi } from "~/sandbox.server/ethereum/token-owner";

export const silent = pino({ level: "silent" });
export const usdt = (amount: number) => BigInt(Math.round(amount * 1e6));

/** A private chain that only mines when a test says so; its own block time is one hour. */
export async function startTestnet() {
  const dataDir = mkdtempSync(join(tmpdir(), "antelope-eth-"));
  const chain = await startSandboxEthereum({ dataDir, log: silent, blockTimeMs: 3_600_000 });
  const rpc = (method: string, ...params: unknown[]) => callRpc(chain.rpcUrl, method, params);
  const customer = createWalletClient({
    account: privateKeyToAccount(generatePrivateKey()),
    chain: sepolia,
    transport: http(chain.rpcUrl),
    cacheTime: 0,
  }).extend(publicActions);

  const testnet = {
    chain,
    rpc,
    customer,
    height: async () => Number(await customer.getBlockNumber()),
    mine: (blocks = 1) => rpc("anvil_mine", `0x${blocks.toString(16)}`),
    /** Mines the blocks that `work` waits for, until it settles. */
    async mineUntilDone<T>(work: Promise<T>): Promise<T> {
      let done = false;
      const settled = work.finally(() => {
        done = true;
      });
      settled.catch(() => undefined);
      for (let round = 0; !done && round < 1_200; round += 1) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        const pool = (await rpc("txpool_status")) as { pending: string };
        if (Number(pool.pending) > 0) await rpc("evm_mine");
      }
      return settled;
    },
    /** Mines a block and returns the receipt of a pending transaction. */
    async receiptOf(hash: `0x${string}`) {
      await testnet.mine();
      return customer.getTransactionReceipt({ hash });
    },
    gateway: (options: Partial<EthereumGatewayOptions> = {}) => openGateway(chain, options),
    /** Sends tokens from the customer; pending until a block is mined. */
    send: (to: string, amount: bigint, token: string = chain.usdtAddress) =>
      customer.sendTransaction({
        to: token as `0x${string}`,
        data: encodeFunctionData({
          abi: tetherLikeAbi,
          functionName: "transfer",
          args: [to as `0x${string}`, amount],
        }),
        gas: 200_000n,
      }),
    balanceOf: (address: string) =>
      customer.readContract({
        address: chain.usdtAddress,
        abi: tetherLikeAbi,
        functionName: "balanceOf",
        args: [address as `0x${string}`],
      }),
    async close() {
      await chain.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
  await rpc("anvil_setBalance", customer.account.address, "0x56bc75e2d63100000");
  await testnet.mineUntilDone(chain.faucet({ address: customer.account.address, asset: "USDT", amount: usdt(5_000) }));
  return testnet;
}

export type Testnet = Awaited<ReturnType<typeof startTestnet>>;

export function openGateway(chain: SandboxEthereum, options: Partial<EthereumGatewayOptions> = {}): ChainGateway {
  return createEthereumGateway({
    rpcUrls: [chain.rpcUrl],
    chainId: chain.chainId,
    usdtAddress: chain.usdtAddress,
    xpub: chain.xpub,
    payoutPrivateKey: chain.payoutPrivateKey,
    requiredConfirmations: 3,
    startBlock: 0,
    log: silent,
    ...options,
  });
}

/** Tracks a cursor and credits like the exchange: each transfer once, when it has enough confirmations. */
export function trackDeposits(gateway: ChainGateway, watched: string[]) {
  let cursor: ScanCursor | null = null;
  const seen = new Map<string, ChainTransfer>();
  const credits: ChainTransfer[] = [];
  return {
    seen,
    credits,
    get cursor() {
      return cursor;
    },
    async scan(): Promise<ChainTransfer[]> {
      for (let step = 0; step < 100; step += 1) {
        const result = await gateway.scan(
          cursor,
          async (addresses) => new Set(addresses.filter((a) => watched.includes(a))),
        );
        for (const transfer of result.transfers) {
          const key = `${transfer.txHash}:${transfer.ordinal}`;
          seen.set(key, transfer);
          const isCredited = credits.some((credit) => `${credit.txHash}:${credit.ordinal}` === key);
          if (transfer.confirmations >= gateway.requiredConfirmations && !isCredited) credits.push(transfer);
        }
        cursor = result.cursor;
        if (result.caughtUp) return result.transfers;
      }
      throw new Error("the scan never reached the head");
    },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import {
  type Abi,
  createWalletClient,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  http,
  parseAbi,
  publicActions,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { sepolia } from "viem/chains";
import { callRpc } from "./rpc";
import { ownerPrivateKey } from "./sandbox-keys";
import artifact from "./tether-like.artifact.json";

const owner = privateKeyToAccount(ownerPrivateKey);
const minedPatienceMs = 30_000;
const ownerWei = 10n ** 27n;
const issueAtOnce = 1_000_000_000_000n;

/** What the sandbox asks of its token; Tether's transfer returns nothing. */
export const tetherLikeAbi = parseAbi([
  "function transfer(address to, uint256 value)",
  "function approve(address spender, uint256 value)",
  "function balanceOf(address) view returns (uint256)",
  "function paused() view returns (bool)",
  "function issue(uint256 amount)",
  "function setParams(uint256 newBasisPoints, uint256 newMaxFee)",
  "function pause()",
  "function unpause()",
  "function addBlackList(address user)",
  "function removeBlackList(address user)",
  "function destroyBlackFunds(address user)",
  "function deprecate(address newAddress)",
]);

/** Where the token stands: its owner's first transaction makes it, so the address is the same in every sandbox. */
export const tetherLikeAddress = getContractAddress({ from: owner.address, nonce: 0n });

type Receipt = { status: "0x0" | "0x1" };
type Call = { to?: `0x${string}`; data?: `0x${string}`; value?: bigint };

/**
 * The token's owner and the faucet, one account. Transactions leave one after another,
 * because each needs the next nonce; waiting for the block holds nobody up.
 * `nudge` is called after every send.
 */
export function openTreasury(rpcUrl: string, nudge: () => void) {
  const client = createWalletClient({
    account: owner,
    chain: sepolia,
    transport: http(rpcUrl, { retryCount: 5, retryDelay: 100 }),
    cacheTime: 0,
  }).extend(publicActions);
  let turn: Promise<unknown> = Promise.resolve();

  /** Resolves when mined; rejects where the chain would refuse it (the gas estimate says so) or did. */
  async function send(call: Call): Promise<{ hash: string }> {
    const sent = turn.then(() => client.sendTransaction(call));
    turn = sent.catch(() => undefined);
    const hash = await sent;
    nudge();
    await waitUntilMined(rpcUrl, hash);
    return { hash };
  }

  const balanceOf = (address: `0x${string}`) =>
    client.readContract({ address: tetherLikeAddress, abi: tetherLikeAbi, functionName: "balanceOf", args: [address] });

  return {
    send,
    /** A call of the token, encoded by the caller with `tetherLikeAbi`. */
    callToken: (data: `0x${string}`) => send({ to: tetherLikeAddress, data }),
    /** micro-USDT; issued where the owner has too few. */
    async sendToken(to: `0x${string}`, amount: bigint): Promise<{ hash: string }> {
      if ((await balanceOf(owner.address)) < amount) {
        const args = [amount + issueAtOnce] as const;
        await send({
          to: tetherLikeAddress,
          data: encodeFunctionData({ abi: tetherLikeAbi, functionName: "issue", args }),
        });
      }
      const args = [to, amount] as const;
      return send({
        to: tetherLikeAddress,
        data: encodeFunctionData({ abi: tetherLikeAbi, functionName: "transfer", args }),
      });
    },
    isPaused: () => client.readContract({ address: tetherLikeAddress, abi: tetherLikeAbi, functionName: "paused" }),

    /**
     * Makes the world what it should be, whatever a crash left undone: the token deployed,
     * the payout wallet with its reserve and with ether for gas.
     */
    async furnish(payout: `0x${string}`, reserve: bigint): Promise<void> {
      await callRpc(rpcUrl, "anvil_setBalance", [owner.address, `0x${ownerWei.toString(16)}`]);
      if ((await client.getCode({ address: tetherLikeAddress })) === undefined) {
        const nonce = await client.getTransactionCount({ address: owner.address });
        if (nonce !== 0)
          throw new Error("The sandbox's token cannot be deployed: its owner has sent something before.");
        const bytecode = artifact.bytecode as `0x${string}`;
        await send({ data: encodeDeployData({ abi: artifact.abi as Abi, bytecode, args: [issueAtOnce] }) });
      }
      const [sent, usdt, wei] = await Promise.all([
        client.getTransactionCount({ address: payout }),
        balanceOf(payout),
        client.getBalance({ address: payout }),
      ]);
      if (wei < 10n ** 18n) await send({ to: payout, value: 100n * 10n ** 18n });
      // Once: what it paid out since is gone, as in life.
      if (sent === 0 && usdt === 0n) await this.sendToken(payout, reserve);
    },
  };
}

/** Asks for the receipt itself: viem's waiting needs another block when it looks just as the first one comes. */
async function waitUntilMined(rpcUrl: string, hash: string): Promise<void> {
  for (const deadline = Date.now() + minedPatienceMs; Date.now() < deadline; await sleep(40)) {
    const receipt = (await callRpc(rpcUrl, "eth_getTransactionReceipt", [hash]).catch(() => null)) as Receipt | null;
    if (receipt?.status === "0x1") return;
    if (receipt) throw new Error(`The sandbox's transaction ${hash} was reverted.`);
  }
  throw new Error(`The sandbox's transaction ${hash} came into no block.`);
}

import { setTimeout as sleep } from "node:timers/promises";
import {
  type Abi,
  createWalletClient,
  defineChain,
  encodeDeployData,
  encodeFunctionData,
  getContractAddress,
  http,
  parseAbi,
  publicActions,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { ExchangeError } from "../../exchange.server/errors";
import { createTurns } from "../take-turns";
import { sandboxChainId } from "./anvil-process";
import { callRpc } from "./rpc";
import { ownerPrivateKey } from "./sandbox-keys";
import artifact from "./tether-like.artifact.json";

const owner = privateKeyToAccount(ownerPrivateKey);
const minedTimeoutMs = 30_000;
const ownerWei = 10n ** 27n;
const issueAmount = 1_000_000_000_000n;

/** The token's functions. Tether's transfer returns nothing. */
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

/** The owner's first transaction deploys the token, so its address is the same in every sandbox. */
export const tetherLikeAddress = getContractAddress({ from: owner.address, nonce: 0n });

type Receipt = { status: "0x0" | "0x1" };
type Call = { to?: `0x${string}`; data?: `0x${string}`; value?: bigint; gas?: bigint };

/**
 * Enough for contracts that accept ether, such as a customer's smart account. With more, a contract could run any code.
 */
const etherGas = 60_000n;

/**
 * The account that owns the token and sends from the faucet. Transactions are sent one after
 * another, because each needs the next nonce, but do not wait for each other's block. Networks of
 * visitors take turns. `onSent` is called after every send.
 */
export function openTokenOwner(rpcUrl: string, onSent: () => void) {
  const client = createWalletClient({
    account: owner,
    chain: defineChain({
      id: sandboxChainId,
      name: "Antelope sandbox",
      nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
      rpcUrls: { default: { http: [rpcUrl] } },
    }),
    transport: http(rpcUrl, { retryCount: 5, retryDelay: 100 }),
    cacheTime: 0,
  }).extend(publicActions);
  const takeTurns = createTurns(1);

  /**
   * Resolves when the transaction is mined. Rejects if its gas estimate fails. `prepare` belongs to the same turn.
   * @throws address_invalid if it was reverted, rate_limited if too many of the network wait
   */
  async function send(call: Call, network = "", prepare?: () => Promise<void>): Promise<{ hash: string }> {
    const hash = await takeTurns(network, async () => {
      await prepare?.();
      return submit(call);
    });
    await waitUntilMined(rpcUrl, hash);
    return { hash };
  }

  async function submit(call: Call): Promise<string> {
    const hash = await client.sendTransaction(call);
    onSent();
    return hash;
  }

  /** micro-USDT after the transfers that are not in a block yet. */
  const balanceOf = (address: `0x${string}`) =>
    client.readContract({
      address: tetherLikeAddress,
      abi: tetherLikeAbi,
      functionName: "balanceOf",
      args: [address],
      blockTag: "pending",
    });

  /** Issues new tokens if the owner has too few to send `amount`. The gas estimate of the transfer sees them at once. */
  async function provide(amount: bigint): Promise<void> {
    if ((await balanceOf(owner.address)) >= amount) return;
    const args = [amount + issueAmount] as const;
    const data = encodeFunctionData({ abi: tetherLikeAbi, functionName: "issue", args });
    await submit({ to: tetherLikeAddress, data });
  }

  return {
    /** Calls the token with data that the caller encoded with `tetherLikeAbi`. */
    callToken: (data: `0x${string}`) => send({ to: tetherLikeAddress, data }),
    sendEther: (to: `0x${string}`, value: bigint, network: string) => send({ to, value, gas: etherGas }, network),
    /** Sends micro-USDT, and issues new tokens first if the owner has too few. */
    async sendToken(to: `0x${string}`, amount: bigint, network = ""): Promise<{ hash: string }> {
      const args = [to, amount] as const;
      const data = encodeFunctionData({ abi: tetherLikeAbi, functionName: "transfer", args });
      return send({ to: tetherLikeAddress, data }, network, () => provide(amount));
    },
    isPaused: () => client.readContract({ address: tetherLikeAddress, abi: tetherLikeAbi, functionName: "paused" }),

    /**
     * Deploys the token and funds the payout wallet with its reserve and ether for gas. Completes
     * what an earlier start may have left undone.
     */
    async setUp(payout: `0x${string}`, reserve: bigint): Promise<void> {
      await callRpc(rpcUrl, "anvil_setBalance", [owner.address, `0x${ownerWei.toString(16)}`]);
      if ((await client.getCode({ address: tetherLikeAddress })) === undefined) {
        const nonce = await client.getTransactionCount({ address: owner.address });
        if (nonce !== 0)
          throw new Error("The sandbox's token cannot be deployed: its owner has already sent a transaction.");
        const bytecode = artifact.bytecode as `0x${string}`;
        await send({ data: encodeDeployData({ abi: artifact.abi as Abi, bytecode, args: [issueAmount] }) });
      }
      const [sent, usdt, wei] = await Promise.all([
        client.getTransactionCount({ address: payout }),
        balanceOf(payout),
        client.getBalance({ address: payout }),
      ]);
      if (wei < 10n ** 18n) await send({ to: payout, value: 100n * 10n ** 18n });
      // Only once: like a real wallet, it is not refilled after payouts.
      if (sent === 0 && usdt === 0n) await this.sendToken(payout, reserve);
    },
  };
}

/**
 * Polls for the receipt: viem's `waitForTransactionReceipt` may need a second block if it starts just as the first is
 * mined.
 */
async function waitUntilMined(rpcUrl: string, hash: string): Promise<void> {
  for (const deadline = Date.now() + minedTimeoutMs; Date.now() < deadline; await sleep(40)) {
    const receipt = (await callRpc(rpcUrl, "eth_getTransactionReceipt", [hash]).catch(() => null)) as Receipt | null;
    if (receipt?.status === "0x1") return;
    if (receipt) throw new ExchangeError("address_invalid", { message: "The contract at this address refused it." });
  }
  throw new Error(`The sandbox's transaction ${hash} was not mined in time.`);
}

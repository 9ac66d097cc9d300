/** The payout wallet: the key that signs payments of USDT, the limits of their fees, and its balance. */
import type { Logger } from "pino";
import type { PrivateKeyAccount } from "viem";
import type { EthereumHeads } from "./heads";
import type { EthereumNodes } from "./nodes";
import { createSigner } from "./signed-payment";
import { tokenAbi } from "./token";

type Options = {
  nodes: EthereumNodes;
  account: PrivateKeyAccount;
  token: `0x${string}`;
  /** The highest fee to offer, in wei per gas, whatever a node suggests. Above it, payments wait. */
  feeLimit: bigint;
  /** How long a payment waits for inclusion before its fee is raised. */
  feeBumpAfterMs: number;
  log: Logger;
  now: () => number;
};

export type PayoutWallet = ReturnType<typeof createPayoutWallet>;

/** Opens the payout wallet. Sends no request before its balance is read. */
export function createPayoutWallet({ account, ...options }: Options) {
  const { nodes, token, now } = options;
  const { address } = account;
  return {
    ...options,
    address,
    sign: createSigner({ account, chainId: nodes.chain.id, now }),

    /** What the wallet holds of the token, in micro-USDT. */
    readBalance: (heads: EthereumHeads): Promise<bigint> =>
      nodes.reach(
        ({ node }) =>
          node.client.readContract({ address: token, abi: tokenAbi, functionName: "balanceOf", args: [address] }),
        heads,
      ),
  };
}

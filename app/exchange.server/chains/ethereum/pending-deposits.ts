import type { Address, Hex } from "viem";
import type { EthereumNodes } from "./nodes";

/** `transfer(address,uint256)` and `transferFrom(address,address,uint256)`: where in the input the receiver is. */
const receiverArguments: Record<string, number> = { "0xa9059cbb": 0, "0x23b872dd": 1 };
const selectorLength = 10;
const wordLength = 64;

/**
 * The addresses that a transaction in some node's pending block pays with the token. Nodes differ: anvil and Geth build
 * that block from the transactions they know, while others and many providers return the latest block or nothing. A
 * transfer inside another contract's call cannot be seen. So an empty result proves nothing.
 */
export async function findPendingDeposits(
  nodes: EthereumNodes,
  token: Address,
  addresses: readonly string[],
): Promise<Set<string>> {
  const wanted = new Map(addresses.map((address) => [address.toLowerCase(), address]));
  const responses = await nodes.queryAll(({ client }) =>
    client.getBlock({ blockTag: "pending", includeTransactions: true }),
  );
  const transactions = responses.flatMap(({ result }) => (result instanceof Error ? [] : result.transactions));
  const receivers = transactions
    .filter(({ to }) => to?.toLowerCase() === token.toLowerCase())
    .map(({ input }) => wanted.get(readReceiver(input)));
  return new Set(receivers.filter((address) => address !== undefined));
}

/** In lower case; empty if the call is not a transfer. */
function readReceiver(input: Hex): string {
  const argument = receiverArguments[input.slice(0, selectorLength)];
  if (argument === undefined) return "";
  const end = selectorLength + (argument + 1) * wordLength;
  return `0x${input.slice(end - 40, end)}`.toLowerCase();
}

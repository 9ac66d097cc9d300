import type { Logger } from "pino";
import { getAddress, type PublicClient } from "viem";
import type { Holdings } from "../gateway";
import type { EthereumNodes } from "./nodes";
import { tokenAbi } from "./token";
import { groupByVote } from "./votes";

/** More balances than this are read in one call that carries its own code, so that no contract has to be deployed. */
const maxSingleCalls = 5;

/** That code and 150 calls take 42 kB. Nodes accept at most 49 kB (EIP-3860). */
const callsAtOnce = 150;

type Options = { nodes: EthereumNodes; token: `0x${string}`; signer: `0x${string}`; log: Logger };

/**
 * Creates `ChainGateway.readHoldings`: all balances after the same block, on which a majority of the
 * nodes agrees.
 */
export function createHoldings({ nodes, token, signer, log }: Options) {
  return async function readHoldings(fundingAddresses: string[], height?: number): Promise<Holdings | null> {
    const heads = await nodes.readHeads();
    if (!heads.fresh) return null;
    const blockNumber = height === undefined ? heads.number : BigInt(height);
    const owners = [signer, ...fundingAddresses.map((address) => getAddress(address))];
    const reached = heads.nodes.filter((node) => heads.numberOf(node) >= blockNumber);
    const responses = await nodes.queryAll(
      ({ client }) => readBalances(client, { token, owners, blockNumber }),
      reached,
    );
    const [largest] = groupByVote(responses, (balances) => balances.join());
    if (!largest || largest.length < nodes.quorum) {
      log.warn({ block: Number(blockNumber) }, "too few Ethereum nodes agree on our balances");
      return null;
    }
    const [[wallet = 0n, ...others]] = largest;
    const atAddresses = new Map(fundingAddresses.map((address, index) => [address, others[index] ?? 0n]));
    return { height: Number(blockNumber), wallet, atAddresses };
  };
}

async function readBalances(
  client: PublicClient,
  query: { token: `0x${string}`; owners: `0x${string}`[]; blockNumber: bigint },
): Promise<bigint[]> {
  const { token, owners, blockNumber } = query;
  const contracts = owners.map(
    (owner) => ({ address: token, abi: tokenAbi, functionName: "balanceOf", args: [owner] }) as const,
  );
  if (owners.length <= maxSingleCalls) {
    return Promise.all(contracts.map((contract) => client.readContract({ ...contract, blockNumber })));
  }
  const balances: bigint[] = [];
  // One after the other, because nodes limit parallel calls. By default, viem would send many small calls at once.
  for (let start = 0; start < contracts.length; start += callsAtOnce) {
    const some = contracts.slice(start, start + callsAtOnce);
    const options = { blockNumber, deployless: true, allowFailure: false, batchSize: 0 } as const;
    balances.push(...(await client.multicall({ contracts: some, ...options })));
  }
  return balances;
}

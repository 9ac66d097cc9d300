import { createPublicClient, custom, pad, toHex } from "viem";
import { describe, expect, it } from "vitest";
import {
  isRefusedByContract,
  parseTransfers,
  type TokenLog,
  tokenAbi,
  transferTopic,
} from "~/exchange.server/chains/ethereum/token";
import { compileTetherLike } from "~/sandbox.server/ethereum/compile";
import artifact from "~/sandbox.server/ethereum/tether-like.artifact.json";
import vectors from "../../vectors/ethereum.json";

const token = vectors.usdt_mainnet;
const [, , , , from = "", to = ""] = vectors.eip55_valid;

function log(over: Partial<TokenLog> & { value?: bigint } = {}): TokenLog {
  const { value = 5n, ...rest } = over;
  return {
    address: token.toLowerCase(),
    topics: [transferTopic, pad(from.toLowerCase() as `0x${string}`), pad(to.toLowerCase() as `0x${string}`)],
    data: toHex(value, { size: 32 }),
    transactionHash: "0x01",
    blockHash: "0xb1",
    blockNumber: 7n,
    logIndex: 3,
    ...rest,
  };
}

describe("parsing the token's transfers (T51, T52)", () => {
  it("numbers transfers within their transaction, in the order of the log index", () => {
    const transfers = parseTransfers(
      [log({ logIndex: 9, value: 2n }), log({ logIndex: 4, value: 1n }), log({ logIndex: 5, transactionHash: "0x02" })],
      token,
    );
    expect(transfers.map(({ txHash, ordinal, value }) => [txHash, ordinal, value])).toEqual([
      ["0x01", 0, 1n],
      ["0x02", 0, 5n],
      ["0x01", 1, 2n],
    ]);
    expect(transfers[0]).toMatchObject({ from, to, blockNumber: 7n });
  });

  it("keeps a transfer's number when a reorg moves the transaction to another block and log index", () => {
    const key = (logs: TokenLog[]) => parseTransfers(logs, token).map(({ txHash, ordinal }) => `${txHash}:${ordinal}`);
    const moved = { blockNumber: 8n, blockHash: "0xb2" } as const;
    expect(key([log({ logIndex: 40, ...moved }), log({ logIndex: 42, ...moved })])).toEqual(
      key([log({ logIndex: 0 }), log({ logIndex: 1 })]),
    );
  });

  it("counts a log once however often a node returns it", () => {
    const twice = [log({ logIndex: 4, value: 1n }), log({ logIndex: 9, value: 2n })].flatMap((one) => [
      one,
      { ...one },
    ]);
    const numbered = parseTransfers([...twice, ...twice], token).map(({ ordinal, value }) => [ordinal, value]);
    expect(numbered).toEqual([
      [0, 1n],
      [1, 2n],
    ]);
  });

  it("counts a log once if a node returns it in both lower and upper case", () => {
    const hash = "0xabcd";
    const logs = [log({ transactionHash: hash }), log({ transactionHash: "0xABCD", blockHash: "0xB1" })];
    expect(parseTransfers(logs, token).map(({ txHash, blockHash }) => [txHash, blockHash])).toEqual([[hash, "0xb1"]]);
  });

  it("numbers a transaction that a node returns in two blocks from 0 in each of them", () => {
    const moved = { blockNumber: 8n, blockHash: "0xb2" } as const;
    expect(parseTransfers([log(), log(moved)], token).map(({ ordinal }) => ordinal)).toEqual([0, 0]);
  });

  it("ignores logs of other contracts, events or shapes, and removed logs", () => {
    const others = [
      log({ address: from }),
      log({ topics: [`0x${"0".repeat(64)}`, pad("0x1"), pad("0x2")] }),
      log({ topics: [transferTopic] }),
      log({ data: "0x" }),
      log({ removed: true }),
    ];
    expect(parseTransfers(others, token)).toEqual([]);
  });
});

describe("the sandbox's token", () => {
  it("is committed as compiled from its source", () => {
    expect(artifact).toEqual(compileTetherLike());
  });
});

describe("a call that fails (T56)", () => {
  const call = (error: { code: number; message: string; data?: string | undefined }) => {
    const transport = custom({ request: () => Promise.reject(error) }, { retryCount: 0 });
    const address = token as `0x${string}`;
    return createPublicClient({ transport })
      .readContract({ address, abi: tokenAbi, functionName: "paused" })
      .catch((caught: unknown) => caught);
  };

  it.each([
    { code: 3, message: "execution reverted", data: "0x" },
    { code: -32000, message: "execution reverted" },
    // Besu.
    { code: -32000, message: "Execution reverted", data: "0x" },
    // Hardhat.
    { code: -32603, message: "Error: Transaction reverted: function selector was not recognized", data: "0x" },
  ])("is refused by the contract: %j", async (error) => expect(isRefusedByContract(await call(error))).toBe(true));

  it.each([
    { code: -32603, message: "Internal error" },
    { code: -32603, message: "Internal error", data: "0x" },
    { code: -32000, message: "header not found" },
    { code: -32005, message: "limit exceeded" },
  ])("fails because of the node: %j", async (error) => expect(isRefusedByContract(await call(error))).toBe(false));
});

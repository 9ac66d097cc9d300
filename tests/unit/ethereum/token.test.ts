import { pad, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { readTransfers, type TokenLog, transferTopic } from "~/exchange.server/chains/ethereum-token";
import { compileTetherLike } from "~/exchange.server/sandbox/ethereum/compile";
import artifact from "~/exchange.server/sandbox/ethereum/tether-like.artifact.json";
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

describe("logs of the token (T51, T52)", () => {
  it("are numbered within their transaction, in the order of the log index", () => {
    const read = readTransfers(
      [log({ logIndex: 9, value: 2n }), log({ logIndex: 4, value: 1n }), log({ logIndex: 5, transactionHash: "0x02" })],
      token,
    );
    expect(read.map(({ txHash, ordinal, value }) => [txHash, ordinal, value])).toEqual([
      ["0x01", 0, 1n],
      ["0x02", 0, 5n],
      ["0x01", 1, 2n],
    ]);
    expect(read[0]).toMatchObject({ from, to, blockNumber: 7n });
  });

  it("keep their number when a reorg moves the transaction to another block and log index", () => {
    const key = (logs: TokenLog[]) => readTransfers(logs, token).map(({ txHash, ordinal }) => `${txHash}:${ordinal}`);
    const moved = { blockNumber: 8n, blockHash: "0xb2" } as const;
    expect(key([log({ logIndex: 40, ...moved }), log({ logIndex: 42, ...moved })])).toEqual(
      key([log({ logIndex: 0 }), log({ logIndex: 1 })]),
    );
  });

  it("of another contract, another event, another shape or taken back are none", () => {
    const others = [
      log({ address: from }),
      log({ topics: [`0x${"0".repeat(64)}`, pad("0x1"), pad("0x2")] }),
      log({ topics: [transferTopic] }),
      log({ data: "0x" }),
      log({ removed: true }),
    ];
    expect(readTransfers(others, token)).toEqual([]);
  });
});

describe("the sandbox's token", () => {
  it("is committed as what its source compiles to", () => {
    expect(artifact).toEqual(compileTetherLike());
  });
});

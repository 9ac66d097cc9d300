import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { createFullService, FullServiceError } from "~/exchange.server/chains/full-service";
import { answers } from "~/exchange.server/chains/full-service-answers";

const log = pino({ level: "silent" });
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A wallet that answers every call with the same text, or never. */
async function serve(body: string | null, status = 200) {
  const server = createServer((_request, response) => {
    if (body !== null) response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return createFullService({ url: `http://127.0.0.1:${port}/wallet/v2`, timeoutMs: 300, log });
}

const blockIndexOf = async (body: string | null, status?: number) =>
  (await serve(body, status)).call("get_txo_block_index", { public_key: "00" }, answers.blockIndex);

describe("full-service's answers are believed only as far as they are understood", () => {
  it("takes a u64 as a decimal string", async () => {
    expect(await blockIndexOf('{"result":{"block_index":"42"}}')).toEqual({ block_index: 42 });
  });

  it.each([
    ["a u64 as a JSON number, which may have lost digits", '{"result":{"block_index":42}}', /block_index/],
    ["a height beyond what a number holds", '{"result":{"block_index":"9007199254740993"}}', /block_index/],
    ["a negative height", '{"result":{"block_index":"-1"}}', /block_index/],
    ["an empty result", '{"result":{}}', /block_index/],
    ["neither result nor error", "{}", /not understood|no JSON-RPC/],
    ["text that is no JSON", "<html>", /./],
  ])("refuses %s", async (_, body, words) => {
    const error = await blockIndexOf(body).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(FullServiceError);
    expect(String(error)).toMatch(words);
    expect(String(error)).not.toContain("9007199254740993");
  });

  it("tells an error of the wallet from one of the way to it", async () => {
    const data = '{"server_error":"LedgerDB(NotFound)","details":"d"}';
    const body = `{"error":{"code":-32603,"message":"InternalError","data":${data}}}`;
    await expect(blockIndexOf(body)).rejects.toThrow(FullServiceError);
    await expect(blockIndexOf('{"error":{"code":-32600}}')).rejects.toThrow(FullServiceError);
    await expect(blockIndexOf("", 502)).rejects.toThrow(/HTTP 502/);
    await expect(blockIndexOf(null)).rejects.toThrow(/no answer in time/);
  });
});

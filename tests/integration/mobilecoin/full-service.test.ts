import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { afterEach, describe, expect, it } from "vitest";
import { createFullService, FullServiceError } from "~/exchange.server/chains/mobilecoin/full-service";
import { responses } from "~/exchange.server/chains/mobilecoin/full-service-responses";

const log = pino({ level: "silent" });
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A wallet that responds to every call with the same body; null: never. */
async function serve(body: string | null, status = 200) {
  const server = createServer((_request, response) => {
    if (body !== null) response.writeHead(status, { "content-type": "application/json" }).end(body);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const timeoutMs = body === null ? 300 : 10_000;
  return createFullService({ url: `http://127.0.0.1:${port}/wallet/v2`, timeoutMs, log });
}

const blockIndexOf = async (body: string | null, status?: number) =>
  (await serve(body, status)).call("get_txo_block_index", { public_key: "00" }, responses.blockIndex);

describe("responses of full-service", () => {
  it("have u64 values as decimal strings", async () => {
    expect(await blockIndexOf('{"result":{"block_index":"42"}}')).toEqual({ block_index: 42 });
  });

  it.each([
    ["a u64 as a JSON number, which may have lost precision", '{"result":{"block_index":42}}', /block_index/],
    ["a height above the largest safe integer", '{"result":{"block_index":"9007199254740993"}}', /block_index/],
    ["a negative height", '{"result":{"block_index":"-1"}}', /block_index/],
    ["an empty result", '{"result":{}}', /block_index/],
    ["neither result nor error", "{}", /unexpected response|not a JSON-RPC/],
    ["text that is not JSON", "<html>", /./],
  ])("are rejected with %s", async (_, body, message) => {
    const error = await blockIndexOf(body).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(FullServiceError);
    expect(String(error)).toMatch(message);
    expect(String(error)).not.toContain("9007199254740993");
  });

  it("distinguish an error of the wallet from a failed request", async () => {
    const data = '{"server_error":"LedgerDB(NotFound)","details":"d"}';
    const body = `{"error":{"code":-32603,"message":"InternalError","data":${data}}}`;
    await expect(blockIndexOf(body)).rejects.toThrow(FullServiceError);
    await expect(blockIndexOf('{"error":{"code":-32600}}')).rejects.toThrow(FullServiceError);
    await expect(blockIndexOf("", 502)).rejects.toThrow(/HTTP 502/);
    await expect(blockIndexOf(null)).rejects.toThrow(/timed out/);
  });
});

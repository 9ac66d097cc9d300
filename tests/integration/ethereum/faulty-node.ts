import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Testnet } from "./setup";

type Call = { id: number; method: string; params: unknown[] };
/** The response to a call, with an HTTP status; undefined forwards the call to the real node. */
type Reply = { result?: unknown; error?: unknown; status?: number } | undefined;
export type Override = (call: Call) => Reply | Promise<Reply>;
export type FaultyNode = { url: string; close(): void };

/** Starts a node over HTTP that responds to some calls differently from the testnet's own. */
export async function startFaultyNode(testnet: Testnet, override: Override): Promise<FaultyNode> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const call = JSON.parse(Buffer.concat(chunks).toString()) as Call;
      const reply = async () => {
        const overridden = await override(call);
        if (!overridden) return testnet.chain.request(call);
        const { status = 200, ...body } = overridden;
        response.statusCode = status;
        return JSON.stringify({ jsonrpc: "2.0", id: call.id, ...body });
      };
      reply().then(
        (json) => response.setHeader("content-type", "application/json").end(json),
        () => response.writeHead(502).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import type { Method } from "./methods";
import { LostResponseError } from "./payments";
import { RpcError } from "./rpc-error";

const maxBody = 1_000_000;
const messages: Record<number, string> = {
  [-32603]: "InternalError",
  [-32602]: "InvalidParams",
  [-32600]: "InvalidRequest",
};

/**
 * Serves full-service's JSON-RPC over HTTP on a free port of the loopback interface: POST /wallet/v2 and GET /health.
 * Like full-service, it also uses HTTP 200 for errors.
 */
export async function listen(options: {
  apiKey: string | null;
  log: Logger;
  findMethod: (method: string) => Method | undefined;
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    handle(request, response, options).catch((error: unknown) => {
      if (!(error instanceof LostResponseError))
        options.log.error({ err: error }, "a request to the sandbox's MobileCoin failed");
      request.socket.destroy();
    });
  });
  // Longer than the pause between two calls: closing an idle connection can reset a call that was just sent.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  return { port, close: () => close(server) };
}

async function handle(
  request: IncomingMessage,
  response: ServerResponse,
  options: { apiKey: string | null; findMethod: (method: string) => Method | undefined },
): Promise<void> {
  if (request.method === "GET" && request.url === "/health") {
    response.writeHead(200, { "content-type": "text/plain" }).end("OK");
    return;
  }
  if (request.method !== "POST" || request.url !== "/wallet/v2") {
    response.writeHead(404).end();
    return;
  }
  if (options.apiKey !== null && request.headers["x-api-key"] !== options.apiKey) {
    response.writeHead(401).end();
    return;
  }
  const body = await readBody(request);
  const result = JSON.stringify(await toResponse(body, options.findMethod));
  response.writeHead(200, { "content-type": "application/json" }).end(result);
}

async function toResponse(body: string, findMethod: (method: string) => Method | undefined): Promise<unknown> {
  let call: { method?: unknown; params?: unknown; id?: unknown } = {};
  try {
    call = JSON.parse(body);
    const method = typeof call.method === "string" ? findMethod(call.method) : undefined;
    if (!method) throw new RpcError("UnknownMethod", "Could not parse the method", -32600);
    return { method: call.method, result: await method(call.params), jsonrpc: "2.0", id: call.id ?? 1 };
  } catch (error) {
    const refusal = error instanceof SyntaxError ? new RpcError("InvalidRequest", error.message, -32600) : error;
    if (!(refusal instanceof RpcError)) throw refusal;
    const { code, serverError, details } = refusal;
    const data = { server_error: serverError, details };
    return {
      method: call.method ?? null,
      error: { code, message: messages[code] ?? "InternalError", data },
      jsonrpc: "2.0",
      id: call.id ?? 1,
    };
  }
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBody) throw new Error("the request is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

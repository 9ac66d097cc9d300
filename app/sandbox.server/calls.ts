import { type Context, Hono } from "hono";
import { methodNotAllowed } from "hono/method-not-allowed";
import type { Logger } from "pino";
import { z } from "zod";
import { parseEthAddress } from "../exchange.server/addresses/eth-address";
import { parseMobAddress } from "../exchange.server/addresses/mob-address";
import { describeError } from "../exchange.server/describe-error";
import { ExchangeError } from "../exchange.server/errors";
import { isDisconnect } from "../exchange.server/http/is-disconnect";
import { toFields } from "../exchange.server/http/router";
import { toClientNetwork } from "../lib/client-network";
import { limitBodies } from "../lib/http/limit-bodies";
import { onlyReads } from "../lib/http/methods";
import { AmountError, formatAmount, formatDecimal, parseAmount, parseDecimal } from "../lib/money";
import type { SandboxEthereum } from "./ethereum/start";
import { createWalletCalls } from "./ethereum/wallet-calls";
import type { SandboxInbox } from "./inbox";
import type { SandboxMobilecoin } from "./mobilecoin/start";

const faucetRequest = z
  .object({ address: z.string().max(512), asset: z.enum(["ETH", "USDT"]), amount: z.string().max(40) })
  .strict();
const payRequest = z.object({ address: z.string().max(1_024), amount: z.string().max(40) }).strict();

export type SandboxSystems = {
  ethereum: SandboxEthereum;
  mobilecoin: SandboxMobilecoin;
  inbox: SandboxInbox;
  /** The most that one call may request, in base units: wei and micro-USDT. */
  faucetMax: { ETH: bigint; USDT: bigint };
};

type Environment = { Bindings: { remoteAddress?: string } };

/** Deeper than any real call. Values nested much deeper cannot be serialised again. */
const maxDepth = 32;

/**
 * The calls under /sandbox/…, for the sandbox page and for external tests: the inbox, the chain's
 * JSON-RPC, the faucet and the tester's MobileCoin wallet. They need no sign-in, because the money
 * is worthless.
 */
export function createSandboxCalls(systems: SandboxSystems, origin: string, log: Logger): Hono<Environment> {
  const app = new Hono<Environment>();
  const callChain = createWalletCalls((calls) => systems.ethereum.request(calls));
  app.use(limitBodies((c) => c.json(toError("body_too_large", "The request is too large."), 413)));
  app.use(async (c, next) => {
    // Scripts don't send an Origin header. A page of another site does, and must not use a visitor's sandbox.
    if (!onlyReads(c.req) && isCrossSite(c.req.raw.headers, origin)) {
      return c.json(toError("foreign_origin", "Only pages of this site and scripts may call this."), 403);
    }
    if (/%00/i.test(c.req.url)) return c.json(toError("bad_request", "We couldn't read this request."), 400);
    await next();
    c.res.headers.set("Cache-Control", "no-store");
  });
  app.onError((error, c) => {
    if (error instanceof ExchangeError) {
      const { code, message, fields, retryAfterSeconds } = error;
      if (retryAfterSeconds !== undefined) c.header("Retry-After", String(retryAfterSeconds));
      return c.json({ detail: { code, message, ...(fields && { fields }) } }, error.status as 400);
    }
    if (error instanceof AmountError) return c.json(toError("amount_invalid", error.message), 422);
    if (error instanceof z.ZodError) {
      const { message, code, fields } = new ExchangeError("invalid", { fields: toFields(error.issues) });
      return c.json({ detail: { code, message, fields } }, 422);
    }
    if (error instanceof SyntaxError || isDisconnect(error)) {
      return c.json(toError("bad_request", "We couldn't read this request."), 400);
    }
    log.error({ error: describeError(error) }, "a sandbox call failed");
    return c.json(toError("sandbox_failed", "The sandbox couldn't do this."), 502);
  });
  app.use(
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => {
        const { code, message } = new ExchangeError("method_not_allowed");
        return c.json(toError(code, message), 405, { Allow: methods.join(", ") });
      },
    }),
  );
  app.notFound((c) => {
    const { code, message } = new ExchangeError("not_found");
    return c.json(toError(code, message), 404);
  });

  app.get("/sandbox/inbox", async (c) => c.json(await systems.inbox.list(c.req.query("to"))));

  app.post("/sandbox/ethereum", async (c) => {
    const response = await callChain(await readJson(c), networkOf(c));
    // Notifications don't get a response (JSON-RPC 2.0, section 4.1).
    return response === "" ? c.body(null, 204) : c.body(response, 200, { "Content-Type": "application/json" });
  });

  app.post("/sandbox/faucet", async (c) => {
    const request = faucetRequest.parse(await readJson(c));
    const { address } = parseEthAddress(request.address, { forbidden: [] });
    const amount = request.asset === "ETH" ? parseDecimal18(request.amount) : parseAmount(request.amount, "USDT");
    requirePositive(amount);
    const max = systems.faucetMax[request.asset];
    if (amount > max) {
      const limit = formatDecimal(max, request.asset === "ETH" ? 18 : 6);
      throw new ExchangeError("amount_too_large", {
        message: `The faucet gives at most ${limit} ${request.asset} at a time.`,
      });
    }
    const { hash } = await systems.ethereum.faucet({ address, asset: request.asset, amount }, networkOf(c));
    return c.json({ hash });
  });

  app.post("/sandbox/mobilecoin/pay", async (c) => {
    const request = payRequest.parse(await readJson(c));
    const { address } = parseMobAddress(request.address);
    const amount = parseAmount(request.amount, "MOB");
    requirePositive(amount);
    const { hash, blockIndex } = await systems.mobilecoin.pay({ address, amount }, networkOf(c));
    return c.json({ hash, block_index: blockIndex });
  });

  app.get("/sandbox/mobilecoin/wallet", (c) => {
    const { address, balance, received } = systems.mobilecoin.wallet();
    return c.json({
      address,
      balance: formatAmount(balance, "MOB"),
      received: received.map((r) => ({ amount: formatAmount(r.amount, "MOB"), at: r.at.toISOString(), hash: r.hash })),
    });
  });
  return app;
}

/** @throws bad_request if values are nested too deeply, SyntaxError if the body is not JSON */
async function readJson(c: Context): Promise<unknown> {
  const body: unknown = await c.req.json();
  if (isDeeperThan(maxDepth, body)) throw new ExchangeError("bad_request");
  return body;
}

function networkOf({ env }: Context<Environment>): string {
  return toClientNetwork(env?.remoteAddress ?? "");
}

function isDeeperThan(depth: number, value: unknown): boolean {
  if (depth < 0) return true;
  if (typeof value !== "object" || value === null) return false;
  return Object.values(value).some((child) => isDeeperThan(depth - 1, child));
}

function isCrossSite(headers: Headers, ownOrigin: string): boolean {
  const site = headers.get("Sec-Fetch-Site");
  const origin = headers.get("Origin");
  return (site !== null && site !== "same-origin" && site !== "none") || (origin !== null && origin !== ownOrigin);
}

function toError(code: string, message: string) {
  return { detail: { code, message } };
}

function requirePositive(amount: bigint): void {
  if (amount <= 0n) throw new ExchangeError("amount_invalid", { message: "Enter an amount above zero." });
}

/**
 * Parses an amount of ether. Its 18 decimals are more than `parseDecimal` allows, so the whole and the fraction are
 * parsed separately.
 */
function parseDecimal18(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".", 2);
  if (fraction.length > 18 || !/^[0-9]*$/.test(fraction) || text.split(".").length > 2) {
    throw new AmountError("Enter an amount such as 0.5.");
  }
  return parseDecimal(whole, 0) * 10n ** 18n + BigInt(fraction.padEnd(18, "0"));
}

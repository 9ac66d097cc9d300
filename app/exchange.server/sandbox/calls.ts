import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "pino";
import { z } from "zod";
import { AmountError, formatAmount, formatDecimal, parseAmount, parseDecimal } from "../../lib/money";
import { parseEthAddress } from "../addresses/eth-address";
import { parseMobAddress } from "../addresses/mob-address";
import { ExchangeError } from "../errors";
import { describeError } from "../http/error-answers";
import { refuseUnknown } from "../http/unknown-calls";
import type { SandboxEthereum } from "./ethereum/start";
import type { SandboxInbox } from "./inbox";
import type { SandboxMobilecoin } from "./mobilecoin/start";

const faucetRequest = z
  .object({ address: z.string().max(512), asset: z.enum(["ETH", "USDT"]), amount: z.string().max(40) })
  .strict();
const payRequest = z.object({ address: z.string().max(1_024), amount: z.string().max(40) }).strict();

export type SandboxWorld = {
  ethereum: SandboxEthereum;
  mobilecoin: SandboxMobilecoin;
  inbox: SandboxInbox;
  /** Base units a call: wei and micro-USDT. */
  faucetMax: { ETH: bigint; USDT: bigint };
};

/**
 * The sandbox's calls under /sandbox/…, for the page of that name and for checks from
 * outside: the inbox, the chain's JSON-RPC, the faucet, the tester's MobileCoin wallet.
 * Money here is play money; the calls ask nobody who they are.
 */
export function createSandboxCalls(world: SandboxWorld, origin: string, log: Logger): Hono {
  const app = new Hono();
  app.use(bodyLimit({ maxSize: 256 * 1024, onError: (c) => c.json(refusal("body_too_large", "Too large."), 413) }));
  app.use(async (c, next) => {
    // A script sends no Origin; a page of another site that a visitor has open does, and may not play with the chain.
    if (c.req.method !== "GET" && c.req.method !== "HEAD" && isForeign(c.req.raw.headers, origin)) {
      return c.json(refusal("foreign_origin", "Only this site's own pages and scripts may ask this."), 403);
    }
    if (/%00/i.test(c.req.url)) return c.json(refusal("bad_request", "The request could not be read."), 400);
    await next();
    c.res.headers.set("Cache-Control", "no-store");
  });
  app.onError((error, c) => {
    if (error instanceof ExchangeError) return c.json(refusal(error.code, error.message), error.status as 400);
    if (error instanceof AmountError) return c.json(refusal("amount_invalid", error.message), 422);
    if (error instanceof z.ZodError) return c.json(refusal("invalid", error.issues[0]?.message ?? "Not valid."), 422);
    if (error instanceof SyntaxError) return c.json(refusal("bad_request", "The request could not be read."), 400);
    log.error({ error: describeError(error) }, "a call of the sandbox failed");
    return c.json(refusal("sandbox_failed", "The sandbox could not do this."), 502);
  });
  app.notFound((c) => {
    const { code, message, status } = refuseUnknown(c, app.routes);
    return c.json(refusal(code, message), status as 404);
  });

  app.get("/sandbox/inbox", async (c) => c.json(await world.inbox.list(c.req.query("to"))));

  app.post("/sandbox/ethereum", async (c) => {
    const answer = await world.ethereum.request(await c.req.json());
    // A notification has no answer (JSON-RPC 2.0, section 4.1).
    return answer === null ? c.body(null, 204) : c.json(answer);
  });

  app.post("/sandbox/faucet", async (c) => {
    const request = faucetRequest.parse(await c.req.json());
    const { address } = parseEthAddress(request.address, { forbidden: [] });
    const amount = request.asset === "ETH" ? parseDecimal18(request.amount) : parseAmount(request.amount, "USDT");
    requirePositive(amount);
    const most = world.faucetMax[request.asset];
    if (amount > most) {
      const words = formatDecimal(most, request.asset === "ETH" ? 18 : 6);
      throw new ExchangeError("amount_too_large", {
        message: `The faucet gives at most ${words} ${request.asset} at once.`,
      });
    }
    const { hash } = await world.ethereum.faucet({ address, asset: request.asset, amount });
    return c.json({ hash });
  });

  app.post("/sandbox/mobilecoin/pay", async (c) => {
    const request = payRequest.parse(await c.req.json());
    const { address } = parseMobAddress(request.address);
    const amount = parseAmount(request.amount, "MOB");
    requirePositive(amount);
    const { hash, blockIndex } = await world.mobilecoin.pay({ address, amount });
    return c.json({ hash, block_index: blockIndex });
  });

  app.get("/sandbox/mobilecoin/wallet", (c) => {
    const { address, balance, received } = world.mobilecoin.wallet();
    return c.json({
      address,
      balance: formatAmount(balance, "MOB"),
      received: received.map((r) => ({ amount: formatAmount(r.amount, "MOB"), at: r.at.toISOString(), hash: r.hash })),
    });
  });
  return app;
}

function isForeign(headers: Headers, own: string): boolean {
  const site = headers.get("Sec-Fetch-Site");
  const origin = headers.get("Origin");
  return (site !== null && site !== "same-origin" && site !== "none") || (origin !== null && origin !== own);
}

function refusal(code: string, message: string) {
  return { detail: { code, message } };
}

function requirePositive(amount: bigint): void {
  if (amount <= 0n) throw new ExchangeError("amount_invalid", { message: "Give an amount above zero." });
}

/** Ether has 18 decimals, more than any amount of the exchange: read in two halves of the same strict form. */
function parseDecimal18(text: string): bigint {
  const [whole = "", fraction = ""] = text.split(".", 2);
  if (fraction.length > 18 || !/^[0-9]*$/.test(fraction) || text.split(".").length > 2) {
    throw new AmountError("form", "Write an amount such as 0.5.");
  }
  return parseDecimal(whole, 0) * 10n ** 18n + BigInt(fraction.padEnd(18, "0"));
}

import { eq } from "drizzle-orm";
import { type AssetSymbol, assetSymbols } from "../../lib/assets";
import type { Database } from "../db/database";
import { orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { ExchangeError } from "../errors";
import { OperatorError } from "./operator-error";

/**
 * How each chain writes the hash of a transaction, and the prefix that an explorer may leave out or a wallet may add.
 */
const forms: Record<AssetSymbol, { pattern: RegExp; prefix: string; description: string }> = {
  USDT: {
    pattern: /^(?:0x)?([0-9a-f]{64})$/,
    prefix: "0x",
    description: "the hash of an Ethereum transaction: 64 hexadecimal digits after 0x",
  },
  // The public key of the output that was paid. In a transaction output, it has the prefix of its encoding.
  MOB: {
    pattern: /^(?:0a20)?([0-9a-f]{64})$/,
    prefix: "",
    description: "the public key of a MobileCoin output: 64 hexadecimal digits",
  },
};

/** The one form in which the hash of an asset's transaction is stored and compared; null if the text is not a hash. */
function toTransactionHash(asset: AssetSymbol, text: string): string | null {
  const { pattern, prefix } = forms[asset];
  const digits = pattern.exec(text.toLowerCase())?.[1];
  return digits === undefined ? null : prefix + digits;
}

/** The hashes that the text may represent if the asset is not known. */
export const listTransactionHashes = (text: string): string[] =>
  assetSymbols.flatMap((asset) => toTransactionHash(asset, text) ?? []);

/** What a hash of the asset's chain looks like, for the operator. */
const describeTransactionHash = (asset: AssetSymbol): string => forms[asset].description;

/**
 * The hash of the transaction that has made a payment, in the form that the exchange stores, so that one transaction
 * cannot be booked twice. @throws ExchangeError not_found; OperatorError if the text is not a hash
 */
export async function readHashOf(
  db: Database,
  { paymentId, text }: { paymentId: string; text: string },
): Promise<string> {
  const [payment] = await db.select({ asset: payments.asset }).from(payments).where(eq(payments.id, paymentId));
  if (!payment) throw new ExchangeError("not_found");
  return parseHash(payment.asset, text);
}

/**
 * Like `readHashOf`, for the payout of an order. @throws ExchangeError not_found; OperatorError if the text is not a
 * hash
 */
export async function readPayoutHash(
  db: Database,
  { orderId, text }: { orderId: string; text: string },
): Promise<string> {
  const [order] = await db.select({ asset: orders.targetAsset }).from(orders).where(eq(orders.id, orderId));
  if (!order) throw new ExchangeError("not_found");
  return parseHash(order.asset, text);
}

function parseHash(asset: AssetSymbol, text: string): string {
  const hash = toTransactionHash(asset, text);
  if (hash !== null) return hash;
  throw new OperatorError(`HASH is not ${describeTransactionHash(asset)}.`);
}

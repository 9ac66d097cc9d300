import { and, count, desc, eq, inArray, isNull, lt, or } from "drizzle-orm";
import type { DeliveryAddress } from "../../api/contract";
import type { AddressType } from "../../lib/assets";
import type { ExchangeContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { orders } from "../orders/tables";
import { parseEthAddress } from "./eth-address";
import { encodeMobAddress, parseMobAddress } from "./mob-address";
import { deliveryAddresses } from "./tables";

type DeliveryAddressRow = typeof deliveryAddresses.$inferSelect;

/** What makes an address one: `address` as it is shown and paid, `canonical` as it is compared. */
type ParsedAddress = { address: string; canonical: string };

/** One page of an account's addresses, newest first; `before` is the last row of the page before. */
export async function listAddresses(
  db: Database,
  accountId: string,
  page: { type: AddressType | null; limit: number; before: { at: Date; id: string } | null },
): Promise<DeliveryAddressRow[]> {
  const { type, before } = page;
  return db
    .select()
    .from(deliveryAddresses)
    .where(
      and(
        eq(deliveryAddresses.accountId, accountId),
        isNull(deliveryAddresses.removedAt),
        type ? eq(deliveryAddresses.type, type) : undefined,
        before
          ? or(
              lt(deliveryAddresses.createdAt, before.at),
              and(eq(deliveryAddresses.createdAt, before.at), lt(deliveryAddresses.id, before.id)),
            )
          : undefined,
      ),
    )
    .orderBy(desc(deliveryAddresses.createdAt), desc(deliveryAddresses.id))
    .limit(page.limit);
}

/**
 * Keeps an address for an account. The same address again, however it is written, is the
 * row that exists with its label as it was.
 *
 * @returns the row, and whether this call made it
 * @throws address_invalid in words for the customer, too_many_addresses
 */
export async function addAddress(
  x: ExchangeContext,
  accountId: string,
  request: { type: AddressType; address: string; label: string },
): Promise<{ row: DeliveryAddressRow; made: boolean }> {
  const parsed = parseAddress(request.type, request.address, x.forbiddenDeliveryAddresses);
  await refuseOwnFunding(x.db, parsed);
  return x.db.transaction(async (tx) => {
    // One addition an account at a time, so that neither the limit nor the same address can be raced.
    await lockFor(tx, `delivery_addresses:${accountId}`);
    const kept = and(eq(deliveryAddresses.accountId, accountId), isNull(deliveryAddresses.removedAt));
    const [same] = await tx
      .select()
      .from(deliveryAddresses)
      .where(and(kept, eq(deliveryAddresses.type, request.type), eq(deliveryAddresses.canonical, parsed.canonical)));
    if (same) return { row: same, made: false };

    const [kinds] = await tx.select({ kept: count() }).from(deliveryAddresses).where(kept);
    if ((kinds?.kept ?? 0) >= x.config.maxAddresses) throw new ExchangeError("too_many_addresses");
    const [row] = await tx
      .insert(deliveryAddresses)
      .values({
        id: newId(),
        accountId,
        type: request.type,
        address: parsed.address,
        canonical: parsed.canonical,
        label: request.label,
        createdAt: await x.clock.now(tx),
      })
      .returning();
    if (!row) throw new Error("insert returned nothing");
    return { row, made: true };
  });
}

/** Takes an address off the list. Orders that name it keep their copy. @throws not_found */
export async function removeAddress(x: ExchangeContext, accountId: string, addressId: string): Promise<void> {
  const removed = await x.db
    .update(deliveryAddresses)
    .set({ removedAt: await x.clock.now(x.db) })
    .where(isOwn(accountId, addressId))
    .returning({ id: deliveryAddresses.id });
  if (removed.length === 0) throw new ExchangeError("not_found");
}

/** An address of this account that was not removed, or null. */
export async function getOwnAddress(
  db: Database,
  accountId: string,
  addressId: string,
): Promise<DeliveryAddressRow | null> {
  const [row] = await db.select().from(deliveryAddresses).where(isOwn(accountId, addressId));
  return row ?? null;
}

/** As the contract shows it. */
export function toDeliveryAddress(row: DeliveryAddressRow): DeliveryAddress {
  return {
    id: row.id,
    type: row.type,
    address: row.address,
    label: row.label,
    created_at: row.createdAt.toISOString(),
  };
}

const isOwn = (accountId: string, addressId: string) =>
  and(
    eq(deliveryAddresses.id, addressId),
    eq(deliveryAddresses.accountId, accountId),
    isNull(deliveryAddresses.removedAt),
  );

function parseAddress(type: AddressType, text: string, forbidden: string[]): ParsedAddress {
  if (type === "ETH") return parseEthAddress(text, { forbidden });
  const parsed = parseMobAddress(text);
  if (forbidden.includes(toPlainMob(parsed.canonical))) throw ours();
  return parsed;
}

/**
 * A payout to the funding address of an order would come back as a deposit. Compared by
 * keys: one of our MobileCoin addresses with Fog data added is still ours.
 */
async function refuseOwnFunding(db: Database, parsed: ParsedAddress): Promise<void> {
  const isMob = !parsed.canonical.startsWith("0x");
  const writings = isMob ? [toPlainMob(parsed.canonical)] : [parsed.address, parsed.canonical];
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.sourceAsset, isMob ? "MOB" : "USDT"), inArray(orders.fundingAddress, writings)))
    .limit(1);
  if (order) throw ours();
}

/** The address with these keys and nothing else: the form of those that our own wallet assigns. */
function toPlainMob(canonical: string): string {
  const keys = Buffer.from(canonical, "hex");
  return encodeMobAddress({ viewPublicKey: keys.subarray(0, 32), spendPublicKey: keys.subarray(32) });
}

function ours(): ExchangeError {
  return new ExchangeError("address_invalid", {
    message: "This is an address of the exchange itself. Enter one of your own wallet.",
  });
}

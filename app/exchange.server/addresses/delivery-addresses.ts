import {
  and,
  count,
  desc,
  eq,
  exists,
  getTableColumns,
  inArray,
  isNotNull,
  isNull,
  ne,
  not,
  or,
  type Param,
  sql,
} from "drizzle-orm";
import type { DeliveryAddress } from "../../api/contract";
import type { AddressType, AssetSymbol } from "../../lib/assets";
import type { Caller } from "../accounts/caller";
import { requireOpenSession } from "../accounts/require-open-session";
import type { ExchangeContext, RunningContext } from "../context";
import { type Database, lockFor } from "../db/database";
import { newestFirst, type PageRequest } from "../db/pages";
import { deliveryAddresses } from "../db/schema/addresses";
import { orders } from "../db/schema/orders";
import { ExchangeError } from "../errors";
import { newId } from "../ids";
import { parseEthAddress } from "./eth-address";
import { encodeMobAddress, parseMobAddress, requireKnownFog } from "./mob-address";
import { notifyOfAddedAddress, notifyOfRemovedAddress } from "./notices";

type DeliveryAddressRow = typeof deliveryAddresses.$inferSelect;

/** `address` is shown and paid to; `canonical` is used to compare addresses. */
type ParsedAddress = { address: string; canonical: string };

/** Whether the newest paid-out swap that could have used the address has used it. Null if there is no such swap. */
type LastUse = { lastDelivery: boolean | null; lastRefund: boolean | null };

/** Selects a page of an account's addresses, newest first. */
export function selectAddresses(
  db: Database,
  accountId: string,
  { type, ...page }: PageRequest & { type: AddressType | null },
) {
  const { after, orderBy, limit } = newestFirst(deliveryAddresses, page);
  const toLast = (column: "deliveryAddress" | "refundAddress", source: AssetSymbol) =>
    db
      .select({ address: orders[column] })
      .from(orders)
      .where(and(eq(orders.accountId, accountId), eq(orders.status, "completed"), eq(orders.sourceAsset, source)))
      .orderBy(desc(orders.createdAt), desc(orders.id))
      .limit(1);
  // The subqueries don't depend on the row, so PostgreSQL runs each at most once.
  const isLast = (column: "deliveryAddress" | "refundAddress", source: Record<AddressType, AssetSymbol>) =>
    sql<boolean | null>`${deliveryAddresses.address} = case ${deliveryAddresses.type}
      when 'MOB' then ${toLast(column, source.MOB)} else ${toLast(column, source.ETH)} end`;
  return db
    .select({
      ...getTableColumns(deliveryAddresses),
      lastDelivery: isLast("deliveryAddress", { MOB: "USDT", ETH: "MOB" }),
      lastRefund: isLast("refundAddress", { MOB: "MOB", ETH: "USDT" }),
    })
    .from(deliveryAddresses)
    .where(
      and(
        eq(deliveryAddresses.accountId, accountId),
        isNull(deliveryAddresses.removedAt),
        type ? eq(deliveryAddresses.type, type) : undefined,
        after,
      ),
    )
    .orderBy(...orderBy)
    .limit(limit);
}

/**
 * Saves an address for an account. Adding the same address again, in any form, returns the
 * existing row with its label unchanged.
 *
 * Only approved customers are told that an address is a funding address of the exchange. For others it is saved, and
 * refused when it is used. Otherwise, anyone could register and find out which payments on the chains are deposits
 * (T88).
 *
 * @returns the row, and whether this call created it
 * @throws address_invalid with a message for the customer, too_many_addresses, rate_limited, token_expired if the
 * session has ended
 */
export async function addAddress(
  ctx: RunningContext,
  caller: Pick<Caller, "accountId" | "sessionId" | "kycStatus">,
  request: { type: AddressType; address: string; label: string },
): Promise<{ row: DeliveryAddressRow; created: boolean }> {
  const { accountId } = caller;
  const parsed = parseAddress(ctx, request);
  const isOurs = await isFundingAddress(ctx.db, parsed);
  if (isOurs && caller.kycStatus === "approved") throw refuseOwn();
  return ctx.db.transaction(async (tx) => {
    // One addition per account at a time, so that parallel calls cannot exceed the limit or add an address twice.
    await lockFor(tx, `delivery_addresses:${accountId}`);
    await requireOpenSession(tx, caller);
    const ofAccount = and(eq(deliveryAddresses.accountId, accountId), isNull(deliveryAddresses.removedAt));
    const [same] = await tx
      .select()
      .from(deliveryAddresses)
      .where(
        and(ofAccount, eq(deliveryAddresses.type, request.type), eq(deliveryAddresses.canonical, parsed.canonical)),
      );
    if (same) return { row: same, created: false };

    const [total] = await tx.select({ count: count() }).from(deliveryAddresses).where(ofAccount);
    if ((total?.count ?? 0) >= ctx.config.maxAddresses) throw new ExchangeError("too_many_addresses");
    const now = await ctx.clock.now(tx);
    const [row] = await tx
      .insert(deliveryAddresses)
      .values({
        id: newId(),
        accountId,
        type: request.type,
        address: parsed.address,
        canonical: parsed.canonical,
        label: request.label,
        isOurs,
        createdAt: now,
      })
      .returning();
    if (!row) throw new Error("the insert returned no row");
    await notifyOfAddedAddress(tx, ctx, row, now);
    return { row, created: true };
  });
}

/**
 * Removes an address. Orders that use it keep their copy. If an order has used it, its row is kept as well. It then
 * replaces the row of an earlier removal of the same address, so that an account cannot store an unlimited number of
 * rows.
 * @throws not_found
 */
export async function removeAddress(ctx: ExchangeContext, accountId: string, addressId: string): Promise<void> {
  const { id, type, canonical, removedAt } = deliveryAddresses;
  await ctx.db.transaction(async (tx) => {
    const now = await ctx.clock.now(tx);
    const [removed] = await tx
      .update(deliveryAddresses)
      .set({ removedAt: now })
      .where(isOwn(accountId, addressId))
      .returning();
    if (!removed) throw new ExchangeError("not_found");
    const { address } = removed;
    const usedBy = or(eq(orders.deliveryAddress, address), eq(orders.refundAddress, address));
    const isUsed = exists(
      tx
        .select({ id: orders.id })
        .from(orders)
        .where(and(eq(orders.accountId, accountId), usedBy)),
    );
    const isSame = and(eq(type, removed.type), eq(canonical, removed.canonical), isNotNull(removedAt));
    await tx
      .delete(deliveryAddresses)
      .where(and(eq(deliveryAddresses.accountId, accountId), isSame, or(ne(id, removed.id), not(isUsed))));
    await notifyOfRemovedAddress(tx, ctx, removed, now);
  });
}

/** One of the account's addresses; no row if it belongs to another account or was removed. */
export function selectOwnAddress(db: Database, accountId: Param, id: Param) {
  const { type, address, isOurs } = deliveryAddresses;
  return db.select({ type, address, isOurs }).from(deliveryAddresses).where(isOwn(accountId, id));
}

/** Converts an address to the API's form. */
export function toDeliveryAddress(row: DeliveryAddressRow): DeliveryAddress {
  return {
    id: row.id,
    type: row.type,
    address: row.address,
    label: row.label,
    created_at: row.createdAt.toISOString(),
  };
}

/** Converts an address of a list to the API's form. */
export function toListedAddress(row: DeliveryAddressRow & LastUse): DeliveryAddress {
  return { ...toDeliveryAddress(row), last_delivery: row.lastDelivery, last_refund: row.lastRefund };
}

const isOwn = (accountId: string | Param, id: string | Param) =>
  and(eq(deliveryAddresses.id, id), eq(deliveryAddresses.accountId, accountId), isNull(deliveryAddresses.removedAt));

function parseAddress(
  { config, forbiddenDeliveryAddresses: forbidden }: RunningContext,
  { type, address }: { type: AddressType; address: string },
): ParsedAddress {
  if (type === "ETH") return parseEthAddress(address, { forbidden });
  const parsed = parseMobAddress(address);
  requireKnownFog(parsed, config.fogServers);
  if (forbidden.includes(toPlainMob(parsed.canonical))) throw refuseOwn();
  return parsed;
}

/**
 * Whether it is the funding address of an order: a payout to it would be mistaken for a deposit.
 * MobileCoin addresses are compared by their keys, because Fog data can be added to one of ours.
 */
async function isFundingAddress(db: Database, parsed: ParsedAddress): Promise<boolean> {
  const isMob = !parsed.canonical.startsWith("0x");
  const forms = isMob ? [toPlainMob(parsed.canonical)] : [parsed.address, parsed.canonical];
  const [order] = await db
    .select({ id: orders.id })
    .from(orders)
    .where(and(eq(orders.sourceAsset, isMob ? "MOB" : "USDT"), inArray(orders.fundingAddress, forms)))
    .limit(1);
  return order !== undefined;
}

/** Returns the address with these keys and no Fog data, which is the form that our wallet assigns. */
function toPlainMob(canonical: string): string {
  const keys = Buffer.from(canonical, "hex");
  return encodeMobAddress({ viewPublicKey: keys.subarray(0, 32), spendPublicKey: keys.subarray(32) });
}

function refuseOwn(): ExchangeError {
  const message = "This address belongs to the exchange. Enter an address of your own wallet.";
  return new ExchangeError("address_invalid", { message, fields: { address: message } });
}

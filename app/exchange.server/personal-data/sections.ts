import { and, desc, eq, inArray, type SQL } from "drizzle-orm";
import type { PgColumn, PgSelect, PgTable } from "drizzle-orm/pg-core";
import { formatAmount, formatDecimal, RATE_DECIMALS } from "../../lib/money";
import { toOrderNumber } from "../../lib/order-number";
import { isFilled } from "../../lib/order-states";
import type { Caller } from "../accounts/caller";
import type { ExchangeContext } from "../context";
import type { Database } from "../db/database";
import { newestFirst, type PageRequest, readAllPages } from "../db/pages";
import { consents, knownNetworks, passkeys, sessions } from "../db/schema/accounts";
import { deliveryAddresses } from "../db/schema/addresses";
import { deposits } from "../db/schema/deposits";
import { kycApplications } from "../db/schema/kyc";
import { type OrderRow, orderEvents, orders } from "../db/schema/orders";
import { payments } from "../db/schema/payments";
import { priceAlerts } from "../db/schema/price-alerts";
import { pushSubscriptions } from "../db/schema/push";
import { quotes } from "../db/schema/quotes";
import { tryUnsealDetails } from "../kyc/details";

type Cell = string | number | boolean | Date | null;

/** A list in the export: one row of cells for each thing that we keep. */
export type Section = {
  name: string;
  columns: readonly string[];
  /** Reads the rows a page at a time, newest first. */
  readPages(): AsyncGenerator<Cell[][], void>;
};

type Keyed = { createdAt: Date; id: string | number };

const pageSize = 500;

/** The name of each column and its cell in a row. */
type Columns<Row> = Record<string, (row: Row) => Cell>;

function toSection<Row extends Keyed>(
  name: string,
  readPage: (page: PageRequest) => Promise<Row[]>,
  columns: Columns<Row>,
): Section {
  return toSectionOfPages(name, () => readAllPages(readPage, pageSize), columns);
}

function toSectionOfPages<Row>(name: string, readRows: () => AsyncGenerator<Row[]>, columns: Columns<Row>): Section {
  return {
    name,
    columns: Object.keys(columns),
    async *readPages() {
      for await (const rows of readRows()) {
        yield rows.map((row) => Object.values(columns).map((toCell) => toCell(row)));
      }
    },
  };
}

type AccountTable = PgTable & Keys & { accountId: PgColumn };

/** Reads the account's rows of a table. */
function readOwn<T extends AccountTable>({ db }: ExchangeContext, { accountId }: Caller, table: T) {
  return (page: PageRequest): Promise<T["$inferSelect"][]> => selectOwn(db, accountId, table, page).execute();
}

/** Selects a page of an account's rows of a table. */
export function selectOwn(db: Database, accountId: string, table: AccountTable, page: PageRequest) {
  const query = db.select().from(table as PgTable);
  return toPageOf(query.$dynamic(), { keys: table, own: eq(table.accountId, accountId), page });
}

type Keys = { createdAt: PgColumn; id: PgColumn };

/** Limits a query to a page of the account's own rows, newest first. */
function toPageOf<Query extends PgSelect>(
  query: Query,
  { keys, own, page }: { keys: Keys; own: SQL; page: PageRequest },
) {
  const { after, orderBy, limit } = newestFirst(keys, page);
  return query
    .where(and(own, after))
    .orderBy(...orderBy)
    .limit(limit);
}

/** Everything that we keep about one account, without keys, hashes of tokens, and codes. */
export function listSections(ctx: ExchangeContext, caller: Caller): Section[] {
  return [
    toVerification(ctx, caller),
    toAddresses(ctx, caller),
    toPriceAlerts(ctx, caller),
    toNotifiedBrowsers(ctx, caller),
    toSwaps(ctx, caller),
    toSwapHistory(ctx, caller),
    toDeposits(ctx, caller),
    toPayments(ctx, caller),
    toPrices(ctx, caller),
    toPasskeys(ctx, caller),
    toSessions(ctx, caller),
    toNetworks(ctx, caller),
    toConsents(ctx, caller),
  ];
}

function toVerification(ctx: ExchangeContext, caller: Caller): Section {
  const readApplications = readOwn(ctx, caller, kycApplications);
  const readPage = async (page: PageRequest) =>
    (await readApplications(page)).map((row) => ({ ...row, sent: tryUnsealDetails(ctx.config, row) }));
  return toSection("verification", readPage, {
    sent_at: (row) => row.createdAt,
    status: (row) => row.status,
    reasons: (row) => row.reasons.join(" "),
    reviewer: (row) => row.provider,
    given_to_reviewer_at: (row) => row.submittedAt,
    decided_at: (row) => row.decidedAt,
    approved_at: (row) => row.approvedAt,
    reference: (row) => row.id,
    first_name: (row) => row.sent?.first_name ?? null,
    last_name: (row) => row.sent?.last_name ?? null,
    date_of_birth: (row) => row.sent?.date_of_birth ?? null,
    country: (row) => row.sent?.country ?? null,
    document_type: (row) => row.sent?.document_type ?? null,
    document_number: (row) => row.sent?.document_number ?? null,
  });
}

function toAddresses(ctx: ExchangeContext, caller: Caller): Section {
  return toSection("addresses", readOwn(ctx, caller, deliveryAddresses), {
    type: (row) => row.type,
    address: (row) => row.address,
    label: (row) => row.label,
    added_at: (row) => row.createdAt,
    removed_at: (row) => row.removedAt,
  });
}

function toPriceAlerts(ctx: ExchangeContext, caller: Caller): Section {
  return toSection("price-alerts", readOwn(ctx, caller, priceAlerts), {
    when: (row) => row.direction,
    usdt_per_mob: (row) => formatDecimal(row.rate, RATE_DECIMALS),
    set_at: (row) => row.createdAt,
  });
}

/** Names only the push service: anyone with the endpoint and the keys could send notifications to the browser. */
function toNotifiedBrowsers(ctx: ExchangeContext, caller: Caller): Section {
  return toSection("notified-browsers", readOwn(ctx, caller, pushSubscriptions), {
    push_service: (row) => new URL(row.endpoint).host,
    added_at: (row) => row.createdAt,
  });
}

function toSwaps(ctx: ExchangeContext, caller: Caller): Section {
  const ofFill = (row: OrderRow, units: bigint | null, format: (units: bigint) => string) =>
    isFilled(row) && units !== null ? format(units) : null;
  return toSection("swaps", readOwn(ctx, caller, orders), {
    swap: (row) => toOrderNumber(row.quoteId),
    status: (row) => row.status,
    send_asset: (row) => row.sourceAsset,
    send_amount: (row) => formatAmount(row.sourceAmount, row.sourceAsset),
    receive_asset: (row) => row.targetAsset,
    receive_amount: (row) => formatAmount(row.targetAmount, row.targetAsset),
    fee_amount: (row) => formatAmount(row.feeAmount, row.sourceAsset),
    exchange_rate: (row) => formatDecimal(row.rate, RATE_DECIMALS),
    swapped_send_amount: (row) => ofFill(row, row.filledSource, (units) => formatAmount(units, row.sourceAsset)),
    swapped_receive_amount: (row) => ofFill(row, row.filledTarget, (units) => formatAmount(units, row.targetAsset)),
    swapped_fee_amount: (row) => ofFill(row, row.filledFee, (units) => formatAmount(units, row.sourceAsset)),
    swapped_exchange_rate: (row) => ofFill(row, row.filledRate, (units) => formatDecimal(units, RATE_DECIMALS)),
    decision: (row) => row.decisionChoice,
    decided_by: (row) => row.decidedBy,
    decision_reason: (row) => row.decisionReason,
    hold_reason: (row) => row.holdReason,
    funding_address: (row) => row.fundingAddress,
    delivery_address: (row) => row.deliveryAddress,
    refund_address: (row) => row.refundAddress,
    created_at: (row) => row.createdAt,
    pay_by: (row) => row.expiresAt,
    tracking_link_made_at: (row) => row.trackedSince,
    updated_at: (row) => row.updatedAt,
  });
}

/**
 * Reads what belongs to the account's orders, a page of orders at a time, the newest first: deposits and payments are
 * found by their order, so that a long history takes no longer for each page.
 */
async function* readOfOrders<Row extends { orderId: string }>(
  ctx: ExchangeContext,
  caller: Caller,
  readOf: (orderIds: string[]) => Promise<Row[]>,
) {
  for await (const page of readAllPages(readOwn(ctx, caller, orders), pageSize)) {
    const quoteIds = new Map(page.map(({ id, quoteId }) => [id, quoteId]));
    const rows = page.length === 0 ? [] : await readOf([...quoteIds.keys()]);
    yield rows.map((row) => ({ ...row, quoteId: quoteIds.get(row.orderId) ?? 0 }));
  }
}

/** The deposits of these orders, newest first. */
export function selectOrderDeposits(db: Database, orderIds: string[]) {
  const { orderId, createdAt, id } = deposits;
  return db.select().from(deposits).where(inArray(orderId, orderIds)).orderBy(desc(createdAt), desc(id));
}

/** The payments of these orders, newest first. */
export function selectOrderPayments(db: Database, orderIds: string[]) {
  const { orderId, createdAt, id } = payments;
  return db.select().from(payments).where(inArray(orderId, orderIds)).orderBy(desc(createdAt), desc(id));
}

/** The events of these orders, newest first. */
export function selectOrderEvents(db: Database, orderIds: string[]) {
  const { orderId, at, id } = orderEvents;
  return db.select().from(orderEvents).where(inArray(orderId, orderIds)).orderBy(desc(at), desc(id));
}

/** What happened to the swaps, without the internal IDs that the events refer to. */
function toSwapHistory(ctx: ExchangeContext, caller: Caller): Section {
  const readRows = () => readOfOrders(ctx, caller, (ids) => selectOrderEvents(ctx.db, ids).execute());
  return toSectionOfPages("swap-history", readRows, {
    swap: (row) => toOrderNumber(row.quoteId),
    event: (row) => row.kind,
    status: (row) => row.toStatus,
    at: (row) => row.at,
  });
}

function toDeposits(ctx: ExchangeContext, caller: Caller): Section {
  const readRows = () => readOfOrders(ctx, caller, (ids) => selectOrderDeposits(ctx.db, ids).execute());
  return toSectionOfPages("deposits", readRows, {
    swap: (row) => toOrderNumber(row.quoteId),
    asset: (row) => row.asset,
    amount: (row) => formatAmount(row.amount, row.asset),
    status: (row) => row.status,
    transaction: (row) => row.displayHash,
    block_time: (row) => row.blockTime,
    seen_at: (row) => row.createdAt,
  });
}

function toPayments(ctx: ExchangeContext, caller: Caller): Section {
  const readRows = () => readOfOrders(ctx, caller, (ids) => selectOrderPayments(ctx.db, ids).execute());
  return toSectionOfPages("payments", readRows, {
    swap: (row) => toOrderNumber(row.quoteId),
    purpose: (row) => row.purpose,
    asset: (row) => row.asset,
    amount: (row) => formatAmount(row.amount, row.asset),
    address: (row) => row.address,
    status: (row) => row.status,
    transaction: (row) => row.hash,
    planned_at: (row) => row.createdAt,
    confirmed_at: (row) => row.confirmedAt,
    refund_cost: (row) => (row.purpose === "refund" ? formatAmount(row.grossAmount - row.amount, row.asset) : null),
    sent_at: (row) => row.sentAt,
  });
}

/** The prices that the customer asked for, including those that they did not lock. */
function toPrices(ctx: ExchangeContext, caller: Caller): Section {
  return toSection("prices", readOwn(ctx, caller, quotes), {
    number: (row) => toOrderNumber(row.id),
    status: (row) => row.status,
    send_asset: (row) => row.sourceAsset,
    send_amount: (row) => formatAmount(row.sourceAmount, row.sourceAsset),
    receive_asset: (row) => row.targetAsset,
    receive_amount: (row) => formatAmount(row.targetAmount, row.targetAsset),
    fee_amount: (row) => formatAmount(row.feeAmount, row.sourceAsset),
    exchange_rate: (row) => formatDecimal(row.rate, RATE_DECIMALS),
    asked_at: (row) => row.createdAt,
    locked_at: (row) => row.lockedAt,
  });
}

function toPasskeys(ctx: ExchangeContext, caller: Caller): Section {
  return toSection("passkeys", readOwn(ctx, caller, passkeys), {
    name: (row) => row.name,
    synced: (row) => row.backedUp,
    transports: (row) => row.transports.join(" "),
    added_with_passkey: (row) => row.addedByPasskey,
    paused_until: (row) => row.pausedUntil,
    added_at: (row) => row.createdAt,
    last_used_at: (row) => row.lastUsedAt,
  });
}

function toSessions(ctx: ExchangeContext, caller: Caller): Section {
  return toSection("sessions", readOwn(ctx, caller, sessions), {
    signed_in_with: (row) => row.method,
    browser: (row) => row.userAgent,
    started_at: (row) => row.createdAt,
    last_used_at: (row) => row.lastUsedAt,
    ended_at: (row) => row.revokedAt,
    passkey_verified_at: (row) => row.passkeyAt,
  });
}

/** We keep only a keyed hash of each network, which would not tell the customer anything. */
function toNetworks({ db }: ExchangeContext, { email }: Caller): Section {
  const keys = { createdAt: knownNetworks.lastSignInAt, id: knownNetworks.networkHash };
  const readPage = (page: PageRequest) =>
    toPageOf(db.select(keys).from(knownNetworks).$dynamic(), { keys, own: eq(knownNetworks.email, email), page });
  return toSection("known-networks", readPage, { last_sign_in_at: (row) => row.createdAt });
}

function toConsents({ db }: ExchangeContext, { accountId }: Caller): Section {
  const keys = { createdAt: consents.acceptedAt, id: consents.document, version: consents.version };
  const readPage = (page: PageRequest) =>
    toPageOf(db.select(keys).from(consents).$dynamic(), { keys, own: eq(consents.accountId, accountId), page });
  return toSection("consents", readPage, {
    document: (row) => row.id,
    version: (row) => row.version,
    accepted_at: (row) => row.createdAt,
  });
}

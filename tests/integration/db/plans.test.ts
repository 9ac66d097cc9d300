import { type SQLWrapper, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { selectAddresses } from "~/exchange.server/addresses/delivery-addresses";
import { queryRows } from "~/exchange.server/db/database";
import type { OpenDatabase } from "~/exchange.server/db/open";
import { orders as orderTable } from "~/exchange.server/db/schema/orders";
import { quotes } from "~/exchange.server/db/schema/quotes";
import { selectScanState } from "~/exchange.server/deposits/scan";
import { selectOrderFaults } from "~/exchange.server/ledger/check-books";
import { selectReleasable } from "~/exchange.server/orders/holds/owner-eligibility";
import { selectLiquidity } from "~/exchange.server/orders/liquidity";
import { selectUnpaidOrders } from "~/exchange.server/orders/locking/unpaid-locks";
import { selectPostponedRefunds } from "~/exchange.server/orders/payouts-and-refunds/postponed-refunds";
import { selectOrders } from "~/exchange.server/orders/views/list-orders";
import { selectOrderTotals } from "~/exchange.server/orders/views/order-totals";
import { selectChangeHashes, selectKnownHashes } from "~/exchange.server/payments/history/known-payments";
import { selectBooks } from "~/exchange.server/payments/reserves/reserve-books";
import { selectUncollected } from "~/exchange.server/payments/reserves/uncollected";
import { eraseQuotes, selectRecentlyDeleted } from "~/exchange.server/personal-data/delete-account";
import {
  selectOrderDeposits,
  selectOrderEvents,
  selectOrderPayments,
  selectOwn,
} from "~/exchange.server/personal-data/sections";
import { purgeQuotes, selectOverdueQuotes } from "~/exchange.server/pricing/quotes";
import { openTestDatabase } from "../../support/test-database";

const accounts = 200;
const orders = 20_000;

/** Plans for a database with many orders: 1 in 1,000 waits for its deposit. */
describe("on a PostgreSQL with 20,000 orders", () => {
  let database: OpenDatabase;
  beforeAll(async () => {
    database = await openTestDatabase("PostgreSQL");
    for (const statement of [
      `insert into chain_states (asset, synced) values ('USDT', true), ('MOB', true)`,
      `insert into accounts (id, email, is_active, kyc_status, created_at)
        select 'a' || n, n || '@example.org', true, 'approved', now() from generate_series(1, ${accounts}) n`,
      `insert into quotes (id, account_id, status, source_asset, target_asset, source_amount, target_amount, fee_amount,
          rate, expires_at, created_at, updated_at)
        select n, 'a' || (1 + n % ${accounts}), 'used', 'USDT', 'MOB', 1, 1, 0, 1, now(), now(), now()
          from generate_series(1, ${orders}) n`,
      `insert into orders (id, account_id, quote_id, status, source_asset, target_asset, source_amount, target_amount,
          fee_amount, rate, delivery_address, refund_address, funding_address, expires_at, grace_ms, created_at, updated_at)
        select 'o' || n, 'a' || (1 + n % ${accounts}), n, case when n % 1000 = 0 then 'awaiting_deposit' else 'completed' end,
          'USDT', 'MOB', 1, 1, 0, 1, 'd' || n, 'r' || n, 'f' || n, now(), 0, now() - n * interval '1 minute', now()
          from generate_series(1, ${orders}) n`,
      `insert into order_events (order_id, kind, from_status, to_status, at)
        select 'o' || n, status, 'awaiting_deposit', status, now()
          from generate_series(1, ${orders}) n, unnest(array['confirming', 'paying_out', 'completed']) status`,
      `insert into deposits (id, order_id, asset, tx_hash, log_index, display_hash, block_hash, block_number, block_time,
          amount, confirmations, required_confirmations, status, credited_at, empty_at_height, created_at, updated_at)
        select 'd' || n, 'o' || n, 'USDT', 't' || n, 0, 't' || n, 'b' || n, n, now(), 1, 3, 3, 'confirmed', now(), n, now(), now()
          from generate_series(1, ${orders}) n`,
      `insert into payments (id, order_id, purpose, asset, gross_amount, amount, address, status, required_confirmations,
          hash, settled_at, created_at, updated_at)
        select 'p' || n, 'o' || n, 'payout', 'MOB', 1, 1, 'd' || n, 'confirmed', 1, 'h' || n, now(), now(), now()
          from generate_series(1, ${orders}) n`,
      `insert into ledger_transfers (asset, from_code, to_code, amount, kind, order_id, link_id, at)
        select 'USDT', 'external', 'held:o' || n, 1, 'deposit', 'o' || n, 'l' || n, now() from generate_series(1, ${orders}) n`,
      `update chain_states set finalized_height = ${orders} - 10`,
      `insert into ledger_accounts (asset, code, balance)
        select 'MOB', kind || ':o' || n, case when kind = 'reserved' and n % 1000 = 0 then 1 else 0 end
          from generate_series(1, ${orders}) n, unnest(array['held', 'reserved', 'payable']) kind`,
      `insert into ledger_accounts (asset, code, balance) values
        ('MOB', 'external', -1), ('MOB', 'treasury', 1), ('MOB', 'fees', 0), ('USDT', 'treasury', 0)`,
      "analyze",
    ]) {
      await database.db.execute(sql.raw(statement));
    }
  }, 120_000);
  afterAll(() => database?.close());

  const readPlan = async (query: SQLWrapper) => {
    const rows = await queryRows<{ "QUERY PLAN": string }>(database.db, sql`explain ${query.getSQL()}`);
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  };

  it("T43 a lock never scans a whole table that grows with the orders", async () => {
    const [accountId, now] = [sql.param("a1"), sql.param(new Date(), orderTable.expiresAt)];
    const decisionTtlMs = sql.param(1, orderTable.graceMs);
    for (const query of [
      selectLiquidity(database.db, accountId),
      selectUnpaidOrders(database.db, { accountId, now, decisionTtlMs }),
    ]) {
      const plan = await readPlan(query);
      expect(plan).toContain("orders_unpaid");
      expect(plan).not.toMatch(/Seq Scan on (orders|ledger_accounts)/);
    }
  });

  it("T49 the addresses of the last swaps are found among the newest orders of the account, once for a whole list", async () => {
    const plan = await readPlan(selectAddresses(database.db, "a1", { type: null, limit: 100, cursor: null }));
    expect(plan).toContain("Index Scan Backward using orders_of_account");
    expect(plan.match(/InitPlan/g)).toHaveLength(4);
    expect(plan).not.toMatch(/SubPlan|Seq Scan on orders/);
  });

  it("the jobs never scan a whole table that grows with the orders", async () => {
    const queries = [
      selectScanState(database.db, "USDT"),
      selectUncollected("USDT"),
      selectReleasable(database.db),
      selectOverdueQuotes(database.db, new Date()),
      selectPostponedRefunds(database.db, { USDT: 500_000n, MOB: 400_000_000n }),
      selectBooks("USDT", { height: orders, addresses: ["0x1"], arrived: ["d1"] }),
      selectKnownHashes({ asset: "MOB", hashes: ["h1", "h2"] }),
      selectChangeHashes({ asset: "MOB", hashes: ["c1", "c2"] }),
      selectOrderFaults((orderId) => sql`${orderId} in ('o1', 'o2')`),
    ];
    for (const query of queries) {
      expect(await readPlan(query)).not.toMatch(
        /Seq Scan on (quotes|orders|deposits|payments|ledger_accounts|ledger_transfers)/,
      );
    }
  });

  it("an export, the deletion of an account and the purge read only the rows they need", async () => {
    const page = { limit: 500, cursor: { at: new Date(), id: "1" } };
    const queries = [
      selectOwn(database.db, "a1", quotes, page),
      eraseQuotes(database.db, "a1"),
      purgeQuotes(database.db, new Date()),
    ];
    for (const query of queries) expect(await readPlan(query)).not.toMatch(/Seq Scan on (quotes|orders)/);
    const ofAccount = Array.from({ length: orders / accounts }, (_, n) => `o${n * accounts}`);
    const selectOfOrders = [selectOrderDeposits, selectOrderPayments, selectOrderEvents];
    for (const query of selectOfOrders.map((select) => select(database.db, ofAccount)))
      expect(await readPlan(query)).not.toMatch(/Seq Scan|Join/);
  });

  it("a page of orders and their totals read only the account's orders", async () => {
    const plan = await readPlan(selectOrders(database.db, "a1", { limit: 20, cursor: null }, {}));
    expect(plan).toContain("orders_of_account");
    expect(plan).not.toContain("Seq Scan");
    expect(await readPlan(selectOrderTotals(database.db, "a1"))).not.toContain("Seq Scan on orders");
  });

  it("a search for a hash reads the account's orders, and finds deposits and payments by their hashes", async () => {
    const filters = { search: `0x${"ab".repeat(32)}`, state: "completed", source_asset_symbol: "USDT" } as const;
    const plan = await readPlan(selectOrders(database.db, "a1", { limit: 20, cursor: null }, filters));
    expect(plan).not.toContain("Seq Scan");
    for (const index of ["orders_of_account", "deposits_by_hash", "payments_by_hash"]) expect(plan).toContain(index);
  });

  it("the job that erases leftovers of deleted accounts does not read other accounts", async () => {
    for (const statement of [
      `insert into accounts (id, email, created_at)
        select 'other' || n, 'other' || n || '@example.org', now() from generate_series(1, 5000) n`,
      "analyze accounts",
    ])
      await database.db.execute(sql.raw(statement));
    expect(await readPlan(selectRecentlyDeleted(database.db, new Date()))).toContain("accounts_deleted");
  });
});

import { randomBytes } from "node:crypto";
import pg from "pg";
import { hashAccessToken } from "~/exchange.server/accounts/tokens";

/** Customers with many settled orders each. */
const customers = 1_000;

/**
 * Inserts settled orders numbered `from` to `to` with everything that belongs to them: quote, events, deposit, payout
 * and ledger. Together they move nothing, so the books still match the sandbox's chains.
 */
export async function insertSettledOrders(url: string, { from, to }: { from: number; to: number }): Promise<void> {
  const [paid, received] = ["100000000", "284285714285629"];
  const days = "now() - (n % 700) * interval '1 day' - interval '1 hour'";
  const series = `generate_series(${from}, ${to}) n`;
  const account = `'customer-' || (1 + n % ${customers})`;
  const statements = [
    `insert into accounts (id, email, email_verified_at, kyc_status, created_at)
       select 'customer-' || n, 'customer' || n || '@example.org', now(), 'approved', now()
         from generate_series(1, ${customers}) n on conflict do nothing`,
    `insert into quotes (id, account_id, status, source_asset, target_asset, source_amount, target_amount, fee_amount, rate,
         expires_at, created_at, updated_at)
       select 8000000000 + n, ${account}, 'used', 'USDT', 'MOB', ${paid}, ${received}, 0, 2857142857142, ${days}, ${days}, ${days}
         from ${series}`,
    `insert into orders (id, account_id, quote_id, status, source_asset, target_asset, source_amount, target_amount,
         fee_amount, rate, filled_source, filled_target, filled_fee, filled_rate, delivery_address, refund_address,
         funding_address, expires_at, grace_ms, created_at, updated_at)
       select 'settled-' || n, ${account}, 8000000000 + n, 'completed', 'USDT', 'MOB', ${paid}, ${received}, 0, 2857142857142,
              ${paid}, ${received}, 0, 2857142857142, 'delivery-' || n, 'refund-' || n, 'funding-' || n, ${days}, 120000,
              ${days}, ${days}
         from ${series}`,
    `insert into order_events (order_id, kind, from_status, to_status, at)
       select 'settled-' || n, kind, null, status, ${days}
         from ${series}, (values ('created', 'awaiting_deposit'), ('deposit_seen', 'confirming'), ('filled', 'paying_out'),
                                 ('completed', 'completed')) as steps (kind, status)`,
    `insert into deposits (id, order_id, asset, tx_hash, log_index, display_hash, block_hash, block_number, block_log_index,
         block_time, amount, confirmations, required_confirmations, status, credited_at, empty_at_height, created_at, updated_at)
       select 'deposit-' || n, 'settled-' || n, 'USDT', 'tx-' || n, 0, 'tx-' || n, 'block-' || n, 0, 0, ${days}, ${paid}, 3, 3,
              'confirmed', ${days}, 0, ${days}, ${days}
         from ${series}`,
    `insert into payments (id, order_id, purpose, asset, gross_amount, amount, address, status, hash, confirmations,
         required_confirmations, settled_at, created_at, updated_at, sent_at, confirmed_at)
       select 'payment-' || n, 'settled-' || n, 'payout', 'MOB', ${received}, ${received}, 'delivery-' || n, 'confirmed',
              'payout-' || n, 1, 1, ${days}, ${days}, ${days}, ${days}, ${days}
         from ${series}`,
    `insert into ledger_accounts (asset, code, balance)
       select asset, kind || ':settled-' || n, 0
         from ${series}, (values ('USDT', 'held'), ('MOB', 'reserved'), ('MOB', 'payable')) as codes (asset, kind)`,
    `insert into ledger_transfers (asset, from_code, to_code, amount, kind, order_id, link_id, at)
       select asset, replace(source, '%', ':settled-' || n), replace(target, '%', ':settled-' || n), amount, kind,
              'settled-' || n, 'link-' || n, ${days}
         from ${series}, (values ('MOB', 'treasury', 'reserved%', ${received}, 'reserve'),
                                 ('USDT', 'external', 'held%', ${paid}, 'deposit'),
                                 ('USDT', 'held%', 'treasury', ${paid}, 'swap_in'),
                                 ('MOB', 'reserved%', 'payable%', ${received}, 'swap_out'),
                                 ('MOB', 'payable%', 'external', ${received}, 'paid'))
                as legs (asset, source, target, amount, kind)`,
    `insert into ledger_transfers (asset, from_code, to_code, amount, kind, link_id, at)
       select asset, source, target, amount::numeric * ${to - from + 1}, 'float', 'scale-' || ${from}, now()
         from (values ('USDT', 'treasury', 'external', ${paid}), ('MOB', 'external', 'treasury', ${received}))
                as legs (asset, source, target, amount)`,
  ];
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Without triggers, because these rows don't have to be announced.
    await client.query("set session_replication_role = replica");
    // In one transaction, because the running site checks the books.
    await client.query("begin");
    for (const statement of statements) await client.query(statement);
    await client.query("commit");
    await client.query("vacuum analyze");
  } finally {
    await client.end();
  }
}

export type Trader = { token: string; deliveryId: string; refundId: string };

/** Accounts that can swap: copies of the addresses of `email`, each with a session. */
export async function insertTraders(
  url: string,
  { email, prefix, count }: { email: string; prefix: string; count: number },
): Promise<Trader[]> {
  const tokens = Array.from({ length: count }, (_, at) => ({
    id: `${prefix}-${at + 1}`,
    token: `aa_${randomBytes(32).toString("base64url")}`,
  }));
  const rows = JSON.stringify(tokens.map(({ id, token }) => ({ id, hash: hashAccessToken(token) })));
  const traders = "json_to_recordset($1::json) as t (id text, hash text)";
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `insert into accounts (id, email, email_verified_at, kyc_status, created_at)
         select id, id || '@example.org', now(), 'approved', now() from ${traders}`,
      [rows],
    );
    await client.query(
      `insert into sessions (id, account_id, method, passkey_at, generation, rotated_at, created_at, last_used_at)
         select id, id, 'passkey', now(), 0, now(), now(), now() from ${traders}`,
      [rows],
    );
    await client.query(
      `insert into access_tokens (hash, session_id, expires_at) select hash, id, now() + interval '1 day' from ${traders}`,
      [rows],
    );
    await client.query(
      `insert into delivery_addresses (id, account_id, type, address, canonical, label, created_at)
         select t.id || '-' || a.type, t.id, a.type, a.address, a.canonical, '', now()
           from ${traders}, delivery_addresses a
          where a.account_id = (select id from accounts where email = $2)`,
      [rows, email],
    );
  } finally {
    await client.end();
  }
  return tokens.map(({ id, token }) => ({ token, deliveryId: `${id}-MOB`, refundId: `${id}-ETH` }));
}

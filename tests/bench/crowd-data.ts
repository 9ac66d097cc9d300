import { createHmac, randomBytes } from "node:crypto";
import { createCookie } from "@remix-run/node";
import { sql } from "drizzle-orm";
import { hashAccessToken } from "~/exchange.server/accounts/tokens";
import type { OpenDatabase } from "~/exchange.server/db/open";

/** One event stream: what it requests, for which account and from which address. */
export type Watcher = { path: string; cookie: string; address: string };

const streamsPerAccount = 4;
const streamsPerAddress = 100;

/**
 * Copies the account that has an order, with its session, quote and order, until the event streams have as many
 * accounts and addresses as the limits require (T16).
 */
export async function createWatchers(
  { db }: Pick<OpenDatabase, "db">,
  { email, streams, sessionSecret }: { email: string; streams: number; sessionSecret: string },
): Promise<Watcher[]> {
  const accounts = Math.ceil(streams / streamsPerAccount);
  const series = sql`generate_series(1, ${accounts}) n`;
  const account = sql`(select id from accounts where email = ${email})`;
  const copy = (table: string, changes: ReturnType<typeof sql>, from: ReturnType<typeof sql>) => sql`
    insert into ${sql.identifier(table)}
    select (jsonb_populate_record(null::${sql.identifier(table)}, to_jsonb(t) || jsonb_build_object(${changes}))).*
    from ${series}, (select * from ${sql.identifier(table)} where ${from} limit 1) t`;
  const mine = sql`account_id = ${account}`;
  const id = sql`'id', 'watcher-' || n`;
  const ofAccount = sql`${id}, 'account_id', 'watcher-' || n`;
  const numbers = sql`(select max(id) from quotes)`;
  await db.execute(copy("accounts", sql`${id}, 'email', 'watcher' || n || '@example.org'`, sql`id = ${account}`));
  await db.execute(copy("sessions", ofAccount, sql`${mine} and method = 'passkey' and revoked_at is null`));
  await db.execute(
    copy(
      "quotes",
      sql`'id', ${numbers} + n, 'account_id', 'watcher-' || n`,
      sql`id = (select max(quote_id) from orders)`,
    ),
  );
  // The copies of the quotes have the highest numbers.
  const quoteOf = sql`${numbers} - ${accounts} + n`;
  const number = sql`'number', nextval('orders_number_seq'), 'funding_address', 'bench-' || n`;
  await db.execute(copy("orders", sql`${ofAccount}, ${number}, 'quote_id', ${quoteOf}`, mine));

  const tokens = Array.from({ length: accounts }, () => `aa_${randomBytes(32).toString("base64url")}`);
  const rows = tokens.map((token, i) => ({ hash: hashAccessToken(token), session_id: `watcher-${i + 1}` }));
  await db.execute(sql`
    insert into access_tokens (hash, session_id, expires_at)
    select hash, session_id, now() + interval '1 day'
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as t (hash text, session_id text)`);
  const cookies = await Promise.all(tokens.map((token) => toCookie(sessionSecret, token)));
  return Array.from({ length: streams }, (_, i) => {
    const n = Math.floor(i / streamsPerAccount);
    const address = Math.floor(i / streamsPerAddress);
    return {
      path: `/swap/orders/watcher-${n + 1}/events`,
      cookie: `hasVisited=true; ${cookies[n]}`,
      address: `127.2.${Math.floor(address / 200)}.${1 + (address % 200)}`,
    };
  });
}

/** The session cookie as app/session/cookies.server.ts signs it. */
export async function toCookie(sessionSecret: string, access: string): Promise<string> {
  const secret = createHmac("sha256", sessionSecret).update("antelope.site-cookies").digest("base64url");
  const line = await createCookie("session", { secrets: [secret] }).serialize({ access, refresh: null, passkey: true });
  return line.split(";", 1)[0] ?? "";
}

import { eq } from "drizzle-orm";
import pino from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Order } from "~/api/contract";
import { accounts, retainedRecordReadings, retainedRecords } from "~/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { kycApplications } from "~/exchange.server/db/schema/kyc";
import { orders } from "~/exchange.server/db/schema/orders";
import { applyKycDecision } from "~/exchange.server/kyc/apply-decision";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { createTrackingLink } from "~/exchange.server/orders/tracking-links";
import { eraseLeftovers } from "~/exchange.server/personal-data/delete-account";
import { purgeRetainedRecords, readRetainedRecord } from "~/exchange.server/personal-data/retained-records";
import { addMs } from "~/lib/durations";
import { toOrderNumber } from "~/lib/order-number";
import { createTestExchange, type SignedUp, type TestExchange } from "../../support/exchange";
import { openOrder, prepareForSwaps, saveAddresses } from "../../support/open-order";
import { testDatabases } from "../../support/test-database";

const path = "/api/users/me/deletion";
const confirm = "delete my account";
const yearMs = 365.25 * 86_400_000;

describe.each(testDatabases)("the deletion of an account (%s)", (database) => {
  let exchange: TestExchange;
  const logged: Record<string, unknown>[] = [];
  beforeAll(async () => {
    const log = pino({ level: "info" }, { write: (line) => logged.push(JSON.parse(line)) });
    exchange = await createTestExchange({ database, context: { log } });
    await prepareForSwaps(exchange);
  });
  afterAll(() => exchange.close());

  const erase = ({ token }: { token: string }, body: Record<string, unknown> = { confirm }) =>
    exchange.api("POST", path, { token, body });
  const readInbox = async (email: string) => {
    await sendOutbox(exchange.ctx);
    return exchange.inbox.list(email);
  };
  const signUpWithCancelledSwap = async () => {
    // The clock may have moved: reads the chains and the rate again.
    await prepareForSwaps(exchange);
    const customer = await exchange.signUp();
    await sendOutbox(exchange.ctx);
    const { id } = await openOrder(exchange, customer);
    const { token } = customer;
    const shared = await exchange.api("POST", `/api/swap/swaps/${id}/tracking-link`, { token });
    const cancelled = await exchange.api<Order>("POST", `/api/swap/swaps/${id}/cancel`, { token });
    expect(cancelled.body.status).toBe("cancelled");
    return { customer, order: cancelled.body, trackingToken: String(shared.body.token) };
  };
  /** Every row of the database that contains the text. */
  const findRows = async (text: string): Promise<string[]> => {
    const { db } = exchange.ctx;
    const run = async (query: string) =>
      ((await db.execute(query)) as unknown as { rows: Record<string, string>[] }).rows;
    const tables = await run("select tablename as name from pg_tables where schemaname = 'public'");
    const found: string[] = [];
    for (const { name = "" } of tables) {
      const rows = await run(`select row_to_json(t)::text as row from "${name}" t`);
      found.push(...rows.filter(({ row }) => row?.includes(text)).map(({ row }) => `${name}: ${row}`));
    }
    return found;
  };

  it("keeps orders and the books, and only sealed records of who the customer was", async () => {
    const { customer, order } = await signUpWithCancelledSwap();
    const { user, email } = customer;
    const preview = await exchange.api("GET", path, customer);
    expect(preview.body).toMatchObject({ obstacles: [], retention_years: 5 });
    expect((await erase(customer)).status).toBe(204);
    expect(logged).toContainEqual(expect.objectContaining({ account: user.id, msg: "an account was deleted" }));

    const { db, clock } = exchange.ctx;
    const [account] = await db.select().from(accounts).where(eq(accounts.id, user.id));
    expect(account).toMatchObject({ email: `deleted ${user.id}`, emailVerifiedAt: null, isActive: false });
    const [kept] = await db.select().from(retainedRecords).where(eq(retainedRecords.accountId, user.id));
    const years = ((kept?.purgeAt.getTime() ?? 0) - (await clock.now(db)).getTime()) / yearMs;
    expect(years).toBeCloseTo(5, 1);
    expect(await db.select().from(orders).where(eq(orders.id, order.id))).toHaveLength(1);
    expect(await checkBooks(db)).toEqual([]);

    const mails = await readInbox(email);
    expect(mails[0]?.subject).toBe("Your account was deleted");
    // The sandbox's inbox is the customer's mailbox; counters that prevent abuse expire after a day.
    const findTables = async (text: string) => {
      const tables = (await findRows(text)).map((row) => row.slice(0, row.indexOf(":")));
      return [...new Set(tables)].filter((name) => name !== "sandbox_mails" && name !== "limit_events").sort();
    };
    expect(await findTables(email)).toEqual([]);
    expect(await findTables(user.id)).toEqual(["accounts", "orders", "quotes", "retained_records"]);

    const record = await readRetainedRecord(exchange.ctx, {
      accountId: user.id,
      operator: "ada",
      reason: "A request of the court.",
    });
    expect(record.details).toMatchObject({ email, identity_checks: [{ first_name: "Ada", status: "approved" }] });
    expect(await findTables(email)).toEqual([]);
  });

  it("keeps the records of a customer whose approval was withdrawn, even if they cannot be read", async () => {
    const { ctx } = exchange;
    const customer = await exchange.signUp();
    const ofCustomer = eq(kycApplications.accountId, customer.user.id);
    const [sent] = await ctx.db.select().from(kycApplications).where(ofCustomer);
    const decidedAt = addMs(await ctx.clock.now(ctx.db), 1_000);
    const reasons = ["A forged document."];
    await applyKycDecision(ctx, sent?.id ?? "", { status: "rejected", reasons, decidedAt });
    await ctx.db.update(kycApplications).set({ details: "encrypted with another secret" }).where(ofCustomer);
    expect((await exchange.api("GET", path, customer)).body.records_kept_until).not.toBeNull();
    expect((await erase(customer)).status).toBe(204);
    const record = await readRetainedRecord(ctx, {
      accountId: customer.user.id,
      operator: "ada",
      reason: "A request of the court.",
    });
    const approved_at = sent?.approvedAt?.toISOString() ?? "missing";
    const kept = { encrypted_details: "encrypted with another secret", status: "rejected", reasons, approved_at };
    expect(record.details).toMatchObject({ identity_checks: [kept] });
  });

  it("T73 signs the customer out everywhere, and leaves nothing to sign in with", async () => {
    const { customer, trackingToken } = await signUpWithCancelledSwap();
    const headers = { "X-Tracking-Token": trackingToken };
    expect((await exchange.api("GET", "/api/tracking", { headers })).status).toBe(200);
    const second = await exchange.signInByPasskey(customer.authenticator);
    expect((await erase(customer)).status).toBe(204);
    for (const token of [customer.token, second.body.access_token])
      expect((await exchange.api("GET", "/api/users/me", { token })).status).toBe(401);
    expect((await exchange.api("GET", "/api/tracking", { headers })).status).toBe(404);
    const body = { refresh_token: customer.refreshToken };
    expect((await exchange.api("POST", "/api/auth/refresh", { body })).status).toBe(401);
    expect((await exchange.signInByPasskey(customer.authenticator)).status).toBe(401);
    // The same address may register again, and gets a new account.
    const again = await exchange.signUp(customer.email);
    expect(again.user.id).not.toBe(customer.user.id);
    expect((await exchange.api("GET", "/api/swap/swaps", again)).body.items).toEqual([]);
  });

  it("is refused while a swap is open, and says which", async () => {
    const customer = await exchange.signUp();
    const order = await openOrder(exchange, customer);
    const obstacle = {
      reason: "open_swap",
      quote_id: order.quote_id,
      order_number: toOrderNumber(order.quote_id),
    };
    expect((await exchange.api("GET", path, customer)).body.obstacles).toEqual([obstacle]);
    const refused = await erase(customer);
    expect([refused.status, refused.body.detail.code]).toEqual([409, "deletion_refused"]);
    expect(refused.body.obstacles).toEqual([obstacle]);
    expect((await exchange.api("GET", "/api/users/me", customer)).status).toBe(200);
    expect((await exchange.api("GET", "/api/users/me/passkeys", customer)).body.items).toHaveLength(1);
  });

  it("T73 needs a recently verified passkey, or a code that the account's own passkey session requested", async () => {
    const customer: SignedUp = await exchange.signUp();
    for (const body of [{}, { confirm: "yes" }, { confirm, more: 1 }])
      expect((await erase(customer, body)).status).toBe(422);
    const byCode = await exchange.signInByCode(customer.email);
    const weak = await erase({ token: byCode.body.access_token });
    expect(weak.body.detail.code).toBe("passkey_required");
    exchange.advance(6 * 60_000);
    expect((await erase(customer)).body.detail.code).toBe("passkey_too_old");

    const toProof = ({ challengeId, code }: { challengeId: string; code: string }) => ({
      confirm,
      proof: { challenge_id: challengeId, code },
    });
    const strangers = await exchange.requestCode(customer.email);
    expect((await erase(customer, toProof(strangers))).body.detail.code).toBe("code_wrong");
    const other = await exchange.signUp();
    const others = await exchange.requestCode(other.email, other.token);
    expect((await erase(customer, toProof(others))).body.detail.code).toBe("code_wrong");
    const own = await exchange.requestCode(customer.email, customer.token);
    const wrong = { ...own, code: own.code === "000000" ? "111111" : "000000" };
    expect((await erase(customer, toProof(wrong))).body.detail.code).toBe("code_wrong");
    expect((await erase(customer, toProof(own))).status).toBe(204);
    expect((await exchange.api("GET", "/api/users/me", customer)).status).toBe(401);
    expect((await exchange.api("GET", "/api/users/me", other)).status).toBe(200);
  });

  it("T73 is refused for a day after a recovery, so that the owner can still stop an attacker", async () => {
    const customer = await exchange.signUp();
    const byCode = await exchange.signInByCode(customer.email);
    const recovered = await exchange.register(customer.email, { token: byCode.body.access_token });
    const token = recovered.body.access_token;
    expect((await erase({ token })).body.obstacles).toMatchObject([{ reason: "recovered" }]);
  });

  it("keeps nothing that identifies someone who never became a customer", async () => {
    const visitor = await exchange.signUp(undefined, { kyc: false });
    expect((await exchange.api("GET", path, visitor)).body.records_kept_until).toBeNull();
    expect((await erase(visitor)).status).toBe(204);
    const { db } = exchange.ctx;
    expect(await db.select().from(retainedRecords).where(eq(retainedRecords.accountId, visitor.user.id))).toEqual([]);
  });

  it("changes nothing if it fails halfway", async () => {
    const { customer } = await signUpWithCancelledSwap();
    const { db } = exchange.ctx;
    await db.execute(`create or replace function fail_halfway() returns trigger language plpgsql as $$
      begin raise exception 'halfway'; end $$`);
    await db.execute(`create trigger fail_halfway before delete on delivery_addresses
      for each row execute function fail_halfway()`);
    expect((await erase(customer)).status).toBe(500);
    await db.execute("drop trigger fail_halfway on delivery_addresses");
    expect((await exchange.api("GET", "/api/users/me", customer)).body.email).toBe(customer.email);
    expect((await exchange.api("GET", "/api/swap/delivery-addresses", customer)).body.items).toHaveLength(2);
    expect((await exchange.api("GET", "/api/kyc", customer)).body.status).toBe("approved");
    expect((await erase(customer)).status).toBe(204);
  });

  it("erases what a request stored while the account was being deleted", async () => {
    const { customer, order } = await signUpWithCancelledSwap();
    expect((await erase(customer)).status).toBe(204);
    await saveAddresses(exchange, customer);
    const token = await createTrackingLink(exchange.ctx, customer.user.id, order.id);
    await eraseLeftovers(exchange.ctx);
    const headers = { "X-Tracking-Token": token };
    expect((await exchange.api("GET", "/api/tracking", { headers })).status).toBe(404);
    const { db } = exchange.ctx;
    const left = await db.select().from(deliveryAddresses).where(eq(deliveryAddresses.accountId, customer.user.id));
    expect(left).toEqual([]);
  });

  it("purges the retained records when their time is over, with the log of who read them", async () => {
    const { db } = exchange.ctx;
    const [kept] = await db.select().from(retainedRecords);
    await readRetainedRecord(exchange.ctx, { accountId: kept?.accountId ?? "", operator: "ada", reason: "A check." });
    await purgeRetainedRecords(exchange.ctx);
    expect((await db.select().from(retainedRecords)).length).toBeGreaterThan(0);
    exchange.advance(5.1 * yearMs);
    await purgeRetainedRecords(exchange.ctx);
    expect(await db.select().from(retainedRecords)).toEqual([]);
    expect(await db.select().from(retainedRecordReadings)).toEqual([]);
  });
});

import { eq } from "drizzle-orm";
import { strFromU8, unzipSync } from "fflate";
import { beforeEach, describe, expect, it } from "vitest";
import { accessTokens, consents, emailChallenges, passkeys } from "~/exchange.server/db/schema/accounts";
import { kycApplications } from "~/exchange.server/db/schema/kyc";
import { orders } from "~/exchange.server/db/schema/orders";
import { createApi } from "~/exchange.server/http/app";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { toOrderNumber } from "~/lib/order-number";
import type { OrderStatus } from "~/lib/order-states";
import { createTestExchange, type SignedUp, testOrigin } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { openOrder, prepareForSwaps } from "../../support/open-order";

describe("the export of personal data", () => {
  const exchange = forAllTests(() => createTestExchange());
  // On a slow machine, one test may take longer than the checks of the chains count.
  beforeEach(() => prepareForSwaps(exchange));

  const path = "/api/users/me/export";
  const download = async ({ token }: Pick<SignedUp, "token">) => {
    const request = new Request(`${testOrigin}${path}`, { headers: { "X-Auth-Token": token } });
    const response = await createApi(exchange.ctx).fetch(request, {});
    expect(response.status).toBe(200);
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    return {
      headers: response.headers,
      files: Object.fromEntries(Object.entries(files).map(([name, bytes]) => [name, strFromU8(bytes)])),
    };
  };
  // biome-ignore lint/suspicious/noExplicitAny: each list has other columns
  const read = (files: Record<string, string>, name: string): any => JSON.parse(files[`${name}.json`] ?? "null");

  it("contains everything that we keep about the account, each list as JSON and as CSV", async () => {
    const customer = await exchange.signUp();
    const order = await openOrder(exchange, customer);
    const { headers, files } = await download(customer);
    expect(headers.get("Content-Type")).toBe("application/zip");
    expect(headers.get("Content-Disposition")).toBe('attachment; filename="antelope-data.zip"');
    expect(headers.get("Cache-Control")).toBe("private, no-store");
    expect(read(files, "account")).toMatchObject({ email: customer.email, identity: "approved" });
    expect(read(files, "verification")).toMatchObject([
      {
        first_name: "Ada",
        status: "approved",
        approved_at: expect.stringMatching(/^20/),
        reference: expect.stringMatching(/./),
      },
    ]);
    expect(read(files, "addresses").map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(["ETH", "MOB"]),
    );
    const swap = toOrderNumber(order.quote_id);
    expect(read(files, "swaps")).toMatchObject([{ swap, send_asset: "USDT", send_amount: "20" }]);
    expect(read(files, "swap-history")).toEqual([
      { swap, event: "created", status: "awaiting_deposit", at: order.created_at },
    ]);
    expect(read(files, "prices")).toMatchObject([{ number: swap, status: "locked" }]);
    expect(read(files, "passkeys")).toMatchObject([{ added_with_passkey: false, paused_until: null }]);
    expect(read(files, "sessions")[0]).toMatchObject({ passkey_verified_at: expect.stringMatching(/^20/) });
    const lists = Object.keys(files).filter((name) => name.endsWith(".csv"));
    expect(lists).toHaveLength(13);
    for (const name of lists) {
      const entries = read(files, name.replace(".csv", ""));
      expect([name, files[name]?.trimEnd().split("\r\n").length]).toEqual([name, entries.length + 1]);
      expect(files["README.txt"]).toContain(name.replace(".csv", ""));
    }
    expect(files["swaps.csv"]).toContain(`\r\n${swap},awaiting_deposit,USDT,20,`);
  });

  it("says what was swapped only while the fill stands", async () => {
    const customer = await exchange.signUp();
    const { id } = await openOrder(exchange, customer);
    const swappedAs = async (status: OrderStatus) => {
      const filled = {
        filledSource: 19_000_000n,
        filledTarget: 50n * 10n ** 12n,
        filledFee: 95_000n,
        filledRate: 10n ** 12n,
      };
      await exchange.ctx.db
        .update(orders)
        .set({ status, ...filled })
        .where(eq(orders.id, id));
      const [swap] = read((await download(customer)).files, "swaps");
      return [
        swap.swapped_send_amount,
        swap.swapped_receive_amount,
        swap.swapped_fee_amount,
        swap.swapped_exchange_rate,
      ];
    };
    expect(await swappedAs("completed")).toEqual(["19", "50", "0.095", "1"]);
    expect(await swappedAs("refunded")).toEqual([null, null, null, null]);
  });

  it("is complete except for details that were encrypted with another secret", async () => {
    const customer = await exchange.signUp();
    await exchange.ctx.db
      .update(kycApplications)
      .set({ details: "unreadable" })
      .where(eq(kycApplications.accountId, customer.user.id));
    const { files } = await download(customer);
    expect(read(files, "verification")).toMatchObject([{ status: "approved", first_name: null }]);
    expect(read(files, "passkeys")).toHaveLength(1);
  });

  it("T72 contains no data of other accounts, and no keys, tokens or codes", async () => {
    const [other, customer] = [await exchange.signUp(), await exchange.signUp()];
    const theirs = await openOrder(exchange, other);
    await exchange.requestCode(customer.email);
    const all = Object.values((await download(customer)).files).join("\n");
    for (const text of [other.email, toOrderNumber(theirs.quote_id), theirs.funding_address, other.user.id])
      expect(all).not.toContain(text);
    const { db } = exchange.ctx;
    const [passkey] = await db.select().from(passkeys).where(eq(passkeys.accountId, customer.user.id));
    const tokens = await db.select().from(accessTokens);
    const codes = await db.select().from(emailChallenges).where(eq(emailChallenges.email, customer.email));
    const secrets = [
      ...[customer.token, customer.refreshToken, passkey?.publicKey, passkey?.credentialId],
      ...[...tokens.map(({ hash }) => hash), ...codes.map(({ codeHash }) => codeHash)],
    ];
    expect(secrets.length).toBeGreaterThan(5);
    for (const secret of secrets) expect(all).not.toContain(secret ?? "missing");
  });

  it("T31 T72 is refused for a day after a recovery, so that the owner can still stop an attacker", async () => {
    const customer = await exchange.signUp();
    const { body: byCode } = await exchange.signInByCode(customer.email);
    const { body: recovered } = await exchange.register(customer.email, { token: byCode.access_token });
    const refused = await exchange.api("GET", path, { token: recovered.access_token });
    expect([refused.status, refused.body.detail.code]).toEqual([409, "recovered_recently"]);
    const { body: deletion } = await exchange.api("GET", "/api/users/me/deletion", { token: recovered.access_token });
    expect(deletion.obstacles).toEqual([{ reason: "recovered", until: refused.body.until }]);
    const now = await exchange.ctx.clock.now(exchange.ctx.db);
    exchange.advance(Date.parse(refused.body.until) - now.getTime());
    const { body: later } = await exchange.signInByPasskey(customer.authenticator);
    await download({ token: later.access_token });
  });

  it("T72 needs a recently verified passkey, tells the owner, and is limited", async () => {
    const customer = await exchange.signUp();
    const byCode = await exchange.signInByCode(customer.email);
    const refused = await exchange.api("GET", path, { token: byCode.body.access_token });
    expect([refused.status, refused.body.detail.code]).toEqual([403, "passkey_required"]);
    expect((await exchange.api("GET", path)).status).toBe(401);
    expect((await exchange.api("HEAD", path)).status).toBe(401);
    // HEAD downloads nothing: it is neither counted nor told to the owner.
    const head = await exchange.api("HEAD", path, customer);
    expect([head.status, head.headers.get("Content-Type")]).toEqual([200, "application/zip"]);
    for (let i = 0; i < 5; i += 1) expect((await exchange.api("GET", path, customer)).status).toBe(200);
    const limited = await exchange.api("GET", path, customer);
    expect(limited.status).toBe(429);
    const wait = Number(limited.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(3_500);
    expect(wait).toBeLessThanOrEqual(3_600);
    await sendOutbox(exchange.ctx);
    const mails = (await exchange.inbox.list(customer.email)).filter(({ subject }) =>
      /copy of your data/.test(subject),
    );
    expect(mails).toHaveLength(5);
    exchange.advance(6 * 60_000);
    const late = await exchange.api("GET", path, customer);
    expect([late.status, late.body.detail.code]).toEqual([403, "passkey_too_old"]);
  });
});

describe("consents", () => {
  const exchange = forAllTests(() => createTestExchange());

  const path = "/api/users/me/consents";
  const accept = ({ token }: SignedUp, ...accepted: unknown[]) =>
    exchange.api("POST", path, { token, body: { accepted } });

  it("record which version an account accepted, and when it first did", async () => {
    const customer = await exchange.signUp();
    const other = await exchange.signUp();
    expect((await exchange.api("GET", path, customer)).body).toEqual({ items: [] });
    const terms = { document: "terms", version: "2026-11-22" };
    const first = await accept(customer, terms, { document: "privacy", version: "5f2c" });
    expect(first.body.items).toMatchObject([{ document: "privacy", version: "5f2c" }, terms]);
    exchange.advance(60_000);
    expect((await accept(customer, terms)).body).toEqual(first.body);
    const newer = { document: "terms", version: "2027-01-01" };
    expect((await accept(customer, newer)).body.items).toMatchObject([newer, {}, {}]);
    expect((await exchange.api("GET", path, other)).body).toEqual({ items: [] });
    expect((await exchange.api("GET", path)).status).toBe(401);
  });

  it("are limited to 100 per account, even in parallel, and repeated ones do not count", async () => {
    const customer = await exchange.signUp();
    const acceptedAt = new Date();
    const version = (n: number) => ({ document: "terms" as const, version: `v${n}` });
    const { id: accountId } = customer.user;
    await exchange.ctx.db
      .insert(consents)
      .values(Array.from({ length: 98 }, (_, n) => ({ ...version(n), accountId, acceptedAt })));
    const responses = await Promise.all([98, 99, 100, 101].map((n) => accept(customer, version(n))));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 422, 422]);
    expect((await accept(customer, version(0))).body.items).toHaveLength(100);
    expect((await accept(customer, version(0), { document: "privacy", version: "v" })).body.detail.code).toBe(
      "invalid",
    );
    expect(await exchange.ctx.db.$count(consents, eq(consents.accountId, accountId))).toBe(100);
    expect((await accept(await exchange.signUp(), version(0))).status).toBe(200);
  });

  it("are refused for unknown documents and odd versions", async () => {
    const customer = await exchange.signUp();
    expect((await accept(customer)).status).toBe(422);
    for (const version of ["", " ", "a b", "x".repeat(65), "1\n2"])
      expect((await accept(customer, { document: "terms", version })).status).toBe(422);
    expect((await accept(customer, { document: "cookies", version: "1" })).status).toBe(422);
  });
});

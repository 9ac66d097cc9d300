import { describe, expect, it } from "vitest";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { createTestExchange, type SignedUp } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";

describe("e-mail preferences", () => {
  const exchange = forAllTests(() => createTestExchange());

  const path = "/api/users/me/mail-preferences";
  const allOn = { payment_seen: true, paid_out: true, refunded: true };
  const change = ({ token }: SignedUp, body: Record<string, unknown>) => exchange.api("PATCH", path, { token, body });
  const readMails = async ({ email }: SignedUp) => {
    await sendOutbox(exchange.ctx);
    return (await exchange.inbox.list(email)).filter(({ subject }) => subject === "You turned off some e-mails");
  };

  it("change only what is named, and only for the caller", async () => {
    const [customer, other] = [await exchange.signUp(), await exchange.signUp()];
    expect((await exchange.api("GET", path, customer)).body).toEqual(allOn);
    expect((await change(customer, { paid_out: false })).body).toEqual({ ...allOn, paid_out: false });
    const changed = { payment_seen: false, paid_out: false, refunded: true };
    expect((await change(customer, { payment_seen: false })).body).toEqual(changed);
    expect((await exchange.api("GET", path, customer)).body).toEqual(changed);
    expect((await change(customer, { payment_seen: true, paid_out: true })).body).toEqual(allOn);
    expect((await exchange.api("GET", path, other)).body).toEqual(allOn);
  });

  it("send the owner one e-mail about what was turned off", async () => {
    const customer = await exchange.signUp();
    await change(customer, { refunded: false });
    await change(customer, { refunded: false, payment_seen: true });
    await change(customer, { refunded: true });
    const mails = await readMails(customer);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain("we have sent money back to you");
    expect(mails[0]?.text).not.toContain("we see the first payment");
  });

  it("T25 turn e-mails off only ten times an hour, so that other notices cannot be buried", async () => {
    const customer = await exchange.signUp();
    const statuses: number[] = [];
    for (let i = 0; i < 11; i += 1) {
      statuses.push((await change(customer, { paid_out: false })).status);
      expect((await change(customer, { paid_out: true })).body).toEqual(allOn);
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429]);
    expect(await readMails(customer)).toHaveLength(10);
  });

  it("need a passkey, and refuse e-mails that cannot be turned off", async () => {
    const customer = await exchange.signUp();
    const byCode = await exchange.signInByCode(customer.email);
    const token = byCode.body.access_token;
    expect((await exchange.api("PATCH", path, { token, body: { paid_out: false } })).status).toBe(403);
    expect((await exchange.api("GET", path)).status).toBe(401);
    for (const body of [{ decision_needed: false }, { security: false }, { paid_out: "no" }, { paid_out: null }])
      expect((await change(customer, body)).status).toBe(422);
    expect((await exchange.api("GET", path, customer)).body).toEqual(allOn);
  });
});

import { eq } from "drizzle-orm";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { orders } from "~/exchange.server/db/schema/orders";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { toOrderNumber } from "~/lib/order-number";
import { createTestExchange, type SignedUp } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { openOrder, prepareForSwaps } from "../../support/open-order";

const support = "help@antelope.example";

describe("messages to support", () => {
  const exchange = forAllTests(() => createTestExchange({ config: { supportEmail: support } }));
  let customer: SignedUp;
  beforeAll(async () => {
    await prepareForSwaps(exchange);
    customer = await exchange.signUp();
  });

  const send = (body: Record<string, unknown>, options: { token?: string; remoteAddress?: string } = {}) =>
    exchange.api("POST", "/api/support/messages", { body, ...options });
  let spamSent = 0;
  /** Sends a message that differs from all others. */
  const sendSpam = (options: { token?: string; remoteAddress: string }) => {
    spamSent += 1;
    return send({ email: "eve@example.org", message: `Spam ${spamSent}` }, options);
  };
  const readInbox = async () => {
    await sendOutbox(exchange.ctx);
    return exchange.inbox.list(support);
  };

  it("T71 go to the support address only, with the sender's address marked as not verified", async () => {
    const body = { email: "eve@example.org", order_number: "1CRT-8K55-KRE", message: "Where is it?\n\n\n\nEve" };
    expect((await send(body, { remoteAddress: "192.0.2.1" })).status).toBe(204);
    const [mail] = await readInbox();
    expect(mail?.subject).toBe("Message from the contact form: eve@example.org");
    expect(mail?.text).toContain("From: eve@example.org (address not verified)\nSwap: 1CRT-8K55-KRE (not verified)");
    expect(mail?.text).toContain("\n\nTheir message:\n\n> Where is it?\n>\n> Eve\n");
    expect(mail?.text).not.toContain("We never ask");
    expect(await exchange.inbox.list("eve@example.org")).toEqual([]);
  });

  it("include the sender's own swap, but no other customer's", async () => {
    const order = await openOrder(exchange, customer);
    const number = toOrderNumber(order.quote_id);
    const body = { order_number: number.toLowerCase(), message: "It is late." };
    expect((await send(body, { token: customer.token })).status).toBe(204);
    const [mail] = await readInbox();
    expect(mail?.subject).toBe(`Message about swap ${number}: ${customer.email}`);
    expect(mail?.text).toContain(`From: ${customer.email} (signed in)\nSwap: ${number}\nOrder: ${order.id}\n`);
    expect(mail?.text).toContain("Status: awaiting_deposit\nAmounts: 20.00 USDT to ");
    await exchange.ctx.db
      .update(orders)
      .set({ status: "completed", filledSource: 19_000_000n, filledTarget: 50n * 10n ** 12n })
      .where(eq(orders.id, order.id));
    const again = { ...body, message: "It is still late." };
    expect((await send(again, { token: customer.token })).status).toBe(204);
    expect((await readInbox())[0]?.text).toContain("Status: completed\nAmounts: 19.00 USDT to 50.00 MOB");

    const other = await exchange.signUp();
    expect((await send(body, { token: other.token })).status).toBe(204);
    expect((await readInbox())[0]?.text).not.toContain(order.id);
  });

  it("T71 T33 keep the sender's text out of headers and links", async () => {
    const message = "Line\r\nBcc: eve@example.org\u202e\nFrom: ada@example.org (signed in)";
    expect((await send({ email: "eve@example.org", message }, { remoteAddress: "192.0.2.2" })).status).toBe(204);
    const [mail] = await readInbox();
    expect(mail?.text).toContain("> Line\n> Bcc: eve@example.org\n> From: ada@example.org (signed in)\n");
    expect(mail?.text.match(/^From: .*$/gm)).toEqual(["From: eve@example.org (address not verified)"]);
    const bad = { email: "eve@example.org\r\nBcc: x@example.org", message: "x" };
    expect((await send(bad, { remoteAddress: "192.0.2.2" })).status).toBe(422);
  });

  it.each([
    ["no address to reply to", { message: "Nobody can reply to this." }, "email"],
    ["an empty message", { email: "ada@example.org", message: " \u200b\n" }, "message"],
    ["a long message", { email: "ada@example.org", message: "x".repeat(4_001) }, "message"],
    ["a long number", { email: "ada@example.org", message: "x", order_number: "1".repeat(21) }, "order_number"],
  ])("refuse %s", async (_name, body, field) => {
    const refused = await send(body, { remoteAddress: "192.0.2.3" });
    expect([refused.status, Object.keys(refused.body.detail.fields)]).toEqual([422, [field]]);
  });

  it("refuse an expired token instead of sending as a stranger", async () => {
    expect((await send({ email: "ada@example.org", message: "x" }, { token: "expired" })).status).toBe(401);
  });

  it("T71 are sent once if the form is sent twice within a minute, and count twice", async () => {
    const { token } = await exchange.signUp();
    const count = async (text: string) => (await readInbox()).filter((mail) => mail.text.includes(text)).length;
    const sendTwice = () => Promise.all([send({ message: "twice" }, { token }), send({ message: "twice" }, { token })]);
    expect((await sendTwice()).map(({ status }) => status)).toEqual([204, 204]);
    expect(await count("> twice")).toBe(1);

    const elsewhere = { remoteAddress: "192.0.2.4" };
    const body = { email: "ada@example.org", message: "twice" };
    await send(body, elsewhere);
    await send({ ...body, email: "eve@example.org" }, elsewhere);
    await send({ ...body, order_number: "1CRT-8K55-KRE" }, elsewhere);
    expect(await count("> twice")).toBe(4);

    exchange.advance(60_000);
    await sendTwice();
    expect(await count("> twice")).toBe(5);
    expect((await sendSpam({ token, ...elsewhere })).status).toBe(204);
    expect((await sendSpam({ token, ...elsewhere })).status).toBe(429);
  });

  it("T71 are limited per network, without affecting other networks", async () => {
    for (let sent = 0; sent < 5; sent += 1) {
      expect((await sendSpam({ remoteAddress: "192.0.2.9" })).status).toBe(204);
      if (sent === 0) exchange.advance(1_800_000);
    }
    const refused = await sendSpam({ remoteAddress: "192.0.2.9" });
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(1_700);
    exchange.advance((wait - 30) * 1_000);
    expect((await sendSpam({ remoteAddress: "192.0.2.9" })).status).toBe(429);
    exchange.advance(30_000);
    expect((await sendSpam({ remoteAddress: "192.0.2.9" })).status).toBe(204);
    expect((await sendSpam({ remoteAddress: "192.0.2.10" })).status).toBe(204);
    exchange.advance(3_600_001);
    expect((await sendSpam({ remoteAddress: "192.0.2.9" })).status).toBe(204);
  });

  it("T71 are limited together with their network if the account has no verified address", async () => {
    const statuses: number[] = [];
    for (let account = 0; account < 3; account += 1) {
      const { body: registered } = await exchange.register(`stranger${account}@example.net`);
      for (let sent = 0; sent < 2; sent += 1) {
        const options = { token: registered.access_token, remoteAddress: "198.51.100.66" };
        statuses.push((await sendSpam(options)).status);
      }
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    const known = { token: (await exchange.signUp()).token, remoteAddress: "198.51.100.66" };
    expect((await sendSpam(known)).status).toBe(204);
  });

  it("T71 are limited together with their network if the account has nothing but a verified address", async () => {
    const remoteAddress = "198.51.100.67";
    const statuses: number[] = [];
    for (let account = 0; account < 3; account += 1) {
      const { token } = await exchange.signUp(undefined, { kyc: false });
      for (let sent = 0; sent < 2; sent += 1) statuses.push((await sendSpam({ token, remoteAddress })).status);
    }
    expect(statuses).toEqual([204, 204, 204, 204, 204, 429]);
    expect((await readInbox())[0]?.text).toContain(" (signed in)\n");
  });

  it("T71 keep their separate limit after the customer's approval was withdrawn if the customer has a swap", async () => {
    const remoteAddress = "198.51.100.68";
    const { user, authenticator } = customer;
    const token = (await exchange.signInByPasskey(authenticator)).body.access_token;
    const body = { message: "Why am I no longer verified?" };
    await exchange.ctx.db.update(accounts).set({ kycStatus: "rejected" }).where(eq(accounts.id, user.id));
    for (let sent = 0; sent < 5; sent += 1) await sendSpam({ remoteAddress });
    expect((await sendSpam({ remoteAddress })).status).toBe(429);
    expect((await send(body, { token, remoteAddress })).status).toBe(204);
    await exchange.ctx.db.update(accounts).set({ kycStatus: "approved" }).where(eq(accounts.id, user.id));
  });

  it("T71 are accepted from customers when strangers have used up their limit", async () => {
    let refused = 0;
    for (let network = 0; network < 41; network += 1) {
      for (let sent = 0; sent < 5; sent += 1) {
        const { status } = await sendSpam({ remoteAddress: `203.0.113.${network}` });
        if (status === 429) refused += 1;
      }
    }
    expect(refused).toBeGreaterThanOrEqual(5);
    expect((await sendSpam({ remoteAddress: "203.0.113.200" })).status).toBe(429);
    const known = { token: (await exchange.signUp()).token, remoteAddress: "203.0.113.200" };
    for (let sent = 0; sent < 5; sent += 1) expect((await sendSpam(known)).status).toBe(204);
    expect((await sendSpam(known)).status).toBe(429);
    exchange.advance(3_600_001);
  });

  it("T71 do not delay messages from other networks if one network sends many", async () => {
    const { token } = await exchange.signUp();
    await readInbox();
    const { mail } = exchange.ctx;
    const sent: string[] = [];
    const deliver = vi.spyOn(mail, "send").mockImplementation(async ({ text }) => {
      sent.push(/message (early|flood)/.exec(text)?.[0] ?? "");
      throw new Error("down");
    });
    await send({ message: "message early" }, { token, remoteAddress: "198.51.100.7" });
    for (let message = 0; message < 5; message += 1) {
      await send({ email: "eve@example.org", message: `message flood ${message}` }, { remoteAddress: "192.0.2.77" });
    }
    await sendOutbox(exchange.ctx);
    sent.length = 0;
    exchange.advance(60_000);
    await sendOutbox(exchange.ctx);
    deliver.mockRestore();
    const own = sent.filter((text) => text !== "");
    expect(own.slice(0, 2).sort()).toEqual(["message early", "message flood"]);
    expect(own).toHaveLength(6);
  });
});

it("an exchange without a support address does not accept messages", async () => {
  const exchange = await createTestExchange();
  try {
    const body = { email: "ada@example.org", message: "x" };
    expect((await exchange.api("POST", "/api/support/messages", { body })).status).toBe(404);
  } finally {
    await exchange.close();
  }
});

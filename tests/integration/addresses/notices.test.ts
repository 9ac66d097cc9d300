import { beforeAll, describe, expect, it } from "vitest";
import { sendOutbox } from "~/exchange.server/mail/outbox";
import { createAccountKeys } from "~/sandbox.server/mobilecoin/keys";
import { createTestExchange, type SignedUp } from "../../support/exchange";
import { forAllTests } from "../../support/for-tests";
import { openOrder, prepareForSwaps } from "../../support/open-order";

const path = "/api/swap/delivery-addresses";
const ethAddress = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const toMob = (n: number) => createAccountKeys("tests").toAddress(BigInt(n));

describe("notices of changed addresses", () => {
  const exchange = forAllTests(() => createTestExchange());
  beforeAll(async () => {
    await prepareForSwaps(exchange);
  });

  const add = (token: string, type: string, address: string, label = "") =>
    exchange.api("POST", path, { token, body: { type, address, label } });
  const remove = (token: string, id: string) => exchange.api("DELETE", `${path}/${id}`, { token });
  const readNotices = async ({ email }: Pick<SignedUp, "email">) => {
    await sendOutbox(exchange.ctx);
    return (await exchange.inbox.list(email)).filter(({ subject }) => subject.startsWith("An address was"));
  };

  it("T49 tell the owner of an account with a swap which address was added or removed, in full", async () => {
    const customer = await exchange.signUp();
    await openOrder(exchange, customer);
    const { body } = await add(customer.token, "ETH", ethAddress, "Ledger");
    expect((await add(customer.token, "ETH", ethAddress.toLowerCase())).status).toBe(200);
    const [added, ...others] = await readNotices(customer);
    expect(others).toEqual([]);
    expect(added?.subject).toBe("An address was added to your account");
    expect(added?.text).toContain(`\nFor: USDT\nLabel: Ledger\nAddress: ${ethAddress}\n`);
    expect((await remove(customer.token, body.id)).status).toBe(204);
    expect((await remove(customer.token, body.id)).status).toBe(404);
    const [removed, ...rest] = await readNotices(customer);
    expect(rest).toHaveLength(1);
    expect(removed?.subject).toBe("An address was removed from your account");
    expect(removed?.text).toContain(`\nFor: USDT\nLabel: Ledger\nAddress: ${ethAddress}\n`);
  });

  it("T25 cannot be buried: 20 addresses can be added in an hour, and all of them removed", async () => {
    const customer = await exchange.signUp();
    await openOrder(exchange, customer);
    const ids: string[] = [];
    for (let n = 10; n < 30; n += 1) ids.push((await add(customer.token, "MOB", toMob(n))).body.id);
    const refused = await add(customer.token, "MOB", toMob(30));
    expect([refused.status, refused.body.detail.code]).toEqual([429, "rate_limited"]);
    for (const id of ids) expect((await remove(customer.token, id)).status).toBe(204);
    expect(await readNotices(customer)).toHaveLength(40);
  });

  it("are not sent before the first swap, except for a day after a recovery (T31)", async () => {
    const customer = await exchange.signUp();
    const { body } = await add(customer.token, "MOB", toMob(1));
    await remove(customer.token, body.id);
    expect(await readNotices(customer)).toEqual([]);
    const { body: byCode } = await exchange.signInByCode(customer.email);
    const { body: recovered } = await exchange.register(customer.email, { token: byCode.access_token });
    expect((await add(recovered.access_token, "MOB", toMob(2))).status).toBe(201);
    expect((await readNotices(customer))[0]?.text).toContain(`\nFor: MOB\nAddress: ${toMob(2)}\n`);
    exchange.advance(24 * 3_600_000 + 1);
    const { body: later } = await exchange.signInByPasskey(customer.authenticator);
    expect((await add(later.access_token, "MOB", toMob(3))).status).toBe(201);
    expect(await readNotices(customer)).toHaveLength(1);
  });
});

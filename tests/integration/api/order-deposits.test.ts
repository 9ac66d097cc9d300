import { randomUUID } from "node:crypto";
import { beforeAll, expect, it } from "vitest";
import type { Order, Transaction } from "~/api/contract";
import { scanChain } from "~/exchange.server/deposits/scan";
import { createTestExchange, type SignedUp } from "../../support/exchange";
import { createFakeChain } from "../../support/fake-chain";
import { forAllTests } from "../../support/for-tests";
import { openOrder, prepareForSwaps } from "../../support/open-order";

const chain = createFakeChain("USDT", { confirmations: 3, now: Date.now, nonces: true, hasBlockTimes: true });
const exchange = forAllTests(() => createTestExchange({ database: "PostgreSQL", chains: { USDT: chain } }));
let customer: SignedUp;
beforeAll(async () => {
  await prepareForSwaps(exchange);
  customer = await exchange.signUp("deposits@example.org");
});

it("T67 shows the largest deposits of an order, and all of them a page at a time to its owner", async () => {
  const order = await openOrder(exchange, customer);
  const txHash = `many-${randomUUID()}`;
  for (let index = 0; index < 45; index += 1) {
    chain.deposit(order.funding_address, BigInt(index + 1), { txHash, ordinal: index });
  }
  await scanChain(exchange.ctx, "USDT");

  const path = `/api/swap/swaps/${order.id}`;
  const { token } = customer;
  const { body } = await exchange.api<Order>("GET", path, { token });
  expect(body).toMatchObject({ incoming_count: 45, received_count: 45, received_amount: "0.001035" });
  const shown = body.incoming_txs.map(({ amount }) => amount).sort();
  expect(shown).toHaveLength(20);
  expect([shown[0], shown.at(-1)]).toEqual(["0.000026", "0.000045"]);

  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query = cursor === "" ? "?limit=20" : `?limit=20&cursor=${cursor}`;
    const page: { body: { items: Transaction[]; next: string | null } } = await exchange.api(
      "GET",
      `${path}/deposits${query}`,
      { token },
    );
    expect(page.body.items.length).toBeLessThanOrEqual(20);
    for (const item of page.body.items) expect(item.block_time).toEqual(expect.any(String));
    seen.push(...page.body.items.map(({ amount }) => amount));
    cursor = page.body.next;
  }
  expect(new Set(seen).size).toBe(45);

  const other = await exchange.signUp("others-deposits@example.org");
  expect((await exchange.api("GET", `${path}/deposits`, { token: other.token })).status).toBe(404);
});

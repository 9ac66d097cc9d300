import { writeSync } from "node:fs";
import { lockDirectory } from "~/exchange.server/db/lock-directory";
import { openPglite } from "~/exchange.server/db/open";
import { startPglite } from "~/exchange.server/db/pglite";
import { accounts } from "~/exchange.server/db/schema/accounts";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { orders } from "~/exchange.server/db/schema/orders";
import { scanChain } from "~/exchange.server/deposits/scan";
import { newId } from "~/exchange.server/ids";
import { checkBooks } from "~/exchange.server/ledger/check-books";
import { cancelOrder } from "~/exchange.server/orders/cancel";
import { lockQuote } from "~/exchange.server/orders/locking/lock-quote";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { createQuote } from "~/exchange.server/pricing/quotes";
import { refreshRate } from "~/exchange.server/pricing/rates";
import { createTestContext } from "../../support/context";
import { openBooks } from "../../support/open-books";
import { openTestSession } from "../../support/open-test-session";

/**
 * Opens the data directory of its first argument, reports what is in it, and then makes and cancels
 * orders until it is killed. Each order is reported once it is stored.
 */
const [, , dataDir = ""] = process.argv;
const report = (line: unknown) => writeSync(1, `${JSON.stringify(line)}\n`);

lockDirectory(dataDir);
const database = await openPglite(startPglite(dataDir));
const { ctx } = createTestContext(database);
const stored = await ctx.db.select({ id: orders.id }).from(orders);
report({ faults: await checkBooks(ctx.db), orders: stored.map(({ id }) => id) });

await openBooks(ctx);
await refreshRate(ctx);

async function makeOrder(): Promise<string> {
  const accountId = newId();
  const createdAt = await ctx.clock.now(ctx.db);
  const email = `${accountId.toLowerCase()}@example.org`;
  await ctx.db
    .insert(accounts)
    .values({ id: accountId, email, emailVerifiedAt: createdAt, kycStatus: "approved", createdAt });
  const ids = { MOB: newId(), ETH: newId() };
  for (const type of ["MOB", "ETH"] as const) {
    const address = `${type}-of-${accountId}`;
    await ctx.db
      .insert(deliveryAddresses)
      .values({ id: ids[type], accountId, type, address, canonical: address, label: "", createdAt });
  }
  const terms = { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" } as const;
  const quote = await createQuote(ctx, accountId, terms);
  const { order } = await lockQuote(ctx, {
    owner: { accountId, sessionId: await openTestSession(ctx.db, accountId) },
    quoteId: quote.id,
    request: { delivery_address_id: ids.MOB, refund_address_id: ids.ETH },
    idempotencyKey: newId(),
  });
  return order.id;
}

for (;;) {
  for (const asset of ["USDT", "MOB"] as const) {
    await checkWallet(ctx, asset);
    await scanChain(ctx, asset);
  }
  const id = await makeOrder();
  report({ locked: id });
  await cancelOrder(ctx, id);
}

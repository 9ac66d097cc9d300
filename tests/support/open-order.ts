import { randomUUID } from "node:crypto";
import { expect } from "vitest";
import type { Order } from "~/api/contract";
import { deliveryAddresses } from "~/exchange.server/db/schema/addresses";
import { scanChain } from "~/exchange.server/deposits/scan";
import { newId } from "~/exchange.server/ids";
import { checkWallet } from "~/exchange.server/payments/check-wallet";
import { refreshRate } from "~/exchange.server/pricing/rates";
import type { SignedUp, TestExchange } from "./exchange";
import type { FakeChain } from "./fake-chain";
import { openBooks } from "./open-books";

/** Prepares an exchange over fake chains for swaps: opens the books, sets a rate, and scans the chains up to now. */
export async function prepareForSwaps({ ctx }: TestExchange): Promise<void> {
  (ctx.chains.USDT as FakeChain).mine();
  await openBooks(ctx);
  await refreshRate(ctx);
  for (const asset of ["USDT", "MOB"] as const) {
    await checkWallet(ctx, asset);
    await scanChain(ctx, asset);
  }
}

/** Saves an address of each type for the customer, without checking it. */
export async function saveAddresses({ ctx }: TestExchange, { user }: SignedUp): Promise<{ ETH: string; MOB: string }> {
  const createdAt = await ctx.clock.now(ctx.db);
  const ids = { ETH: newId(), MOB: newId() };
  for (const type of ["ETH", "MOB"] as const) {
    const address = `${type.toLowerCase()}-of-${user.id}`;
    await ctx.db
      .insert(deliveryAddresses)
      .values({ id: ids[type], accountId: user.id, type, address, canonical: address, label: "", createdAt });
  }
  return ids;
}

/** Quotes and locks a swap of 20 USDT through the API. */
export async function openOrder(exchange: TestExchange, customer: SignedUp): Promise<Order> {
  const ids = await saveAddresses(exchange, customer);
  const { token } = customer;
  const quote = await exchange.api("POST", "/api/swap/quotes", {
    token,
    body: { source_asset_symbol: "USDT", target_asset_symbol: "MOB", source_amount: "20" },
  });
  expect(quote.status, JSON.stringify(quote.body)).toBe(201);
  const order = await exchange.api<Order>("POST", `/api/swap/quotes/${quote.body.id}/lock`, {
    token,
    headers: { "Idempotency-Key": randomUUID() },
    body: { delivery_address_id: ids.MOB, refund_address_id: ids.ETH },
  });
  expect(order.status, JSON.stringify(order.body)).toBe(201);
  return order.body;
}

import type { Order } from "~/api/contract";
import type { OrderData } from "~/routes/swap/quote/loader.server";
import type { StoredPayment } from "~/wallet/stored-payment";
import { makeOrder } from "../../../support/orders";
import { makeQuote } from "../../../support/quotes";
import { makeRates } from "../../../support/rates";

export const rates = makeRates();

/** What the loader sends for the page of an order that no longer accepts payments. */
export function makeOrderData(order: Order, changes: Partial<OrderData> = {}): OrderData {
  return {
    kind: "order",
    nowMs: Date.parse("2030-01-01T00:10:00.000Z"),
    isStopped: false,
    kycStatus: "approved",
    quote: makeQuote(),
    order,
    isFirst: false,
    pay: null,
    rates,
    deliveryName: "“My Signal”",
    refundName: "“My wallet”",
    origin: "https://antelope.example",
    pageCode: { path: "", size: 1 },
    explorers: { USDT: "", MOB: "" },
    wallet: { rpc: { mainnet: null, sepolia: null }, requiredConfirmations: 3 },
    ...changes,
  };
}

/** A payment of what is due that a wallet in this browser has sent. */
export function makeStoredPayment(state: StoredPayment["state"] = "0xabc"): StoredPayment {
  const { funding_address } = makeOrder();
  return { tokenAddress: "0x1", chainId: 1, address: funding_address as `0x${string}`, amount: "250", state };
}

export const assets = [
  { symbol: "USDT", name: "Tether USD", network: "ethereum", decimals: 6 },
  { symbol: "MOB", name: "MobileCoin", network: "mobilecoin", decimals: 12 },
];

const at = "2030-01-01T00:00:00.000Z";
/** Newest first, as the exchange lists them. */
export const addresses = [
  { id: "mob-2", type: "MOB", address: "mob-address-2", label: "", created_at: at },
  {
    id: "eth-1",
    type: "ETH",
    address: "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC",
    label: "My wallet",
    created_at: at,
  },
  { id: "mob-1", type: "MOB", address: "mob-address", label: "My Signal", created_at: at },
] as const;

/** Returns a stub of a call that responds with this body as JSON. */
export const respondWith =
  (body: unknown, status = 200) =>
  () =>
    Response.json(body, { status });

/** The calls that every swap form makes. */
export const directionCalls = {
  "GET /api/swap/assets": respondWith(assets),
  "GET /api/rates": respondWith(rates),
  "GET /api/swap/delivery-addresses": respondWith({ items: addresses, next: null }),
};

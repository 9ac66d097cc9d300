// @vitest-environment jsdom
import { createRemixStub } from "@remix-run/testing";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import type { Order, Transaction } from "~/api/contract";
import { toOrderNumber } from "~/lib/order-number";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { quoteId } from "../../../support/quotes";
import { fakeExchange, makeUser, args as plainArgs, sessionCookie } from "../../../support/site";
import { respondWith } from "./fixtures";

const { loader } = await import("~/routes/swap/order-receipt/route");
const { PrintedReceipt } = await import("~/routes/swap/quote/order/receipt");
const { Transactions } = await import("~/routes/swap/quote/order/transactions");
const { printOnly, printOnlyInline } = await import("~/routes/swap/quote/order/order.css");

const transaction = (purpose: Transaction["purpose"], amount: string, changes: Partial<Transaction> = {}) =>
  makeTransaction({
    id: `${purpose}-${amount}`,
    asset_symbol: purpose === "payout" ? "MOB" : "USDT",
    amount,
    purpose,
    created_at: "2030-01-01T00:01:00.000Z",
    ...changes,
  });
const completed = makeOrder({
  status: "completed",
  finished_at: "2030-01-01T00:04:00.000Z",
  updated_at: "2030-01-01T09:00:00.000Z",
  incoming_txs: [transaction("deposit", "250")],
  outgoing_txs: [transaction("payout", "710.704482")],
});
const refunded = makeOrder({
  status: "refunded",
  incoming_txs: [transaction("deposit", "60"), transaction("deposit", "40")],
  outgoing_txs: [
    transaction("payout", "710.704482", { status: "failed", hash: null }),
    transaction("refund", "60"),
    transaction("refund", "40"),
    transaction("refund", "41", { status: "failed", hash: null }),
  ],
});

async function download(order: Order) {
  fakeExchange({ "GET /api/users/me": respondWith(makeUser()), "GET /api/swap/swaps/order-1": respondWith(order) });
  const request = plainArgs("/swap/orders/order-1/receipt", { cookie: await sessionCookie() });
  const response = await loader({ ...request, params: { orderId: "order-1" } });
  expect(Object.fromEntries(response.headers)).toEqual({
    "cache-control": "private, no-store",
    "content-disposition": `attachment; filename="antelope-${toOrderNumber(order.quote_id)}.json"`,
    "content-type": "application/json; charset=utf-8",
    "x-content-type-options": "nosniff",
  });
  return response.json();
}

let shown = completed;
const Paper = () => <PrintedReceipt order={shown} origin="https://antelope.example" />;
const Payments = () => <Transactions order={shown} explorers={{ USDT: "", MOB: "" }} />;

function print(order: Order, Component = Paper): string {
  shown = order;
  const Stub = createRemixStub([{ path: "/", Component }]);
  const { container } = render(<Stub />);
  return container.textContent ?? "";
}

/** What the printed list says about each payment: its address, with a name, and its hash. */
function printPayments(order: Order) {
  print(order, Payments);
  return screen.getAllByRole("listitem").map((item) => ({
    address: item.querySelector("div > p:has(> code)")?.textContent,
    hash: [...item.querySelectorAll("code")].at(-1)?.textContent,
  }));
}

afterEach(cleanup);

describe("the receipt of a swap", () => {
  it("lists the deposit, the payout, the rate and the fee if the swap was completed", async () => {
    expect(await download(completed)).toEqual({
      document: "antelope-receipt",
      version: 1,
      issued_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      number: "1CRT-8K55-KRE",
      quote_id: quoteId,
      order_id: "order-1",
      status: "completed",
      created_at: completed.created_at,
      finished_at: "2030-01-01T00:04:00.000Z",
      updated_at: completed.updated_at,
      sent: { asset: "USDT", amount: "250", to: completed.funding_address },
      swapped: { asset: "USDT", amount: "250" },
      received: { asset: "MOB", amount: "710.704482", at: "mob-address" },
      returned: [],
      set_aside: { asset: "USDT", amount: "0" },
      fee: { asset: "USDT", amount: "1.25" },
      exchange_rate: completed.exchange_rate,
      refund_address: completed.refund_address,
      transactions: [...completed.incoming_txs, ...completed.outgoing_txs],
      more_deposits: 0,
    });
    print(completed);
    expect(screen.getByText(/^Fee/)).toBeTruthy();
    expect(screen.getByText("1CRT-8K55-KRE")).toBeTruthy();
    expect(document.body.querySelector('time[datetime="2030-01-01T00:04:00.000Z"]')).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/Swapped|deducted|Set aside/);
    cleanup();
    expect(printPayments(completed)).toEqual([
      { address: `Sent to ${completed.funding_address}`, hash: "0xabc" },
      { address: "Paid out to mob-address", hash: "0xabc" },
    ]);
  });

  it("names its page, its transactions and the time zone on paper", () => {
    expect(print(completed)).toContain(`https://antelope.example/swap/quote/${quoteId}`);
    cleanup();
    print(completed, Payments);
    const [payment] = screen.getAllByRole("listitem");
    const onPaper = [...(payment?.querySelectorAll(`.${printOnly}`) ?? [])].map(({ textContent }) => textContent);
    expect(onPaper).toEqual([expect.stringMatching(/^Sent to/), "Transaction", expect.stringMatching(/ UTC$/)]);
  });

  it("says when the block of a deposit was made and when a payout was sent, which are not when we saw or planned them", () => {
    const deposit = transaction("deposit", "250", { block_time: "2030-01-01T00:00:12.000Z" });
    const payout = transaction("payout", "710.704482", { sent_at: "2030-01-02T00:02:00.000Z" });
    print(makeOrder({ ...completed, incoming_txs: [deposit], outgoing_txs: [payout] }), Payments);
    const times = [...document.querySelectorAll("time")].map(({ dateTime }) => dateTime);
    expect(times).toEqual([...Array(2).fill(deposit.block_time), ...Array(2).fill(payout.sent_at)]);
  });

  it("has every digit of each payment on paper, as the PDF does", () => {
    print(makeOrder({ ...completed, outgoing_txs: [transaction("payout", "710.704482123456")] }), Payments);
    const onPaper = [...document.querySelectorAll(`.${printOnlyInline}`)].map(({ textContent }) => textContent);
    expect(onPaper).toEqual(["250.00\u00a0USDT", "710.704482123456 MOB"]);
  });

  it("names the address of each payment, of which an operator may have changed one", async () => {
    const readdressed = {
      ...refunded,
      refund_address: "0xsecond",
      outgoing_txs: [
        transaction("refund", "60", { address: "0xfirst", hash: "0x60" }),
        transaction("refund", "40", { address: "0xsecond", hash: "0x40" }),
      ],
    };
    expect(await download(readdressed)).toMatchObject({
      returned: [
        { amount: "60", at: "0xfirst" },
        { amount: "40", at: "0xsecond" },
      ],
      transactions: [{ amount: "60" }, { amount: "40" }, { address: "0xfirst" }, { address: "0xsecond" }],
    });
    expect(printPayments(readdressed).slice(2)).toEqual([
      { address: "Refunded to 0xfirst", hash: "0x60" },
      { address: "Refunded to 0xsecond", hash: "0x40" },
    ]);
    const payout = transaction("payout", "710.704482", { address: "mob-paid" });
    expect(await download({ ...completed, outgoing_txs: [payout] })).toMatchObject({ received: { at: "mob-paid" } });
  });

  it("accounts for everything that was sent: swapped, sent back, deducted for that, or set aside", async () => {
    const overpaid = makeOrder({
      status: "completed",
      received_amount: "260.2",
      set_aside_amount: "0.2",
      incoming_txs: [transaction("deposit", "260"), transaction("deposit", "0.2")],
      incoming_count: 45,
      outgoing_txs: [
        transaction("payout", "710.704482"),
        transaction("refund", "9.5", { refund_cost: "0.5" }),
        transaction("refund", "9.5", { refund_cost: "0.5", status: "failed" }),
      ],
    });
    expect(await download(overpaid)).toMatchObject({
      sent: { amount: "260.2" },
      swapped: { asset: "USDT", amount: "250" },
      returned: [{ asset: "USDT", amount: "9.5", refund_cost: "0.5" }],
      set_aside: { asset: "USDT", amount: "0.2" },
      more_deposits: 43,
    });
    const amount = (value: string) => `${value}\u00a0USDT`;
    expect(print(overpaid)).toContain(
      ["You sent", amount("260.20"), "Swapped", amount("250.00"), "You received", "710.704482\u00a0MOB"].join(""),
    );
    expect(print(overpaid)).toContain(["Network fee deducted", amount("0.50"), "Set aside", amount("0.20")].join(""));
  });

  it("does not say that a payout was received before it is confirmed", async () => {
    const again = makeOrder({
      ...completed,
      outgoing_txs: [transaction("payout", "710.704482", { status: "pending" })],
    });
    expect(await download(again)).toMatchObject({ received: null, swapped: { amount: "250" } });
    expect(print(again)).not.toContain("You received");
  });

  it("lists the deposits and the refunds, but no payout, rate or fee, if the swap was refunded", async () => {
    expect(await download(refunded)).toMatchObject({
      status: "refunded",
      sent: { asset: "USDT", amount: "100" },
      received: null,
      returned: [
        { asset: "USDT", amount: "60", at: refunded.refund_address },
        { asset: "USDT", amount: "40", at: refunded.refund_address },
      ],
      fee: null,
      exchange_rate: null,
    });
    print(refunded);
    const paper = document.body.textContent ?? "";
    expect(paper).not.toMatch(/Paid out|Fee|Rate|MOB|710/);
    expect(paper).toContain("100");
    cleanup();
    // Payments that were never sent did not go to any address.
    expect(printPayments(refunded).map(({ address }) => address)).toEqual([
      ...Array(2).fill(`Sent to ${refunded.funding_address}`),
      undefined,
      ...Array(2).fill(`Refunded to ${refunded.refund_address}`),
      undefined,
    ]);
  });

  it("does not list a refund of a deposit that was too small to send back", async () => {
    const kept = makeOrder({ status: "refunded", incoming_txs: [transaction("deposit", "0.1")] });
    expect(await download(kept)).toMatchObject({ swapped: null, received: null, returned: [], fee: null });
    print(kept);
    expect(await screen.findByText("Receipt from Antelope")).toBeTruthy();
    expect(document.body.textContent).not.toMatch(/Paid out|Refunded to/);
    cleanup();
    expect(printPayments(kept).map(({ address }) => address)).toEqual([`Sent to ${kept.funding_address}`]);
  });

  it("does not exist for someone else's swap", async () => {
    fakeExchange({ "GET /api/users/me": respondWith(makeUser()) });
    const request = plainArgs("/swap/orders/order-1/receipt", { cookie: await sessionCookie() });
    await expect(loader({ ...request, params: { orderId: "order-1" } })).rejects.toMatchObject({
      init: { status: 404 },
    });
  });

  it("does not exist and cannot be printed while nothing is settled", async () => {
    expect(print(makeOrder())).toBe("");
    fakeExchange({
      "GET /api/users/me": respondWith(makeUser()),
      "GET /api/swap/swaps/order-1": respondWith(makeOrder()),
    });
    const request = plainArgs("/swap/orders/order-1/receipt", { cookie: await sessionCookie() });
    await expect(loader({ ...request, params: { orderId: "order-1" } })).rejects.toMatchObject({
      init: { status: 404 },
    });
  });
});

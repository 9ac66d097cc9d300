import { describe, expect, it } from "vitest";
import { toCsvLine } from "~/lib/csv";
import { exportHeader, toOrderCells } from "~/routes/doger/export/order-cells";
import { makeOrder, makeTx } from "./orders";

describe("toCsvLine", () => {
  it("ends lines with CRLF and quotes cells that need it", () => {
    expect(toCsvLine(["plain", "a,b", 'say "hi"', "two\nlines", " blank "])).toBe(
      'plain,"a,b","say ""hi""","two\nlines"," blank "\r\n',
    );
  });

  it.each(["=1+1", "+49 30", "-2+3", "@SUM(A1)", "\t=1", " =1", "＝1", "-kXh3"])(
    "escapes what a spreadsheet would run as a formula: %j",
    (text) => expect(toCsvLine([text]).replace(/^"/, "")).toMatch(/^'/),
  );

  it.each(["-12.5", "0.000000000001", "100", "0x00ff", "2026-01-01T00:00:00.000Z"])("leaves %s unchanged", (text) =>
    expect(toCsvLine([text])).toBe(`${text}\r\n`),
  );
});

describe("toOrderCells", () => {
  const read = (order = makeOrder()) =>
    Object.fromEntries(toOrderCells(order, "https://antelope.example").map((cell, at) => [exportHeader[at], cell]));

  it("has one cell per column, with times in ISO 8601 and the quote's id as part of a link", () => {
    expect(read()).toMatchObject({
      created_at: "2026-01-01T00:00:00.000Z",
      status: "completed",
      send_amount: "100",
      receive_amount: "284.123456789012",
      page: "https://antelope.example/swap/quote/9007199254740990",
    });
    expect(toOrderCells(makeOrder(), "")).toHaveLength(exportHeader.length);
  });

  it("S09 leaves failed transactions out of deposits, payouts and refunds", () => {
    const order = makeOrder({
      incoming_txs: [makeTx({ amount: "60" }), makeTx({ amount: "50.5", hash: "0xdef" }), makeTx({ status: "failed" })],
      outgoing_txs: [
        makeTx({ purpose: "payout", asset_symbol: "MOB", amount: "284", hash: null, status: "pending" }),
        makeTx({ purpose: "refund", amount: "10.5", hash: "0x123" }),
        makeTx({ purpose: "refund", amount: "10.5", status: "failed", hash: "0x999" }),
      ],
    });
    expect(read(order)).toMatchObject({
      deposited: "110.5",
      paid_out: "284",
      refunded: "10.5",
      deposit_hashes: "0xabc 0xdef",
      payout_hashes: "0x123",
    });
  });
});

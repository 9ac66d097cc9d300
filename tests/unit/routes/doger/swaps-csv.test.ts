import { describe, expect, it } from "vitest";
import { toCsvLine } from "~/lib/csv";
import { exportHeader, toOrderCells } from "~/routes/doger/swaps-csv/order-cells";
import { makeCompletedOrder, makeTransaction } from "../../../support/orders";

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

  it.each([
    [`x;=HYPERLINK("https://evil.example")`, `"x;'=HYPERLINK(""https://evil.example"")"\r\n`],
    ["x; @SUM(A1)", "x;' @SUM(A1)\r\n"],
    ['x;"=1"', `"x;'""=1"""\r\n`],
    ["x\t=1;y", "x\t'=1;y\r\n"],
    ["x;y;-1", "x;y;-1\r\n"],
  ])("escapes it after a semicolon or a tab, at which Excel splits cells in many countries: %j", (text, line) => {
    expect(toCsvLine([text])).toBe(line);
  });

  it.each(["-12.5", "0.000000000001", "100", "0x00ff", "2026-01-01T00:00:00.000Z"])("leaves %s unchanged", (text) =>
    expect(toCsvLine([text])).toBe(`${text}\r\n`),
  );
});

describe("toOrderCells", () => {
  const read = (order = makeCompletedOrder()) =>
    Object.fromEntries(toOrderCells(order, "https://antelope.example").map((cell, at) => [exportHeader[at], cell]));

  it("has one cell per column, with times in ISO 8601 and the quote's id as part of a link", () => {
    expect(read()).toMatchObject({
      created_at: "2026-01-01T00:00:00.000Z",
      status: "completed",
      send_amount: "100",
      receive_amount: "284.123456789012",
      page: "https://antelope.example/swap/quote/9007199254740990",
    });
    const finished_at = "2026-01-01T00:04:00.000Z";
    expect([read().finished_at, read(makeCompletedOrder({ finished_at })).finished_at]).toEqual(["", finished_at]);
    expect(toOrderCells(makeCompletedOrder(), "")).toHaveLength(exportHeader.length);
  });

  it("S09 adds up what was received and what was certainly sent, without failed transactions", () => {
    const order = makeCompletedOrder({
      incoming_txs: [
        makeTransaction({ amount: "60" }),
        makeTransaction({ amount: "50.5", hash: "0xdef" }),
        makeTransaction({ status: "failed" }),
      ],
      outgoing_txs: [
        makeTransaction({ purpose: "payout", asset_symbol: "MOB", amount: "284", hash: null, status: "pending" }),
        makeTransaction({ purpose: "refund", amount: "9.5", refund_cost: "1", hash: "0x123" }),
        makeTransaction({ purpose: "refund", amount: "9.5", refund_cost: "1", status: "failed", hash: "0x999" }),
        makeTransaction({ purpose: "refund", amount: "2.5", refund_cost: "1", status: "pending", hash: null }),
      ],
    });
    expect(read(order)).toMatchObject({
      deposited: "110.5",
      paid_out: "0",
      refunded: "9.5",
      refund_cost: "1",
      deposit_hashes: "0xabc 0xdef",
      payout_hashes: "0x123",
    });
  });

  it("accounts for everything that was deposited", () => {
    const order = makeCompletedOrder({
      received_amount: "110.2",
      set_aside_amount: "0.2",
      outgoing_txs: [
        makeTransaction({ purpose: "payout", asset_symbol: "MOB", amount: "284.28" }),
        makeTransaction({ purpose: "refund", amount: "9.5", refund_cost: "0.5" }),
      ],
    });
    expect(read(order)).toMatchObject({
      deposited: "110.2",
      send_amount: "100",
      refunded: "9.5",
      refund_cost: "0.5",
      set_aside: "0.2",
      paid_out: "284.28",
    });
  });

  it.each([
    ["expired", []],
    ["cancelled", []],
    ["refunded", [makeTransaction({ purpose: "refund" }), makeTransaction({ purpose: "payout", status: "failed" })]],
  ] as const)("leaves the price of a swap that is %s empty, because nothing was swapped", (status, outgoing_txs) => {
    const cells = read(makeCompletedOrder({ status, outgoing_txs: [...outgoing_txs] }));
    const price = { receive_amount: "", fee_asset: "", fee_amount: "", exchange_rate: "" };
    expect(cells).toMatchObject({ send_amount: "100", receive_asset: "MOB", ...price });
    expect(read()).toMatchObject({ fee_asset: "USDT", fee_amount: "0.5", exchange_rate: "2.855512128533" });
  });

  it("says how many hashes of deposits are missing", () => {
    const order = makeCompletedOrder({
      incoming_txs: [makeTransaction(), makeTransaction({ hash: "0xdef" })],
      incoming_count: 45,
    });
    expect(read(order)).toMatchObject({ deposit_hashes: "0xabc 0xdef", more_deposits: "43" });
  });

  it("keeps the names and the order of the columns, which programs read", () => {
    expect(exportHeader.join(" ")).toBe(
      "created_at status send_asset send_amount receive_asset receive_amount fee_asset fee_amount exchange_rate " +
        "deposited paid_out refunded deposit_hashes payout_hashes delivery_address refund_address updated_at page " +
        "number swap_id refund_cost set_aside finished_at more_deposits",
    );
  });
});

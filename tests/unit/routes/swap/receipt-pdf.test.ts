import { extractText, getDocumentProxy } from "unpdf";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Order, Transaction } from "~/api/contract";
import { loader } from "~/routes/swap/order-receipt-pdf/route";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { args, fakeExchange, makeUser, refusal, responseOf, sessionCookie } from "../../../support/site";
import { respondWith } from "./fixtures";

// unpdf sets these when it first reads a document. What is stubbed is put back after this file.
const setByUnpdf = ["DOMMatrix", "navigator", "pdfjsLib", "pdfjsWorker", "_pdfjsTestingUtils"];
beforeAll(() => {
  for (const name of setByUnpdf) vi.stubGlobal(name, undefined);
});

const hash = `0x${"ab12".repeat(16)}`;
const mobAddress = "3P9kXh3".repeat(20);
const transaction = (purpose: Transaction["purpose"], amount: string, changes: Partial<Transaction> = {}) =>
  makeTransaction({
    id: `${purpose}-${amount}`,
    asset_symbol: purpose === "payout" ? "MOB" : "USDT",
    amount,
    hash,
    purpose,
    created_at: "2030-01-01T00:01:00.000Z",
    ...changes,
  });
const completed = makeOrder({
  status: "completed",
  delivery_address: mobAddress,
  finished_at: "2030-01-01T00:04:00.000Z",
  updated_at: "2030-01-01T09:00:00.000Z",
  incoming_txs: [transaction("deposit", "1250.5")],
  outgoing_txs: [transaction("payout", "710.704482123456", { hash: "beef".repeat(16) })],
});

async function download(order: Order, headers: Record<string, string> = {}) {
  fakeExchange({ "GET /api/users/me": respondWith(makeUser()), "GET /api/swap/swaps/order-1": respondWith(order) });
  const session = await sessionCookie();
  const cookie = headers.cookie ? `${session}; ${headers.cookie}` : session;
  const request = args("/swap/orders/order-1/receipt.pdf", { cookie, headers });
  return responseOf(loader({ ...request, params: { orderId: "order-1" } }));
}

async function read(response: Response) {
  const pdf = await getDocumentProxy(new Uint8Array(await response.arrayBuffer()));
  const { text } = await extractText(pdf, { mergePages: true });
  return { pdf, text: text.replace(/\s+/g, " "), solid: text.replace(/\s+/g, "") };
}

describe("the PDF receipt of a swap", () => {
  it("has everything that the printed receipt has: number, exact amounts, rate, fee, address, hashes and times", async () => {
    const { text, solid } = await read(await download(completed, { cookie: "tz=Europe/Zurich" }));
    for (const part of [
      "Receipt from Antelope",
      "Payments",
      "Swap number 1CRT-8K55-KRE",
      `Swap ID ${completed.id}`,
      "You sent 1,250.50 USDT",
      "Fee, included in what you sent 1.25 USDT",
      "Paid out to",
      "Payment 1,250.50 USDT",
      "Payout 710.704482123456 MOB",
    ]) {
      expect(text).toContain(part);
    }
    expect(text).toMatch(/Price locked \d{1,2} \w+ \d{4}, \d\d:\d\d CET/);
    expect(text).toMatch(/Finished 1 \w+ 2030, 01:04 CET/);
    expect(text).toMatch(/Rate 1 USDT = [\d.]+ MOB/);
    // Addresses and hashes may be on two lines.
    expect(solid).toContain(`Sentto${completed.funding_address}Transaction${hash}`);
    expect(solid).toContain(`Paidoutto${mobAddress}Transaction${"beef".repeat(16)}`);
    expect(solid).toContain("/swap/quote/");
  });

  it("has the refund, but no rate, fee or payout, if the swap was refunded", async () => {
    const { text } = await read(
      await download(
        makeOrder({
          status: "refunded",
          incoming_txs: [transaction("deposit", "60")],
          outgoing_txs: [
            transaction("payout", "5", { status: "failed" }),
            transaction("refund", "59.5", { hash: null }),
          ],
        }),
      ),
    );
    expect(text).toContain("Refund 59.50 USDT");
    expect(text).toMatch(/Finished .* UTC/);
    expect(text).not.toMatch(/Paid|Fee|Rate|MOB|null|undefined/);
  });

  it("names the address of each payment, of which an operator may have changed one", async () => {
    const [first, second] = ["0xAAAA", "0xBBBB"];
    const { text } = await read(
      await download(
        makeOrder({
          status: "refunded",
          refund_address: second,
          incoming_txs: [transaction("deposit", "60"), transaction("deposit", "40")],
          outgoing_txs: [
            transaction("refund", "60", { address: first, hash: "0x60" }),
            transaction("refund", "40", { address: second, hash: "0x40" }),
          ],
        }),
      ),
    );
    expect(text).toMatch(/Refund 60\.00 USDT [\w ]+, \d\d:\d\d UTC Refunded to 0xAAAA Transaction 0x60/);
    expect(text).toMatch(/Refund 40\.00 USDT [\w ]+, \d\d:\d\d UTC Refunded to 0xBBBB Transaction 0x40/);
  });

  it("accounts for everything that was sent", async () => {
    const overpaid = makeOrder({
      status: "completed",
      received_amount: "260.2",
      set_aside_amount: "0.2",
      incoming_txs: [transaction("deposit", "260.2")],
      outgoing_txs: [
        transaction("payout", "710.704482"),
        transaction("refund", "9.5", { refund_cost: "0.5", id: "sent" }),
        transaction("refund", "9.5", { refund_cost: "0.5", status: "failed" }),
      ],
    });
    const { text } = await read(await download(overpaid));
    expect(text).toContain("You sent 260.20 USDT Swapped 250.00 USDT You received 710.704482 MOB");
    expect(text).toContain("Network fee deducted 0.50 USDT Set aside 0.20 USDT");
    expect(text).toContain("Refund 9.50 USDT");
  });

  it("says of a payment that it is not sent or not confirmed yet", async () => {
    const waiting = makeOrder({
      status: "completed",
      incoming_txs: [transaction("deposit", "250")],
      outgoing_txs: [
        transaction("payout", "5", { status: "pending" }),
        transaction("refund", "60", { status: "pending", hash: null }),
      ],
    });
    const { text } = await read(await download(waiting));
    expect(text).toMatch(/Payout 5\.00 MOB \d{1,2} \w+ 2030, \d\d:\d\d UTC, not confirmed yet/);
    expect(text).toContain("Refund 60.00 USDT Not sent yet");
    expect(text.match(/ yet/g)).toHaveLength(2);
    expect(text).not.toContain("You received");
  });

  it("says when a payout was sent, which may be long after it was planned", async () => {
    const payout = transaction("payout", "5", { sent_at: "2030-01-02T00:02:00.000Z" });
    const { text } = await read(await download({ ...completed, outgoing_txs: [payout] }));
    expect(text).toMatch(/Payment 1,250\.50 USDT 1 \w+ 2030, 00:01 UTC/);
    expect(text).toMatch(/Payout 5\.00 MOB 2 \w+ 2030, 00:02 UTC/);
  });

  it("dates a deposit to its block, which may have been seen much later", async () => {
    const deposit = transaction("deposit", "1250.5", { block_time: "2029-12-31T23:58:00.000Z" });
    const { text } = await read(await download({ ...completed, incoming_txs: [deposit] }));
    expect(text).toMatch(/Payment 1,250\.50 USDT 31 \w+ 2029, 23:58 UTC/);
  });

  it("says how many deposits it does not list", async () => {
    const { text } = await read(await download({ ...completed, incoming_count: 26 }));
    expect(text).toContain("And 25 smaller payments from you, which count too.");
    const { text: one } = await read(await download({ ...completed, incoming_count: 2 }));
    expect(one).toContain("And one smaller payment from you, which counts too.");
    const { text: listed } = await read(await download({ ...completed, incoming_count: 1 }));
    expect(listed).not.toContain("smaller payment");
  });

  it("is tagged, with a title, a language and A4 pages, so that screen readers can read it", async () => {
    const { pdf } = await read(await download(completed));
    const { info } = await pdf.getMetadata();
    expect(info).toMatchObject({ Title: "Receipt from Antelope, swap 1CRT-8K55-KRE", Language: "en" });
    expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true });
    expect(await pdf.getViewerPreferences()).toMatchObject({ DisplayDocTitle: true });
    const page = await pdf.getPage(1);
    expect(page.view.map(Math.round)).toEqual([0, 0, 595, 842]);
    const tree = JSON.stringify(await page.getStructTree());
    expect(tree.match(/"role":"\w+"/g)?.slice(0, 3)).toEqual(['"role":"Document"', '"role":"H1"', '"role":"P"']);
  });

  it("writes amounts as the visitor does, if the font has the separators", async () => {
    const read1250 = async (language: string) =>
      (await read(await download(completed, { "accept-language": language }))).text.match(/You sent (.*?) USDT/)?.[1];
    expect(await read1250("de-DE")).toBe("1.250,50");
    expect(await read1250("fr-FR")).toBe("1 250,50");
    expect(await read1250("de-CH")).toMatch(/^1['’]250\.50$/);
  });

  it("T76 is a private file for the owner alone", async () => {
    const response = await download(completed);
    expect(response.headers.get("Content-Type")).toBe("application/pdf");
    expect(response.headers.get("Content-Disposition")).toBe('attachment; filename="antelope-1CRT-8K55-KRE.pdf"');
    expect(response.headers.get("Cache-Control")).toBe("private, no-store");
    fakeExchange({});
    const signedOut = await responseOf(
      loader({ ...args("/swap/orders/order-1/receipt.pdf"), params: { orderId: "order-1" } }),
    );
    expect(signedOut.headers.get("Location")).toBe("/login?redirect=%2Fdoger");
    fakeExchange({
      "GET /api/users/me": respondWith(makeUser()),
      "GET /api/swap/swaps/order-1": () => refusal(404, "not_found", "Not found."),
    });
    const request = args("/swap/orders/order-1/receipt.pdf", { cookie: await sessionCookie() });
    await expect(loader({ ...request, params: { orderId: "order-1" } })).rejects.toMatchObject({
      init: { status: 404 },
    });
  });

  it("does not exist while nothing is settled", async () => {
    await expect(download(makeOrder())).rejects.toThrow('"status":404');
  });
});

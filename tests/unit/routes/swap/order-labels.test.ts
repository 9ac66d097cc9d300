import { describe, expect, it } from "vitest";
import type { Order, Transaction } from "~/api/contract";
import { plainNumberStyle } from "~/lib/number-style";
import { decisionReasons, orderStatuses } from "~/lib/order-states";
import { toGraceLabels, toOrderLabels } from "~/routes/swap/quote/order/order-labels";
import { toStanding } from "~/swaps/order-rules";
import { statusBadges, toStatusBadge } from "~/swaps/status-badges";
import { makeOrder, makeTransaction } from "../../../support/orders";
import { makeRates } from "../../../support/rates";

const now = Date.parse("2030-01-01T00:02:00.000Z");

const deposit = (amount: string, changes: Partial<Transaction> = {}) =>
  makeTransaction({ id: amount, amount, created_at: "2030-01-01T00:01:00.000Z", ...changes });

const toBadgeLabel = (order: Order) => toStatusBadge(order, toStanding(order, makeRates(), now)).label;

const decisionOf = (reason: (typeof decisionReasons)[number]): Order["decision"] => ({
  reason,
  deadline: "2030-01-04T00:00:00.000Z",
  choices: ["refund"],
  offer: null,
});

describe("order labels", () => {
  it.each(orderStatuses)("%s has a title, a sentence and a badge, without internal names", (status) => {
    const labels = toOrderLabels(makeOrder({ status, incoming_txs: [deposit("250")] }), plainNumberStyle, now);
    expect(labels.title).not.toBe("");
    expect(labels.lede.length).toBeGreaterThan(20);
    expect(`${labels.title} ${labels.lede} ${statusBadges[status].label}`).not.toMatch(/_|undefined|null|NaN/);
  });

  it.each(decisionReasons)("says for a decision because of %s that the money is safe", (reason) => {
    const order = makeOrder({ status: "needs_decision", decision: decisionOf(reason), incoming_txs: [deposit("100")] });
    expect(toOrderLabels(order, plainNumberStyle, now).lede).toMatch(/100\.00\u00a0USDT has arrived and is safe/);
  });

  it.each(["underpaid", "below_minimum"] as const)(
    "ask for the rest of a payment that is %s only in time",
    (reason) => {
      const order = makeOrder({
        status: "needs_decision",
        decision: decisionOf(reason),
        incoming_txs: [deposit("100")],
      });
      const end = Date.parse(order.expires_at);
      expect(toOrderLabels(order, plainNumberStyle, end - 1).lede).toMatch(/[Ss]end the (rest|missing)/);
      const { title, lede } = toOrderLabels(order, plainNumberStyle, end);
      expect(title).toBe(
        reason === "underpaid"
          ? "100.00\u00a0USDT has arrived, 150.00\u00a0USDT less than agreed"
          : "The amount is below the minimum",
      );
      expect(lede).toMatch(/please don't send more/);
    },
  );

  it.each([
    ["underpaid", "Swap this amount or get it back, or send the rest", "Swap this amount, or send the rest"],
    ["below_minimum", "locked, or get back what arrived.", "locked."],
    ["payout_failed", "nothing was paid out. You can get it back.", "nothing was paid out."],
  ] as const)("offer to send back a payment that is %s only if it is worth the network fee", (reason, more, less) => {
    const ledeOf = (refund_cost: string) => {
      const decision = { ...decisionOf(reason), refund_cost } as Order["decision"];
      const order = makeOrder({ status: "needs_decision", decision, incoming_txs: [deposit("100")] });
      return toOrderLabels(order, plainNumberStyle, now).lede;
    };
    expect(ledeOf("99.999999")).toContain(more);
    expect(ledeOf("100")).toContain(less);
    expect(ledeOf("100")).not.toContain("back");
  });

  it("name what a decision covers, while a late payment of the rest is being confirmed", () => {
    const order = makeOrder({
      status: "needs_decision",
      decision: {
        reason: "underpaid",
        deadline: "2030-01-04T00:00:00.000Z",
        choices: ["refund"],
        offer: null,
        amount: "100",
      },
      incoming_txs: [deposit("100"), { ...deposit("150"), status: "pending" }],
    });
    expect(toOrderLabels(order, plainNumberStyle, Date.parse(order.expires_at)).title).toBe(
      "100.00\u00a0USDT has arrived, 150.00\u00a0USDT less than agreed",
    );
  });

  it.each([
    ["expired", /^No payment has reached us/],
    ["cancelled", /^We received nothing\. .* less the network fee\.$/],
  ] as const)("say whether a payment has arrived after all if the order is %s", (status, nothing) => {
    const ledeOf = (incoming_txs: Transaction[]) =>
      toOrderLabels(makeOrder({ status, incoming_txs }), plainNumberStyle, now).lede;
    expect(ledeOf([])).toMatch(nothing);
    expect(ledeOf([deposit("250", { status: "failed" })])).toMatch(nothing);
    expect(ledeOf([deposit("250", { status: "pending" })])).toMatch(/payment arrived/);
  });

  it("reassure a customer who paid late, but not one who used another network", () => {
    const ledeOf = (source_asset_symbol: "USDT" | "MOB") =>
      toOrderLabels(makeOrder({ status: "expired", source_asset_symbol }), plainNumberStyle, now).lede;
    expect(ledeOf("USDT")).toMatch(
      /If you sent USDT on Ethereum, don't worry: .* another network or coin, it can't reach/,
    );
    expect(ledeOf("MOB")).toMatch(/If you sent MOB, don't worry: [^.]*\.$/);
  });

  it("says what became of a payment to a cancelled order", () => {
    const ledeOf = (changes: Partial<Order>) =>
      toOrderLabels(
        makeOrder({ status: "cancelled", incoming_txs: [deposit("250")], ...changes }),
        plainNumberStyle,
        now,
      ).lede;
    const refund = (status: Transaction["status"]) => [deposit("249.5", { purpose: "refund", status })];
    expect(ledeOf({})).toMatch(/It is sent back automatically/);
    expect(ledeOf({ outgoing_txs: refund("pending") })).toMatch(/It is sent back automatically/);
    expect(ledeOf({ outgoing_txs: refund("confirmed") })).toMatch(/We sent it back/);
    const twice = [...refund("confirmed"), ...refund("pending")];
    expect(ledeOf({ outgoing_txs: twice })).toMatch(/It is sent back automatically/);
    const incoming_txs = [deposit("250"), deposit("50", { status: "pending" })];
    expect(ledeOf({ incoming_txs, outgoing_txs: refund("confirmed") })).toMatch(/It is sent back automatically/);
    expect(ledeOf({ set_aside_amount: "0.3" })).toMatch(/worth less than the network fee/);
  });

  it("says what comes next while a payment, which may be too small, is being confirmed", () => {
    const ledeOf = (amount: string, at: number) =>
      toOrderLabels(makeOrder({ status: "confirming", incoming_txs: [deposit(amount)] }), plainNumberStyle, at).lede;
    const end = Date.parse(makeOrder().expires_at);
    expect(ledeOf("250", 0)).toContain("There is nothing you need to do");
    expect(ledeOf("150", end - 1)).toMatch(
      /You sent 100\.00.USDT less than agreed\. Send the rest while the price is locked, or choose/,
    );
    expect(ledeOf("150", end)).toMatch(/ less than agreed\. Once it is confirmed, this page asks you what to do\.$/);
  });

  it("makes promises about a payment only if enough of it is known to be in time", () => {
    const ledeOf = (...incoming_txs: Transaction[]) =>
      toOrderLabels(makeOrder({ status: "confirming", incoming_txs }), plainNumberStyle, now).lede;
    const late = { created_at: "2030-01-01T00:30:00.001Z" };
    const maybeLate =
      /^It is being confirmed\. We saw it, or part of it, after the time to pay had ended\. If that was sent too late,/;
    expect(ledeOf(deposit("250", late))).toMatch(maybeLate);
    expect(ledeOf(deposit("150"), deposit("100", late))).toMatch(maybeLate);
    expect(ledeOf(deposit("250", { created_at: makeOrder().expires_at }))).toContain("nothing you need to do");
    expect(ledeOf(deposit("250"), deposit("100", late))).toMatch(/100\.00\sUSDT more than agreed\..* nothing you need/);
    expect(ledeOf(deposit("250"), deposit("100", { ...late, status: "failed" }))).toContain("nothing you need to do");
    const inTime = { ...late, block_time: makeOrder().expires_at };
    expect(ledeOf(deposit("250", inTime)), "seen late, but in a block in time").toContain("nothing you need to do");
    expect(ledeOf(deposit("250", { ...inTime, block_time: late.created_at }))).toMatch(maybeLate);
  });

  it("says why a large payment takes longer than its confirmations", () => {
    const pending = deposit("250", { status: "pending", confirmations: 2 });
    const ledeOf = (tx: Transaction) =>
      toOrderLabels(makeOrder({ status: "confirming", incoming_txs: [tx] }), plainNumberStyle, now).lede;
    expect(ledeOf({ ...pending, awaits_finality: true })).toMatch(
      /^2 of 3 confirmations\. We also wait until .* about 15 minutes in all\. There is nothing you need to do/,
    );
    expect(ledeOf(pending)).toMatch(/^2 of 3 confirmations\. There is nothing/);
  });

  it("does not call a payment too small while it is being confirmed", () => {
    const order = makeOrder({ status: "refunded", incoming_txs: [deposit("250", { status: "pending" })] });
    expect(toBadgeLabel(order)).toBe("Confirming");
    expect(toOrderLabels(order, plainNumberStyle, now).lede).toMatch(
      /^Once the network has confirmed it, we send it back/,
    );
  });

  it("shows the exchange's reason for a hold", () => {
    const order = makeOrder({
      status: "on_hold",
      hold: { reason: "Your identity verification was withdrawn.", deadline: "2030-01-04T00:00:00.000Z" },
    });
    expect(toOrderLabels(order, plainNumberStyle, now).lede).toBe(
      "Your identity verification was withdrawn. Your money is safe in the meantime.",
    );
  });

  it.each([
    ["refunding", "pending", null, "It goes to your refund address."],
    ["refunding", "pending", "0xabc", "We sent it to your refund address."],
    ["refunded", "confirmed", "0xabc", "We sent it to your refund address."],
  ] as const)(
    "while %s, don't say that the customer chose the refund address, which an operator may have changed",
    (status, of, hash, text) => {
      const refund = deposit("249.5", { purpose: "refund", status: of, hash });
      const order = makeOrder({ status, incoming_txs: [deposit("250")], outgoing_txs: [refund] });
      expect(toOrderLabels(order, plainNumberStyle, now).lede).toContain(text);
    },
  );

  it("explains a refund that was too small to send", () => {
    const nothing = makeOrder({ status: "refunded", incoming_txs: [deposit("0.1")] });
    expect(toOrderLabels(nothing, plainNumberStyle, now).title).toBe("There was too little to send back");
    expect(toBadgeLabel(nothing)).toBe("Too little to send back");
    const refund = deposit("0.1", { purpose: "refund" });
    expect(toOrderLabels({ ...nothing, outgoing_txs: [refund] }, plainNumberStyle, now).title).toBe(
      "Your USDT has been refunded",
    );
    // It became worth its cost later.
    const sending = { ...nothing, outgoing_txs: [{ ...refund, status: "pending" as const }] };
    expect(toOrderLabels(sending, plainNumberStyle, now).title).toBe("Your USDT is on its way back to you");
    expect(toBadgeLabel(sending)).toBe("Refunding");
    // A withdrawn refund was never sent.
    const withdrawn = { ...nothing, outgoing_txs: [{ ...refund, status: "failed" as const }] };
    expect(toOrderLabels(withdrawn, plainNumberStyle, now).title).toBe("There was too little to send back");
  });

  it("says that nothing was received if the only payment left the chain", () => {
    const gone = makeOrder({ status: "refunded", incoming_txs: [deposit("100", { status: "failed" })] });
    const { title, lede } = toOrderLabels(gone, plainNumberStyle, now);
    expect([title, toBadgeLabel(gone)]).toEqual(["There was nothing to send back", "Nothing to send back"]);
    expect(lede).toMatch(/we received nothing\.$/);
  });

  it("describes a delayed payout as set aside, not being sent", () => {
    const waiting = makeOrder({ status: "paying_out", payout_not_before: "2030-01-02T00:00:00.000Z" });
    expect(toOrderLabels(waiting, plainNumberStyle, now).title).toMatch(/is reserved for you$/);
    const after = Date.parse("2030-01-02T00:00:00.000Z");
    expect(toOrderLabels(waiting, plainNumberStyle, after).title).toMatch(/^We're sending you/);
  });

  it("does not call a payout final while it is made again because a reorg has removed its transaction", () => {
    const payout = deposit("1", { purpose: "payout" });
    const shownFor = (...outgoing_txs: Transaction[]) => {
      const order = makeOrder({ status: "completed", outgoing_txs });
      return [toOrderLabels(order, plainNumberStyle, now).title, toBadgeLabel(order)];
    };
    const again = ["We're sending you 710.704482\u00a0MOB again", "Paying out"];
    const done = ["710.704482\u00a0MOB delivered", "Done"];
    const failed = { ...payout, status: "failed" } as const;
    const pending = { ...payout, status: "pending", hash: null } as const;
    expect(shownFor(failed, pending)).toEqual(again);
    expect(shownFor(pending)).toEqual(again);
    expect(shownFor(failed, payout)).toEqual(done);
    expect(shownFor()).toEqual(done);
    expect(shownFor(payout, { ...pending, purpose: "refund" })).toEqual(done);
  });

  it.each([
    ["paying_out", "payout", "We're sending you 710.704482\u00a0MOB", "710.704482\u00a0MOB is on its way"],
    ["refunding", "refund", "We're sending your USDT back", "Your USDT is on its way back to you"],
  ] as const)(
    "say of an order that is %s that its %s is on its way only once it is sent",
    (status, purpose, ...titles) => {
      const [unsent, sent] = titles;
      const labelsOf = (changes: Partial<Transaction>) => {
        const tx = deposit("1", { purpose, status: "pending", ...changes });
        return toOrderLabels(makeOrder({ status, outgoing_txs: [tx] }), plainNumberStyle, now);
      };
      expect(labelsOf({})).toMatchObject({ title: sent, lede: expect.not.stringContaining("once it is sent") });
      for (const changes of [{ hash: null }, { status: "failed" }, { purpose: "deposit" }] as const) {
        const lede = expect.stringContaining("This page shows the transaction once it is sent.");
        expect(labelsOf(changes)).toMatchObject({ title: unsent, lede });
      }
    },
  );

  it("says what happens to the rest while an overpayment is being confirmed", () => {
    const ledeOf = (amount: string) =>
      toOrderLabels(makeOrder({ status: "confirming", incoming_txs: [deposit(amount)] }), plainNumberStyle, now).lede;
    expect(ledeOf("250")).not.toMatch(/more than agreed/);
    // A late excess is never swapped, and one that is worth less than the network fee is set aside.
    expect(ledeOf("500")).toMatch(
      /You sent 250\.00\sUSDT more than agreed\. We swap a small excess that arrived in time .*, once it is worth more than that fee\. There is nothing you need to do/,
    );
  });

  it.each([
    ["paying_out", null],
    ["paying_out", "2030-01-02T00:00:00.000Z"],
    ["completed", null],
  ] as const)("add up the refunds of an overpayment while %s, with a payout not before %s", (status, notBefore) => {
    const refund = deposit("10", { purpose: "refund" });
    const another = deposit("250", { purpose: "refund", status: "pending" });
    const ledeOf = (outgoing_txs: Transaction[]) =>
      toOrderLabels(makeOrder({ status, payout_not_before: notBefore, outgoing_txs }), plainNumberStyle, now).lede;
    expect(ledeOf([refund, another])).toMatch(/260\.00\sUSDT that this swap didn't need is being sent back to you\.$/);
    expect(ledeOf([refund, { ...another, status: "confirmed" }])).toMatch(
      /260\.00\sUSDT that this swap didn't need was sent back to you\.$/,
    );
    expect(ledeOf([])).not.toMatch(/didn't need/);
  });

  it("explains what happened to an overpayment", () => {
    const refund = deposit("10", { purpose: "refund", status: "pending" });
    const order = makeOrder({ status: "completed", outgoing_txs: [refund] });
    expect(toOrderLabels(order, plainNumberStyle, now).lede).toMatch(
      /^We swapped 250\.00\sUSDT\. .* 10\.00\sUSDT that this swap didn't need is being sent back to you/,
    );
    const done = { ...order, outgoing_txs: [{ ...refund, status: "confirmed" as const }] };
    expect(toOrderLabels(done, plainNumberStyle, now).lede).toMatch(
      /10\.00\sUSDT that this swap didn't need was sent back to you\.$/,
    );
    const withdrawn = { ...order, outgoing_txs: [{ ...refund, status: "failed" as const }] };
    for (const without of [withdrawn, makeOrder({ status: "completed" })])
      expect(toOrderLabels(without, plainNumberStyle, now).lede).not.toMatch(/more/);
  });
});

describe("the grace period", () => {
  it("T53 says how long a payment that was already sent still counts", () => {
    expect(toGraceLabels(120).lede).toMatch(/still counts if it arrives within 2 minutes after the deadline/);
  });
});

import type { Edit } from "./plant";

/** A fault that the simulator must find. */
export type Mutant = { name: string; edits: readonly Edit[] };

const exchange = "app/exchange.server";

/**
 * Faults that were once in the exchange, by their numbers in the list of 2026-11, and others that
 * would be as bad. When you change a line that a mutant changes, change the mutant too.
 */
export const mutants: readonly Mutant[] = [
  {
    name: "1: a log that a node returns several times is several deposits",
    edits: [
      {
        file: `${exchange}/chains/ethereum/token.ts`,
        find: "if (log.removed || known.has(key) ||",
        replace: "if (log.removed ||",
      },
      {
        file: `${exchange}/chains/ethereum/token.ts`,
        find: "blockLogIndex: logIndex,",
        replace: "blockLogIndex: logIndex + 1000 * ordinal,",
      },
    ],
  },
  {
    name: "one transfer, reported by two nodes, is stored as two deposits",
    edits: [
      {
        file: `${exchange}/chains/ethereum/transfers.ts`,
        find: "const located = chooseOnePerTransfer(claims);",
        replace: "const located = claims;",
      },
      {
        file: `${exchange}/deposits/credit-deposits.ts`,
        find: "const amount = confirmed.reduce(",
        replace: "const amount = rows.reduce(",
      },
    ],
  },
  {
    name: "2: logs that come many blocks late are never read",
    edits: [
      {
        file: `${exchange}/chains/ethereum/scan.ts`,
        find: "const secondPassBlocks = 64n;",
        replace: "const secondPassBlocks = 4n;",
      },
    ],
  },
  {
    name: "7: a payment that a reorg removed is not sent again",
    edits: [
      {
        file: `${exchange}/payments/run-payments.ts`,
        find: "await followConfirmed(ctx, asset);",
        replace: "",
      },
    ],
  },
  {
    name: "8: a payment that the network refuses delays all others",
    edits: [
      {
        file: `${exchange}/payments/parked/park.ts`,
        find: "const parkAfterRefusals = 3;",
        replace: "const parkAfterRefusals = 1_000_000;",
      },
    ],
  },
  {
    name: "a confirmed payment that left the chain and was then refused keeps its nonce",
    edits: [
      {
        file: `${exchange}/payments/sending/resend.ts`,
        find: "if (payment.nonce !== null) await handleBroadcastFailure",
        replace: 'if (payment.nonce !== null && payment.status === "sent") await handleBroadcastFailure',
      },
    ],
  },
  {
    name: "a cancellation that a reorg removed is not sent again",
    edits: [
      {
        file: `${exchange}/payments/sending/resend.ts`,
        find: "await fillNoncesBefore(ctx, payment);",
        replace: "",
      },
    ],
  },
  {
    name: "13: a restored backup is not compared with what the wallet has paid",
    edits: [
      {
        file: `${exchange}/payments/history/record-unknown.ts`,
        find: "...read.payments.filter(({ hash }) => hashes.has(hash)),",
        replace: "...read.payments.filter(({ hash }) => hashes.has(hash) && hash === ''),",
      },
    ],
  },
  {
    name: "13: a restored backup gives out funding addresses again",
    edits: [
      {
        file: `${exchange}/payments/history/funding-indexes.ts`,
        find: "from orders_number_seq where last_value <",
        replace: "from orders_number_seq where false and last_value <",
      },
      {
        file: `${exchange}/orders/locking/allocate-funding-address.ts`,
        find: "if (!isUsed && !(await",
        replace: "if (!(await",
      },
    ],
  },
  {
    name: "17: a decision at a new price is possible while swaps are off",
    edits: [
      {
        file: `${exchange}/orders/decisions/decide.ts`,
        find: "await requireOffersPossible(tx, { target: order.targetAsset, at });",
        replace: "",
      },
    ],
  },
  {
    name: "18: an owner who lost the approval is still paid out",
    edits: [
      {
        file: `${exchange}/orders/advance-order.ts`,
        find: "if (problem !== null) {",
        replace: "if (problem === (ctx.config.origin as string)) {",
      },
      {
        file: `${exchange}/payments/preparing/prepare.ts`,
        find: 'or(eq(payments.purpose, "refund"), ownerMaySwap),',
        replace: "",
      },
    ],
  },
  {
    name: "an earlier version of a payment is lost when its fee is raised",
    edits: [
      {
        file: `${exchange}/payments/sending/bump-fee.ts`,
        find: "superseded: [...payment.superseded, current],",
        replace: "superseded: payment.superseded,",
      },
    ],
  },
  {
    name: "a payment is booked each time that a process sees it confirmed",
    edits: [
      {
        file: `${exchange}/payments/sending/outcomes.ts`,
        find: ".where(and(eq(payments.id, payment.id), isSignedPayment))",
        replace: ".where(eq(payments.id, payment.id))",
      },
    ],
  },
  {
    name: "a payment that has changed in the meantime is marked as failed and replaced",
    edits: [
      {
        file: `${exchange}/orders/payouts-and-refunds/plan-payments.ts`,
        find: '.set({ status: "failed", lastError: reason, updatedAt: at })\n    .where(isUnchanged(payment))',
        replace:
          '.set({ status: "failed", lastError: reason, updatedAt: at })\n    .where(eq(payments.id, payment.id))',
      },
    ],
  },
  {
    name: "a refused payment is replaced even though a node may have accepted it",
    edits: [
      {
        file: `${exchange}/payments/sending/broadcast.ts`,
        find: "if (!(await settleUnsent(ctx, payment))) await handleBroadcastFailure(ctx, payment, error);",
        replace: 'if (!(await settleUnsent(ctx, payment))) await replacePayment(ctx, payment, "it could not be sent");',
      },
    ],
  },
  {
    name: "a MobileCoin payment counts as impossible before its last block",
    edits: [
      {
        file: `${exchange}/chains/mobilecoin/payments.ts`,
        find: "if (!isSynced(status) || status.local_block_height <= tombstoneBlockIndex)",
        replace: "if (!isSynced(status) || status.local_block_height < tombstoneBlockIndex - 100)",
      },
    ],
  },
  {
    name: "a transaction with the same nonce is enough to replace a payment",
    edits: [
      {
        file: `${exchange}/chains/ethereum/payment-state.ts`,
        find: "return isOther;",
        replace: "return true;",
      },
      {
        file: `${exchange}/payments/find-version.ts`,
        find: "for (const version of [...payment.superseded, current]) {",
        replace: "for (const version of [current]) {",
      },
    ],
  },
  {
    name: "a payment is made even though its deposit has left the chain",
    edits: [
      {
        file: `${exchange}/payments/preparing/ensure-funded.ts`,
        find: 'if (funding === "funded") return await ensureCollectable(ctx, payment);',
        replace: "if (funding) return await ensureCollectable(ctx, payment);",
      },
      {
        file: `${exchange}/deposits/rechecks/recheck-deposits.ts`,
        find: "if (result?.blockHash === deposit.blockHash) {",
        replace:
          'if (result || deposit.missingSince === null) return "in_block";\n  if (result?.blockHash === deposit.blockHash) {',
      },
    ],
  },
  {
    name: "a surplus is kept",
    edits: [
      {
        file: `${exchange}/orders/payouts-and-refunds/fill.ts`,
        find: "await planRefund(tx, ctx, filled, at);",
        replace: "",
      },
    ],
  },
  {
    name: "a deposit for an order that has ended is kept",
    edits: [
      {
        file: `${exchange}/orders/advance-order.ts`,
        find: 'if (order.status === "expired" || order.status === "needs_decision") {',
        replace: 'if (order.status === "needs_decision") {',
      },
    ],
  },
  {
    name: "a refund that is already signed is enlarged",
    edits: [
      {
        file: `${exchange}/orders/payouts-and-refunds/plan-refund.ts`,
        find: 'eq(payments.status, "planned"),\n        eq(payments.address, order.refundAddress),',
        replace: "eq(payments.address, order.refundAddress),",
      },
    ],
  },
  {
    name: "the fee stays with us when a fill is undone",
    edits: [
      {
        file: `${exchange}/orders/payouts-and-refunds/fill.ts`,
        find: "{ asset: sourceAsset, from: fees, to: held, amount: filledFee, kind },",
        replace: "",
      },
    ],
  },
];

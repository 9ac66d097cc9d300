import { listLoadersAndActions } from "./loaders-and-actions";

/** What `npm run mutate -- FOLDER` changes, and the tests that have to notice. */
type MutationFolder = {
  /** The files whose code is changed. */
  mutate: string[];
  /** The files or folders of tests that run against each change. */
  tests: string[];
  /** Kinds of changes to leave out (Stryker's names). */
  without?: string[];
};

/** Left out where the tests take minutes. The remaining kinds change decisions. */
const texts = ["StringLiteral", "ObjectLiteral", "ArrayDeclaration", "Regex", "ArrowFunction"];

const notCode = ["!app/**/*.css.ts", "!app/**/*.d.ts"];

export const mutationFolders: Record<string, MutationFolder> = {
  lib: {
    mutate: ["app/lib/**/*.ts"],
    tests: [
      "tests/unit/lib",
      "tests/unit/http/http-parts.test.ts",
      "tests/unit/orders",
      "tests/unit/pricing",
      "tests/unit/config/log.test.ts",
      "tests/unit/routes/swap/quote.test.ts",
      "tests/unit/routes/swap/quote-search.test.ts",
      "tests/unit/routes/doger/swaps-csv.test.ts",
    ],
  },
  session: {
    mutate: ["app/session/**/*.ts"],
    tests: ["tests/unit/session", "tests/unit/routes/login.test.ts", "tests/unit/routes/table.test.ts"],
  },
  api: {
    mutate: ["app/api/**/*.ts"],
    tests: ["tests/unit/api", "tests/unit/exchange-binding", "tests/unit/session/user-error.test.ts"],
  },
  pricing: {
    mutate: ["app/exchange.server/pricing/**/*.ts"],
    tests: ["tests/unit/pricing", "tests/integration/pricing", "tests/integration/api/status-history.test.ts"],
  },
  ledger: {
    mutate: ["app/exchange.server/ledger/**/*.ts"],
    tests: ["tests/integration/ledger"],
  },
  orders: {
    mutate: [
      "app/exchange.server/orders/**/*.ts",
      "app/exchange.server/deposits/deposit-state.ts",
      "app/exchange.server/deposits/older-transfers.ts",
      ...[
        "dependent-payments",
        "dropped-deposits",
        "lost-deposits",
        "recheck-deposits",
        "reverse-deposit",
        "write-off-deposit",
      ].map((name) => `app/exchange.server/deposits/rechecks/${name}.ts`),
    ],
    tests: [
      "tests/unit/orders",
      ...[
        "owner-eligibility",
        "deadlines",
        "decisions",
        "dust",
        "funding-addresses",
        "holding",
        "holds",
        "large-refunds",
        "lifecycle",
        "locking",
        "muted-mails",
        "offers",
        "operator",
        "push",
        "refused-locks",
        "stopped",
        "unpaid-locks",
      ].map((name) => `tests/integration/orders/${name}.test.ts`),
      ...["dropped", "found-late", "lost", "older-than-order", "recheck", "reorgs", "states", "unclear"].map(
        (name) => `tests/integration/deposits/${name}.test.ts`,
      ),
      "tests/integration/api/order-deposits.test.ts",
      "tests/integration/api/order-events.test.ts",
      "tests/integration/api/order-search.test.ts",
      "tests/integration/api/swaps.test.ts",
      "tests/integration/api/tracking.test.ts",
      "tests/integration/identity/account-deletion.test.ts",
      "tests/integration/payments",
      "tests/integration/pricing",
    ],
    without: texts,
  },
  payments: {
    mutate: ["app/exchange.server/payments/**/*.ts", "app/exchange.server/db/not-before.ts"],
    tests: [
      "tests/integration/db/statements.test.ts",
      "tests/integration/ledger/opening-balance.test.ts",
      "tests/integration/mobilecoin/consolidation.test.ts",
      "tests/integration/orders/dust.test.ts",
      "tests/integration/orders/restored-backup.test.ts",
      "tests/integration/payments",
      "tests/integration/pricing/gas-costs.test.ts",
      "tests/unit/payments",
    ],
    without: texts,
  },
  routes: {
    // The sandbox's page doesn't handle real money, and only testers have it.
    mutate: ["app/routes/**/*.server.ts", "!app/routes/sandbox/**"],
    tests: [
      "tests/unit/routes/doger/delete.test.ts",
      "tests/unit/routes/doger/doger.test.ts",
      "tests/unit/routes/doger/filters.test.ts",
      "tests/unit/routes/kyc.test.ts",
      "tests/unit/routes/login.test.ts",
      "tests/unit/routes/swap/addresses.test.ts",
      "tests/unit/routes/swap/directions.test.ts",
      "tests/unit/routes/swap/quote.test.ts",
      "tests/unit/routes/swap/quote-search.test.ts",
      "tests/unit/routes/swap/receipt-pdf.test.ts",
      "tests/unit/routes/swap/start-page.test.tsx",
    ],
  },
  "loaders-and-actions": {
    mutate: [
      ...listLoadersAndActions("app/routes").filter((range) => !range.startsWith("app/routes/sandbox")),
      "app/sign-in/**/*.ts",
    ],
    tests: ["tests/unit/routes", "tests/unit/session", "tests/unit/query-cache", "tests/unit/browser"],
  },
};

for (const folder of Object.values(mutationFolders)) folder.mutate.push(...notCode);

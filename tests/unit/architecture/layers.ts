/**
 * Which folder may import which: the enforced form of docs/architecture.md.
 *
 * A row names a folder (or one file) and what it may import besides itself, as paths from app/. The most specific row
 * applies to a file. A folder whose parent has a row may also import the files directly in its parent. `type:` allows
 * only types, which the compiler erases, so at run time neither module needs the other. Apart from types, each row names
 * only rows above it, so two folders can never depend on each other.
 */
type Layers = Record<string, readonly string[]>;

export const siteLayers: Layers = {
  // Pure functions and constants.
  lib: [],
  styles: [],
  ui: ["styles"],

  // Server: configuration, the exchange's client, the session of a request.
  config: ["lib", "type:exchange.server/context", "type:exchange.server/setup"],
  // Chains, mail, reviewer and rates of the sandbox, called by the exchange's own clients.
  "sandbox.server": ["exchange.server", "lib"],
  api: ["lib"],
  // Pure rules, sums and labels of what the API returns: orders and saved addresses.
  swaps: ["lib", "type:api", "type:ui"],
  // The one binding to the exchange: boots it and picks the sandbox or the live systems.
  "exchange-binding": [
    "api",
    "config",
    "exchange.server/db/lock-directory",
    "exchange.server/index",
    "exchange.server/limits",
    "exchange.server/live",
    "sandbox.server/sandbox",
    "lib",
  ],
  session: ["api", "config", "exchange-binding/exchange-client.server", "exchange-binding/exchange", "lib"],
  "sign-in": ["api", "config", "lib", "session"],
  content: ["config", "lib"],
  currency: ["config", "lib"],
  server: ["api", "config", "exchange-binding", "lib", "session"],

  // Browser: caching, passkeys, tabs, the wallet; then components and routes.
  "query-cache": ["lib"],
  "loaded-data": ["lib", "query-cache", "type:api"],
  browser: ["lib", "loaded-data", "query-cache"],
  components: ["browser", "lib", "loaded-data", "query-cache", "styles", "swaps", "type:api", "type:sign-in", "ui"],
  wallet: ["browser", "components", "lib", "loaded-data", "styles", "swaps", "ui"],
  routes: [
    "api",
    "browser",
    "components",
    "config",
    "content",
    "currency",
    "exchange-binding",
    "lib",
    "loaded-data",
    "query-cache",
    "server/api-mount.server",
    "session",
    "sign-in",
    "styles",
    "swaps",
    "ui",
    "wallet",
  ],

  // Entries: Remix's root and entries, the production server, the commands.
  root: ["type:loaded-data", "components", "config", "currency", "lib", "styles"],
  "entry.client": ["browser"],
  "entry.server": [
    "components/shell/document-context",
    "components/shell/use-scripts",
    "config",
    "lib",
    "server",
    "session",
  ],
  "server.ts": ["config", "content", "exchange-binding", "exchange.server/describe-error", "lib", "server"],
  commands: ["config", "exchange.server/db/lock-file", "exchange.server/operator", "lib"],
  "vite-plugins": [],
};

/** What every file of the exchange may import. */
export const foundation: readonly string[] = [
  "lib",
  "api/contract",
  "type:exchange.server/context",
  "exchange.server/describe-error",
  "exchange.server/errors",
  "exchange.server/ids",
  "exchange.server/operator-advice",
  "exchange.server/per-context",
  "exchange.server/secrets",
  "exchange.server/swap-terms",
];

/** From the bottom up. */
export const exchangeLayers: Layers = Object.fromEntries(
  Object.entries({
    errors: [],
    ids: [],
    secrets: [],
    "describe-error": [],
    "operator-advice": [],
    "per-context": [],
    "swap-terms": [],
    "rpc-transport": [],
    db: ["type:chains/gateway"],
    chains: [],
    context: ["type:chains/gateway", "type:db"],
    setup: [],

    // What processes count together: requests in memory and by notifications, events in the database.
    limits: ["db"],

    ledger: ["db"],
    switches: ["db"],
    alerts: ["db"],

    mail: ["alerts", "db"],
    accounts: ["db", "limits", "mail"],
    // Tells the owner about a changed address as about other changes of their account.
    addresses: ["accounts", "db", "mail", "rpc-transport"],
    "chains/ethereum": ["chains/gateway", "chains/to-error", "rpc-transport"],
    // Checks an address before paying to it, with the same pure decoder that customers' addresses pass.
    "chains/mobilecoin": ["addresses/mob-address", "chains/gateway", "chains/to-error"],
    pricing: ["alerts", "db", "switches"],

    // Notifications in browsers.
    push: ["type:accounts", "accounts/require-open-session", "db"],

    orders: ["alerts", "db", "ledger", "pricing"],
    "orders/owner-mails": ["accounts/security-notices", "db", "mail", "pricing", "push"],
    "orders/payouts-and-refunds": ["alerts", "db", "ledger", "orders/owner-mails", "pricing"],
    "orders/holds": ["alerts", "db", "orders/owner-mails", "orders/payouts-and-refunds"],
    "orders/due-steps": ["alerts", "db", "ledger", "orders/owner-mails", "orders/payouts-and-refunds", "pricing"],
    "orders/decisions": [
      "db",
      "ledger",
      "orders/holds",
      "orders/owner-mails",
      "orders/payouts-and-refunds",
      "pricing",
      "switches",
    ],
    "orders/locking": [
      "type:accounts/caller",
      "accounts/recovery-hold",
      "addresses",
      "db",
      "ledger",
      "orders/holds",
      "pricing",
      "switches",
    ],
    "orders/views": ["db", "orders/decisions", "orders/payouts-and-refunds", "pricing"],

    // A withdrawn approval puts the account's orders on hold.
    kyc: ["accounts", "alerts", "db", "limits", "mail", "orders"],

    deposits: ["alerts", "type:chains/gateway", "db", "ledger", "orders"],
    "deposits/rechecks": ["alerts", "type:chains/gateway", "db", "ledger", "orders", "switches"],

    // A payment is made only if the deposits behind it are still there.
    payments: ["alerts", "type:chains/gateway", "db", "deposits/deposit-state", "ledger", "orders", "switches"],
    "payments/parked": ["alerts", "db", "orders"],
    // A restored backup has sessions that were ended since.
    "payments/history": [
      "accounts/end-sessions",
      "alerts",
      "type:chains/gateway",
      "db",
      "deposits/deposit-state",
      "orders",
      "payments/parked",
      "switches",
    ],
    "payments/sending": ["alerts", "chains/gateway", "db", "ledger", "orders", "payments/parked", "switches"],
    "payments/preparing": [
      "alerts",
      "chains/gateway",
      "db",
      "deposits/rechecks",
      "ledger",
      "orders",
      "payments/history",
      "payments/parked",
      "payments/sending",
      "switches",
    ],
    "payments/reserves": ["alerts", "type:chains/gateway", "db", "deposits/deposit-state", "ledger", "switches"],

    "startup-checks": ["type:chains/gateway", "db", "type:setup", "switches"],

    "price-alerts": [
      "accounts/caller",
      "accounts/require-open-session",
      "db",
      "limits",
      "mail",
      "pricing",
      "push",
      "switches",
    ],
    support: ["accounts", "db", "limits", "mail"],
    "personal-data": ["accounts", "db", "kyc", "mail", "orders"],

    http: [
      "accounts",
      "addresses",
      "db",
      "kyc",
      "limits",
      "orders",
      "personal-data",
      "price-alerts",
      "pricing",
      "push",
      "support",
    ],
    jobs: [
      "accounts",
      "alerts",
      "db",
      "deposits",
      "kyc",
      "ledger",
      "mail",
      "orders",
      "payments",
      "personal-data",
      "price-alerts",
      "pricing",
      "push",
      "switches",
    ],

    // Puts the parts together.
    exchange: [
      "type:chains/gateway",
      "db",
      "deposits",
      "http",
      "jobs",
      "ledger",
      "limits",
      "mail",
      "payments",
      "pricing",
      "push",
      "startup-checks",
    ],
    index: ["db/open", "db/pglite", "exchange", "type:limits", "type:setup", "startup-checks/require-settings"],
    live: ["chains", "type:exchange", "kyc", "mail", "pricing", "type:setup"],
    operator: [
      "accounts",
      "alerts",
      "db",
      "deposits",
      "ledger",
      "orders",
      "payments",
      "personal-data",
      "pricing",
      "type:setup",
      "startup-checks",
      "switches",
    ],
  }).map(([folder, allowed]) => [
    `exchange.server/${folder}`,
    allowed.map((rule) => rule.replace(/^(type:)?/, "$1exchange.server/")),
  ]),
);

/** Imports from another route's folder, each with the reason. Everything shared by more routes is in components/. */
export const allowedCrossRouteImports: Record<string, string> = {
  "routes/swap/usdt-to-mob → routes/swap/direction/": "both directions share one screen",
  "routes/swap/mob-to-usdt → routes/swap/direction/": "both directions share one screen",
  "routes/swap/direction → routes/swap/address-entry/": "addresses are entered on two screens, which load the wallet",
  "routes/swap/add-delivery-address → routes/swap/address-entry/": "the same",
  "routes/swap/quote → routes/swap/address-entry/typed-search.server":
    "both screens keep what the visitor has typed in the same search params",
  "routes/swap/order-receipt-pdf → routes/swap/order-receipt/finished-order.server":
    "both kinds of receipt are for the same swaps",
  "routes/doger/delete → routes/doger/account/": "both ask for the passkey again before a change",
  "routes/doger/swaps-csv → routes/doger/activity/": "the export has the swaps that the page shows with its filters",
};

/** What server code imports from components/, each with the reason. */
export const allowedComponentsOnServer: Record<string, string> = {
  "entry.server → components/shell/document-context": "the entry renders the document, with what only the server adds",
  "entry.server → components/shell/use-scripts": "a document without React gets other headers",
};

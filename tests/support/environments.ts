/** A live exchange, without what differs between tests: its data directory, nodes, wallet and public key. */
export const liveEnvironment = {
  EXCHANGE_MODE: "live",
  ORIGIN: "https://antelope.example",
  SESSION_SECRET: "kR7v0yQ2mZ9xT4wB6nL1pD8sF3hJ5gC_",
  DATABASE_URL: "postgres://db/antelope",
  ETH_CHAIN_ID: "1",
  ETH_PAYOUT_PRIVATE_KEY: `0x${"1234567890abcdef".repeat(4)}`,
  USDT_ADDRESS: "0xdAC17F958D2ee523a2206206994597C13D831ec7",
  USDT_FINALIZED_ABOVE: "5000",
  MOBILECOIN_ACCOUNT_ID: "abc",
  SMTP_URL: "smtps://mail.example",
  MAIL_FROM: "hello@antelope.example",
  KYC_URL: "https://kyc.example",
  KYC_API_KEY: "key",
  KYC_WEBHOOK_SECRET: "hook",
  RATE_SOURCES: "https://r1.example,https://r2.example",
};

/** No limits on requests, codes and applications, because all of them come from one address. */
export const unlimited = {
  REQUESTS_PER_ADDRESS_PER_MINUTE: "1000000000",
  WRITES_PER_ACCOUNT_PER_MINUTE: "1000000000",
  CODES_PER_RECIPIENT_PER_10_MINUTES: "1000000000",
  CODES_PER_RECIPIENT_PER_DAY: "1000000000",
  CODES_PER_SENDER_PER_HOUR: "1000000000",
  APPLICATIONS_PER_SENDER_PER_DAY: "1000000000",
};

/** The answers of the help centre, by topic, in the order in which they are shown. Each is a file in content/help/. */
export const helpTopics = [
  { name: "Paying", answers: ["late", "too-little", "too-much", "exchange", "wrong-network", "waiting", "hold"] },
  { name: "Prices and limits", answers: ["fees", "price", "limits"] },
  { name: "Signal and MOB", answers: ["signal-limits", "mob-address"] },
  { name: "Refunds", answers: ["refunds", "refund-address"] },
  { name: "Verification", answers: ["verification", "verification-refused"] },
  {
    name: "Your account and security",
    answers: ["sign-in", "change-email", "security", "scams", "records", "your-data"],
  },
] as const;

export type AnswerId = (typeof helpTopics)[number]["answers"][number];

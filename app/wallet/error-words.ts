import { toWalletTrouble, type WalletTrouble } from "./error-kinds";

/** What was being done when it went wrong: it decides whether money may have moved. */
export type WalletPhase = "connect" | "switch" | "pay" | "follow" | "read";

export type WalletErrorWords = {
  trouble: WalletTrouble;
  /** What happened. */
  title: string;
  /** Whether the money is safe. */
  money: string;
  /** What to do. */
  advice: string;
};

const nothingMoved = "No money has moved.";
const notSent = "Nothing was sent: your USDT are still in your wallet.";
const maySent = "The payment may have been sent all the same.";
const underWay = "Your payment is with the network, whatever this page can see of it.";

/** Where nothing else is known, the phase says what became of the money. */
const moneyByPhase: Record<WalletPhase, string> = {
  connect: nothingMoved,
  switch: nothingMoved,
  read: nothingMoved,
  pay: notSent,
  follow: underWay,
};

/** Troubles that leave open whether a payment got through, when they come while paying. */
const openOutcomes: ReadonlySet<WalletTrouble> = new Set([
  "maybeSent",
  "timeout",
  "unreachable",
  "disconnected",
  "unknown",
]);

type Words =
  | { title: string; advice: string }
  | Record<"title" | "advice", string | Partial<Record<WalletPhase, string>>>;

const words: Record<WalletTrouble, Words> = {
  rejected: {
    title: {
      connect: "You declined the connection",
      switch: "The network was not changed",
      pay: "You declined the payment",
      read: "The wallet declined",
    },
    advice: {
      connect: "Connect again when you are ready, or pay by hand to the address on this page.",
      switch:
        "Press the button again and let the wallet switch to it, or add it where the wallet asks that first. Or pay by hand from a wallet that has it: the address and the amount stand on this page.",
      pay: "Pay when you are ready: the price stays locked until the time shown on this page.",
      read: "Try again when you are ready.",
    },
  },
  busy: {
    title: "The wallet is locked or waits for an answer",
    advice: "Open the wallet, unlock it and answer the request that is waiting there. Then try again.",
  },
  walletMissing: {
    title: "No wallet was found in this browser",
    advice:
      "Install a wallet or open this page in the wallet's own browser, then reload. Or pay by hand: the address and the amount stand on this page.",
  },
  chainMissing: {
    title: "The wallet does not know this network",
    advice: "Add the network in the wallet's settings and try again, or pay by hand from a wallet that has it.",
  },
  wrongChain: {
    title: "The wallet is on another network",
    advice:
      "Switch the wallet to the network named here, then try again. USDT sent on another network would not arrive.",
  },
  disconnected: {
    title: "The wallet is no longer connected",
    advice: "Look into the wallet's list of payments first. If none is there, connect again and pay.",
  },
  unauthorized: {
    title: "The wallet does not let this site use that account",
    advice: "Open the wallet's list of connected sites, allow this one, and connect again.",
  },
  unsupported: {
    title: "The wallet cannot do that",
    advice: "Do it in the wallet itself, or pay by hand: the address and the amount stand on this page.",
  },
  gasMissing: {
    title: "There is not enough ETH for the network's fee",
    advice: "Payments on Ethereum cost a little ETH besides the USDT. Put some ETH into this account and try again.",
  },
  balanceTooLow: {
    title: "There are not enough USDT in this account",
    advice:
      "Top the account up or choose another account in the wallet. The exact amount has to arrive in one payment.",
  },
  paused: {
    title: "Transfers of USDT are paused by its issuer",
    advice:
      "Nobody can send USDT just now. Wait until the issuer lifts the pause; if the time runs out, take a new quote.",
  },
  blacklisted: {
    title: "The issuer of USDT has blocked this account",
    advice: "Its USDT cannot be moved. Use another account, and ask the issuer, Tether, about this one.",
  },
  tokenAbsent: {
    title: "The wallet's network has no such USDT",
    advice:
      "The wallet reaches another chain under the same number. Change the network's RPC address in the wallet, or use another wallet.",
  },
  reverted: {
    title: "The token refused the payment",
    advice: "Check the balance and try again. If it is refused again, pay by hand from another account.",
  },
  maybeSent: {
    title: "The wallet has sent something with this number already",
    advice:
      "Look into the wallet's list of payments before you try again: paying twice is harder to mend than waiting.",
  },
  timeout: {
    title: "No answer came in time",
    advice: {
      pay: "Look into the wallet's list of payments before you try again.",
      follow: "Leave this page open or come back later: the swap goes on when the payment is in a block.",
      connect: "Check that the wallet is open and unlocked, then try again.",
      switch: "Check that the wallet is open and unlocked, then try again.",
      read: "Try again in a moment.",
    },
  },
  rateLimited: {
    title: "The network's node asks us to slow down",
    advice: "Wait a minute and try again.",
  },
  unreachable: {
    title: "The network's node cannot be reached",
    advice: {
      pay: "Check your connection, and look into the wallet's list of payments before you try again.",
      follow: "Check your connection. The swap goes on without this page.",
      connect: "Check your connection and try again.",
      switch: "Check your connection and try again.",
      read: "Check your connection and try again.",
    },
  },
  unknown: {
    title: "The wallet reported a problem we do not know",
    advice: {
      pay: "Look into the wallet's list of payments before you try again, or pay by hand to the address on this page.",
      follow: "Leave this page open: the swap goes on when the payment is in a block.",
      connect: "Try again, or pay by hand to the address on this page.",
      switch: "Choose the network in the wallet yourself, or pay by hand.",
      read: "Try again in a moment.",
    },
  },
};

/** E18: any error of a wallet in words: what happened, whether money is safe, what to do. */
export function toWalletErrorWords(error: unknown, phase: WalletPhase): WalletErrorWords {
  const trouble = toWalletTrouble(error);
  const { title, advice } = words[trouble];
  return { trouble, title: pick(title, phase), money: toMoney(trouble, phase), advice: pick(advice, phase) };
}

function pick(text: string | Partial<Record<WalletPhase, string>>, phase: WalletPhase): string {
  if (typeof text === "string") return text;
  return text[phase] ?? text.read ?? "";
}

function toMoney(trouble: WalletTrouble, phase: WalletPhase): string {
  if (phase === "pay" && openOutcomes.has(trouble)) return maySent;
  // A transaction that reverted in its block cost the fee and moved nothing.
  if (phase === "follow" && trouble === "reverted") return "Your USDT did not move; only the network's fee was spent.";
  return moneyByPhase[phase];
}

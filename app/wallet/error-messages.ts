import { toWalletErrorKind, type WalletErrorKind } from "./error-kinds";

/**
 * What was being done when the error occurred. It decides whether money may have moved. "address" is connecting to
 * fill in an address, on a page without an amount to pay.
 */
export type WalletPhase = "connect" | "switch" | "pay" | "follow" | "read" | "address";

export type WalletErrorMessage = {
  kind: WalletErrorKind;
  /** What happened. */
  title: string;
  /** Whether the money is safe. */
  money: string;
  /** What to do. */
  advice: string;
  /** Whether a wallet that was asked for a payment may have sent it even though it reported this error. */
  mayHaveSent: boolean;
};

const noMoneyMoved = "No money has moved.";

const moneyByPhase: Record<WalletPhase, string> = {
  connect: noMoneyMoved,
  switch: noMoneyMoved,
  read: noMoneyMoved,
  pay: "Nothing was sent. Your USDT is still in your wallet.",
  follow: "Your wallet has sent the payment, even if this page can't see it yet.",
  address: "Nothing was filled in.",
};

const uncertainKinds: ReadonlySet<WalletErrorKind> = new Set([
  "maybeSent",
  "timeout",
  "unreachable",
  "disconnected",
  "unknown",
]);

/** One text for every phase, or one for each phase that differs. */
type PhaseText = string | Partial<Record<WalletPhase, string>>;

const messages: Record<WalletErrorKind, { title: PhaseText; advice: PhaseText }> = {
  rejected: {
    title: {
      connect: "You declined the connection",
      switch: "The network wasn't changed",
      pay: "You declined the payment",
      read: "The wallet declined the request",
      address: "You declined the connection",
    },
    advice: {
      connect: "Connect again when you're ready, or pay manually to the address on this page.",
      switch:
        "Try again and approve the switch, or add the network if the wallet asks you to. You can also pay manually from a wallet on that network: the address and the amount are on this page.",
      pay: "Pay when you're ready. The price stays locked until the time to pay ends.",
      read: "Try again when you're ready.",
      address: "Connect again when you're ready, or paste the address.",
    },
  },
  expired: {
    title: "No wallet connected in time",
    advice: "The link was valid for five minutes. Connect again to get a new one.",
  },
  relayUnreachable: {
    title: "WalletConnect can't be reached",
    advice: {
      read: "Check your internet connection and try again, or pay manually to the address on this page.",
      address: "Check your internet connection and try again, or paste the address.",
    },
  },
  busy: {
    title: "The wallet is locked or waiting for you",
    advice: {
      read: "Open the wallet, unlock it and respond to the open request. Then try again.",
      pay: "Open the wallet and unlock it. If a payment is waiting there, decline it. Then try again.",
    },
  },
  walletMissing: {
    title: "No wallet was found in this browser",
    advice: {
      read: "Install a wallet or open this page in your wallet's own browser, then reload. You can also pay manually: the address and the amount are on this page.",
      address: "Copy the address in your wallet's app and paste it here.",
    },
  },
  chainMissing: {
    title: "The wallet doesn't have this network",
    advice: {
      read: "Add the network in the wallet's settings and try again, or pay manually from a wallet that has it.",
      address: "Copy the address in the wallet and paste it here.",
    },
  },
  wrongChain: {
    title: "The wallet is on another network",
    advice: "Switch the wallet to the network shown here, then try again. USDT sent on another network won't arrive.",
  },
  disconnected: {
    title: "The wallet is no longer connected",
    advice: {
      read: "Connect the wallet again.",
      pay: "Check the wallet's transaction history first. If the payment isn't there, connect again and pay.",
      follow: "Leave this page open. The swap continues once the payment is in a block.",
      address: "Connect again, or copy the address in the wallet and paste it here.",
    },
  },
  unauthorized: {
    title: "The wallet doesn't let this site use that account",
    advice: "Open the wallet's list of connected sites, allow this site, and connect again.",
  },
  unsupported: {
    title: "The wallet doesn't support this",
    advice: {
      read: "Use the wallet's own settings, or pay manually: the address and the amount are on this page.",
      address: "Copy the address in the wallet and paste it here.",
    },
  },
  gasMissing: {
    title: "There isn't enough ETH for the network fee",
    advice:
      "Paying on Ethereum costs a little ETH in addition to the USDT. Add some ETH to this account and try again.",
  },
  balanceTooLow: {
    title: "There isn't enough USDT in this account",
    advice: "Add USDT to the account or choose another account in the wallet.",
  },
  paused: {
    title: "The issuer has paused all USDT transfers",
    advice:
      "No one can send USDT right now. Wait until the issuer ends the pause. If your time to pay runs out, get a new price.",
  },
  blacklisted: {
    title: "The issuer of USDT has blocked this account",
    advice: "USDT in this account can't be moved. Use another account, and contact the issuer, Tether, about this one.",
  },
  tokenAbsent: {
    title: "The wallet's network doesn't have this USDT",
    advice:
      "The wallet is connected to another chain with the same ID. Change the network's RPC URL in the wallet, or use another wallet.",
  },
  reverted: {
    title: "The USDT contract rejected the payment",
    advice: "Check the balance and try again. If it's rejected again, pay manually from another account.",
  },
  maybeSent: {
    title: "The wallet may have sent this payment already",
    advice: "Check the wallet's transaction history before you try again. Waiting is safer than paying twice.",
  },
  timeout: {
    title: "There was no response in time",
    advice: {
      pay: "Check the wallet's transaction history before you try again.",
      follow: "Leave this page open or come back later. The swap continues once the payment is in a block.",
      connect: "Check that the wallet is open and unlocked, then try again.",
      switch: "Check that the wallet is open and unlocked, then try again.",
      read: "Try again in a moment.",
    },
  },
  rateLimited: {
    title: "The network's node is limiting requests",
    advice: "Wait a minute and try again.",
  },
  unreachable: {
    title: "The network's node can't be reached",
    advice: {
      pay: "Check your internet connection and the wallet's transaction history before you try again.",
      follow: "Check your internet connection. The swap continues without this page.",
      connect: "Check your internet connection and try again.",
      switch: "Check your internet connection and try again.",
      read: "Check your internet connection and try again.",
    },
  },
  unknown: {
    title: "The wallet reported an unknown problem",
    advice: {
      pay: "Check the wallet's transaction history before you try again, or pay manually to the address on this page.",
      follow: "Leave this page open. The swap continues once the payment is in a block.",
      connect: "Try again, or pay manually to the address on this page.",
      address: "Try again, or copy the address in the wallet and paste it here.",
      switch: "Choose the network in the wallet yourself, or pay manually.",
      read: "Try again in a moment.",
    },
  },
};

/**
 * E18: describes any wallet error: what happened, whether the money is safe, and what to do.
 * @param hasEarlier whether the customer has dropped an earlier payment, which may still arrive
 */
export function toWalletErrorMessage(error: unknown, phase: WalletPhase, hasEarlier = false): WalletErrorMessage {
  const kind = toWalletErrorKind(error);
  const { title, advice } = messages[kind];
  const mayHaveSent = phase === "pay" && uncertainKinds.has(kind);
  const money = mayHaveSent
    ? "The payment may have been sent anyway."
    : hasEarlier && phase !== "follow"
      ? "Nothing was sent this time. If your wallet's history shows the earlier payment, don't pay again."
      : toMoney(kind, phase);
  return { kind, title: pick(title, phase), money, advice: pick(advice, phase), mayHaveSent };
}

function pick(text: PhaseText, phase: WalletPhase): string {
  if (typeof text === "string") return text;
  return text[phase] ?? text.read ?? "";
}

function toMoney(kind: WalletErrorKind, phase: WalletPhase): string {
  // A transaction that reverts in its block costs the fee and moves nothing.
  if (phase === "follow" && kind === "reverted") return "Your USDT hasn't moved. Only the network fee was spent.";
  return moneyByPhase[phase];
}

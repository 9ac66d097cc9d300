import type { AssetSymbol } from "../../../lib/assets";
import { plainNumberStyle } from "../../../lib/number-style";
import { toOneLine } from "../../../lib/one-line";
import { formatShort } from "../../../lib/shown-amount";
import { toSentence } from "../../../lib/to-sentence";
import { formatUtc, toExactText } from "../format";
import type { EmailTemplate } from "../template";
import { secureAccount } from "./secure-account";

const notMySwap = `If you didn't make this swap, someone may have access to your account: ${secureAccount}`;
const notMySwapBlocked =
  "If you didn't make this swap, someone may have access to your account. Change the password of your mailbox.";

/**
 * `number` and `url` identify the order's page. `amount` is a decimal string, as in the API:
 * shortened in sentences, with all its digits in lists.
 */
type SwapDetails = { number: string; url: string; amount: string; asset: AssetSymbol; price: SwapPrice };

/**
 * One payment to the customer. The e-mail shows the whole address, so that they can compare it with theirs (T49).
 * `cost` is what was deducted for a refund: an amount with its asset, or null.
 */
export type SentPayment = { amount: string; address: string; hash: string | null; cost: string | null };

/**
 * The price at which it was swapped, or the locked one: amounts with their asset, and a rate such as "1 USDT = 2.5
 * MOB".
 */
export type SwapPrice = { sent: string; received: string; fee: string; rate: string };

/** What the customer can do about a payment that is not as agreed; amounts with their asset. */
export type PaymentProblem = { isLate: true } | { isLate: false; missing: string; sendRestUntil: Date | null };

/** `amount` is what has arrived so far. The owner of a blocked account can't open the swap's page. */
export function paymentSeenMail(
  to: string,
  swap: SwapDetails & { problem: PaymentProblem | null; isBlocked: boolean },
): EmailTemplate {
  const { problem, isBlocked } = swap;
  const missing = problem?.isLate === false ? problem.missing : null;
  return {
    to,
    subject: `We've seen your payment: ${toShortText(swap)}`,
    title: "We've seen your payment",
    preview:
      problem === null && !isBlocked
        ? "We continue your swap once the network has confirmed it."
        : "The network is confirming it.",
    parts: [
      `A payment of ${toShortText(swap)} for your swap is on the network. ${isBlocked ? "Your money is safe. Your account can't be used at the moment." : toPaymentAdvice(problem)}`,
      {
        details: [
          ["Seen", toExactText(swap.amount, swap.asset)],
          ...(missing === null ? [] : [["Missing", missing] as [string, string]]),
          ...toAgreement(swap.price),
          ["Swap", swap.number],
        ],
      },
      ...(isBlocked ? [] : [toLink(swap)]),
    ],
    notYou: isBlocked ? notMySwapBlocked : notMySwap,
  };
}

function toPaymentAdvice(problem: PaymentProblem | null): string {
  const weAsk = "We'll ask you what to do once it is confirmed.";
  if (problem === null) return "We continue once it is confirmed. There is nothing you need to do now.";
  if (problem.isLate) return `It arrived after the time to pay had ended. ${weAsk}`;
  const { missing, sendRestUntil } = problem;
  return `This is ${missing} less than agreed. ${sendRestUntil ? `You can send the rest until ${formatUtc(sendRestUntil)}.` : weAsk}`;
}

export function swapCompletedMail(to: string, swap: SwapDetails & SentPayment): EmailTemplate {
  return {
    to,
    subject: `Your swap is complete: ${toShortText(swap)}`,
    title: `We sent you ${toShortText(swap)}`,
    preview: "The transaction is confirmed.",
    parts: [
      "Your swap is complete and the transaction is confirmed. There is nothing else you need to do.",
      {
        details: [
          ["Swapped", swap.price.sent],
          ["Fee included", swap.price.fee],
          ["Rate", swap.price.rate],
          ...toDetails(swap, "Paid out to", [swap]),
        ],
      },
      toLink(swap),
    ],
    notYou: `Compare the address with your own. ${notMySwap}`,
  };
}

/** `sent` are all the payments that returned the money. */
export function swapRefundedMail(to: string, swap: SwapDetails, sent: SentPayment[]): EmailTemplate {
  return {
    to,
    subject: `Your swap was refunded: ${toShortText(swap)}`,
    title: `We refunded your ${swap.asset}`,
    preview: "The transaction is confirmed.",
    parts: [
      `We sent ${toShortText(swap)} to your refund address, and the transaction is confirmed. The swap is closed. There is nothing else you need to do.`,
      { details: [toAgreed(swap.price), ...toDetails(swap, "Refunded to", sent)] },
      toLink(swap),
    ],
    notYou: `Compare the address with your own. ${notMySwap}`,
  };
}

/**
 * Money that a swap could not use, because it was too much or too late. The swap itself does not change. Only a swap
 * that `isFilled` has a fee.
 */
export function moneyReturnedMail(to: string, swap: SwapDetails & SentPayment & { isFilled: boolean }): EmailTemplate {
  const agreed = swap.isFilled ? toAgreement(swap.price) : [toAgreed(swap.price)];
  return {
    to,
    subject: `We returned ${toShortText(swap)} to you`,
    title: `We returned ${toShortText(swap)} to you`,
    preview: "Your swap didn't need it.",
    parts: [
      "We sent extra money back to your refund address. Either you sent more than your swap needed, or a payment arrived after we had started to pay out or refund the swap, or after it was closed. Your swap hasn't changed.",
      { details: [...agreed, ...toDetails(swap, "Returned to", [swap])] },
      toLink(swap),
    ],
    notYou: `Compare the address with your own. ${notMySwap}`,
  };
}

/** An operator pays to another saved address, after `until` if that is set. The owner may not have saved it (T31). */
export function paymentReaddressedMail(
  to: string,
  swap: SwapDetails & { earlier: string; address: string; until: Date | null },
): EmailTemplate {
  return {
    to,
    subject: `We changed where we send ${toShortText(swap)}`,
    title: "We changed the address of a payment",
    preview: "Check that the new address is yours.",
    parts: [
      `We couldn't send you ${toShortText(swap)} for your swap. We've chosen another address, which is saved in your account.`,
      {
        details: [
          ["Earlier address", toOneLine(swap.earlier)],
          ["New address", toOneLine(swap.address)],
          ["Amount", toExactText(swap.amount, swap.asset)],
          ...(swap.until === null ? [] : [["Won't be sent before", formatUtc(swap.until)] as [string, string]]),
          toAgreed(swap.price),
          ["Swap", swap.number],
        ],
      },
      toLink(swap),
    ],
    notYou: `If the new address isn't yours, someone may have access to your account. Write to us at once. Then ${secureAccount}`,
  };
}

/**
 * For money that is set aside, because it is worth less than a refund costs. `isExtra` if the swap has not needed it;
 * otherwise it is all that has arrived.
 */
export function swapNotRefundedMail(to: string, swap: SwapDetails & { isExtra: boolean }): EmailTemplate {
  const later = "We'll hold the money and send it back once the fee is low enough, or if you send more.";
  return {
    to,
    subject: `Too little to refund: ${toShortText(swap)}`,
    title: "There was too little to send back",
    preview: `We'll hold ${toShortText(swap)} until the fee is low enough.`,
    parts: [
      swap.isExtra
        ? `You sent ${toShortText(swap)} that your swap didn't need, and the network fee for sending it back is higher. ${later} Your swap hasn't changed.`
        : `The network fee for a refund is more than the ${toShortText(swap)} that we received for your swap. ${later}`,
      {
        details: [
          [swap.isExtra ? "Set aside" : "We received", toExactText(swap.amount, swap.asset)],
          toAgreed(swap.price),
          ["Swap", swap.number],
        ],
      },
      toLink(swap),
    ],
    notYou: notMySwap,
  };
}

/** For a swap that ends because its payment, which its owner was told about, is no longer on the blockchain. */
export function paymentGoneMail(to: string, swap: Omit<SwapDetails, "amount" | "asset">): EmailTemplate {
  return {
    to,
    subject: `Your payment has disappeared: ${swap.number}`,
    title: "Your payment is no longer on the blockchain",
    preview: "We don't have it. Check your wallet.",
    parts: [
      "We saw a payment for your swap, but it is no longer on the blockchain, so we don't have it. The swap has ended. Check your wallet, or the exchange that you paid from: the money may still be there, or may have been sent again in another transaction.",
      { details: [toAgreed(swap.price), ["Swap", swap.number]] },
      "If your wallet shows the payment as confirmed, send us the hash of its transaction.",
      toLink(swap),
    ],
    notYou: notMySwap,
  };
}

/** What happens to the money after a hold, or after the time to choose. */
const refundedThen =
  "we send the money to your refund address, less the network fee. If it is worth less than the fee, we'll hold it until the fee is low enough.";

/** What a customer can do about a hold. A blocked customer can do nothing, and can't open the swap's page. */
const holdAdvice = {
  unverified: "To continue your swap, sign in, open Account, then Verification, and follow the instructions there.",
  blocked: null,
} as const;

/**
 * `reason` is for the customer; `problem` is what prevents the customer from swapping, if that is the reason;
 * `isExtended` if they have been told an earlier deadline.
 */
export function swapOnHoldMail(
  to: string,
  swap: Omit<SwapDetails, "amount" | "asset"> & {
    reason: string;
    deadline: Date;
    problem: keyof typeof holdAdvice | null;
    isExtended: boolean;
  },
): EmailTemplate {
  const advice = swap.problem && holdAdvice[swap.problem];
  const isBlocked = swap.problem === "blocked";
  const title = `Your swap is on hold${swap.isExtended ? " for longer" : ""}`;
  return {
    to,
    subject: `${title}: ${swap.number}`,
    title,
    preview: `Until ${formatUtc(swap.deadline)}. Your money is safe.`,
    parts: [
      `${swap.isExtended ? "We need more time. " : ""}${toSentence(toOneLine(swap.reason))} Your money is safe with us.`,
      {
        details: [toAgreed(swap.price), ["On hold until", formatUtc(swap.deadline)], ["Swap", swap.number]],
      },
      ...(advice === null ? [] : [advice]),
      `If it isn't resolved by then, ${refundedThen} If we need longer, we extend the hold before then and e-mail you.`,
      ...(isBlocked ? [] : [toLink(swap)]),
    ],
    notYou: isBlocked ? notMySwapBlocked : notMySwap,
  };
}

/** `isRefund` if the money goes back to the customer. The owner of a blocked account can't open the swap's page. */
export function swapReleasedMail(
  to: string,
  swap: Omit<SwapDetails, "amount" | "asset"> & { isRefund: boolean; isBlocked: boolean },
): EmailTemplate {
  const title = `Your ${swap.isRefund ? "refund" : "swap"} is no longer on hold`;
  const next = swap.isRefund ? "We are sending your money to your refund address." : "Your swap continues.";
  const nothingToDo = "There is nothing you need to do now.";
  return {
    to,
    subject: `${title}: ${swap.number}`,
    title,
    preview: nothingToDo,
    parts: [
      `${next} ${nothingToDo}`,
      { details: [toAgreed(swap.price), ["Swap", swap.number]] },
      ...(swap.isBlocked ? [] : [toLink(swap)]),
    ],
    notYou: swap.isBlocked ? notMySwapBlocked : notMySwap,
  };
}

/** A choice of the customer, named as on the swap's page; `send` means sending what is missing. */
export type MailedChoice = "accept" | "send" | "requote" | "refund";

type DecisionDetails = {
  /** A sentence for the customer about the unexpected payment. */
  reason: string;
  /** An amount with its asset; null if nothing is missing. */
  missing: string | null;
  deadline: Date;
  /** When the locked price ends. Null if there is nothing to do at that price. */
  lockedUntil: Date | null;
  choices: readonly MailedChoice[];
  /** The account is blocked: its owner can't open the swap's page, so there is nothing to choose. */
  isBlocked: boolean;
};

export function swapNeedsDecisionMail(to: string, swap: SwapDetails & DecisionDetails): EmailTemplate {
  const { lockedUntil, missing, choices } = swap;
  const received: [string, string] = ["We received", toExactText(swap.amount, swap.asset)];
  if (swap.isBlocked) {
    return {
      to,
      subject: `We can't continue your swap: ${swap.number}`,
      title: "We can't continue your swap",
      preview: "Your money is safe.",
      parts: [
        `${toOneLine(swap.reason)} Your money is safe with us.`,
        {
          details: [received, toAgreed(swap.price), ["We wait until", formatUtc(swap.deadline)], ["Swap", swap.number]],
        },
        `Your account can't be used at the moment, so you can't choose what happens next. Unless that changes in time, ${refundedThen}`,
      ],
      notYou: notMySwapBlocked,
    };
  }
  const until = lockedUntil ? `, until ${formatUtc(lockedUntil)}` : "";
  const choiceTexts: Record<MailedChoice, string> = {
    accept: `Swap what arrived at the locked price${until}`,
    send: `Send the missing ${missing}${until}`,
    requote: `${lockedUntil ? "After that, swap" : "Swap"} what arrived at a new price, if the amount is within our limits`,
    refund: "Get it back, less the network fee",
  };
  return {
    to,
    subject: `Your swap needs a decision: ${swap.number}`,
    title: "Choose what to do with your swap",
    preview: `Decide by ${formatUtc(swap.deadline)}. Your money is safe.`,
    parts: [
      `${toOneLine(swap.reason)} Your money is safe with us. You can:`,
      { list: choices.map((choice) => choiceTexts[choice]) },
      "To choose, sign in and open the swap.",
      toLink(swap),
      {
        details: [
          received,
          ...(missing === null ? [] : [["Missing", missing] as [string, string]]),
          ...toAgreement(swap.price),
          ...(lockedUntil ? [["Locked price ends", formatUtc(lockedUntil)] as [string, string]] : []),
          ["Decide by", formatUtc(swap.deadline)],
          ["Swap", swap.number],
        ],
      },
      `If you don't choose in time, ${refundedThen}`,
    ],
    notYou: notMySwap,
  };
}

/** Shortened for a sentence: "1,145.8321 MOB". */
function toShortText({ amount, asset }: SwapDetails): string {
  return `${formatShort(amount, plainNumberStyle)} ${asset}`;
}

function toAgreement(price: SwapPrice): [string, string][] {
  return [toAgreed(price), ["Fee included", price.fee], ["Rate", price.rate]];
}

/** Without the fee, for e-mails about swaps that did not go as agreed, for which there may be no fee. */
const toAgreed = ({ sent, received }: SwapPrice): [string, string] => ["Agreed", `${sent} for ${received}`];

/** With the address of each payment if the addresses differ, for example after an operator has changed one. */
function toDetails({ number, asset }: SwapDetails, addressLabel: string, sent: SentPayment[]): [string, string][] {
  const addresses = new Set(sent.map(({ address }) => address));
  const toAddress = (address: string): [string, string] => [addressLabel, toOneLine(address)];
  return [
    ...(addresses.size === 1 ? [...addresses].map(toAddress) : []),
    ...sent.flatMap(({ amount, address, hash, cost }): [string, string][] => [
      ...(addresses.size === 1 ? [] : [toAddress(address)]),
      ["Amount", toExactText(amount, asset)],
      ...(cost === null ? [] : [["Network fee deducted", cost] as [string, string]]),
      ...(hash === null ? [] : [["Transaction", toOneLine(hash)] as [string, string]]),
    ]),
    ["Swap", number],
  ];
}

const toLink = ({ url }: Pick<SwapDetails, "url">) => ({ link: { text: "Open this swap", url } });

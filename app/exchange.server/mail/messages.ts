import type { AddressType, AssetSymbol } from "../../lib/assets";
import { plainNumberStyle } from "../../lib/number-style";
import { toOneLine } from "../../lib/one-line";
import { formatExactly, formatShort } from "../../lib/shown-amount";
import { type SwapMail, swapMailNames } from "../../lib/swap-mails";
import { toSentence } from "../../lib/to-sentence";
import type { EmailTemplate } from "./template";

/**
 * Every e-mail we send. Each one says what to do if the recipient did not cause it. Those about a swap link to its
 * page, where nobody enters a code. No others contain a link, so that customers do not get used to following links to
 * sign in. `renderEmail` makes text and HTML of them.
 */

const removeOthers =
  "remove every passkey you don't recognise, sign out all other devices, then open Addresses and remove every address that isn't yours.";
const secureAccount = `sign in, open Account, ${removeOthers}`;
const notMySwap = `If you didn't make this swap, someone may have access to your account: ${secureAccount}`;
const notMyApplication = `If you didn't send us your details, someone may have access to your account: ${secureAccount}`;

/** C04. `minutes` is how long the code is valid; `host` that of our site, where alone it may be entered. */
export function codeMail(
  to: string,
  code: string,
  { minutes, host }: { minutes: number; host: string },
): EmailTemplate {
  const expiry = `It expires ${minutes} minutes after you request it`;
  return {
    to,
    subject: `${code} is your Antelope code`,
    title: "Your Antelope code",
    preview: `${expiry}.`,
    parts: [
      { digits: code },
      `Enter it only at ${host}, in the browser where you requested it. ${expiry} and works only once.`,
      "It signs you in, confirms your e-mail address, or confirms that you want to delete your account.",
    ],
    notYou:
      "If you didn't request this code, you can ignore this e-mail. Never share the code with anyone, whatever reason they give.",
    code,
  };
}

export function passkeyAddedMail(to: string, name: string, at: Date): EmailTemplate {
  return {
    to,
    subject: "A passkey was added to your account",
    title: "A passkey was added to your account",
    preview: `“${toOneLine(name)}” can now be used to sign in.`,
    parts: [`The passkey “${toOneLine(name)}” was added to your Antelope account on ${formatUtc(at)}.`],
    notYou: `If this wasn't you, someone may have access to your account: ${secureAccount}`,
  };
}

export function passkeyRemovedMail(to: string, name: string, at: Date): EmailTemplate {
  return {
    to,
    subject: "A passkey was removed from your account",
    title: "A passkey was removed from your account",
    preview: `“${toOneLine(name)}” can no longer be used to sign in.`,
    parts: [`The passkey “${toOneLine(name)}” was removed from your Antelope account on ${formatUtc(at)}.`],
    notYou: `If this wasn't you, sign in with a code sent to this address, add a new passkey, ${removeOthers}`,
  };
}

/** A passkey was added with an e-mail code to an account that already had one. This may be an attacker. */
export function recoveryMail(to: string, at: Date, holdUntil: Date): EmailTemplate {
  return {
    to,
    subject: "Your account was recovered with an e-mail code",
    title: "Your account was recovered with an e-mail code",
    preview: "If this wasn't you, you still have time to stop it.",
    parts: [
      `A new passkey was added on ${formatUtc(at)}, after a sign-in with a code sent to this address. All other devices were signed out.`,
      `To protect your money, we will pay out new swaps only after ${formatUtc(holdUntil)}. That gives you time to act if this wasn't you.`,
      "If you lost a device, open Account and remove its passkey, so that nobody else can sign in with it.",
    ],
    notYou: `If this wasn't you, someone may be reading your e-mail. Change the password of your mailbox first. Then sign in with your own passkey. If you no longer have one, sign in with a code and add a new passkey. Open Account, ${removeOthers}`,
  };
}

/** `address` is the whole one, so that its owner recognises it; `label` may be empty. */
type MailedAddress = { type: AddressType; address: string; label: string };

/** Whoever added it may want the next swap to go there (T49). */
export function addressAddedMail(to: string, added: MailedAddress, at: Date): EmailTemplate {
  return {
    to,
    subject: "An address was added to your account",
    title: "An address was added to your account",
    preview: "Your swaps can now be paid out or refunded to it.",
    parts: [
      `On ${formatUtc(at)} this address was added to your Antelope account. Your swaps can now be paid out or refunded to it.`,
      { details: toAddressDetails(added) },
      "Compare the whole address with the one in your wallet. An address that isn't yours may have the same start and end.",
    ],
    notYou: `If this wasn't you, someone may have access to your account: ${secureAccount}`,
  };
}

export function addressRemovedMail(to: string, removed: MailedAddress, at: Date): EmailTemplate {
  return {
    to,
    subject: "An address was removed from your account",
    title: "An address was removed from your account",
    preview: "You can no longer choose it for a swap.",
    parts: [
      `On ${formatUtc(at)} this address was removed from your Antelope account. Swaps that already use it are still paid out or refunded to it.`,
      { details: toAddressDetails(removed) },
    ],
    notYou: `If this wasn't you, someone may have access to your account: ${secureAccount}`,
  };
}

function toAddressDetails({ type, address, label }: MailedAddress): [string, string][] {
  return [
    ["For", type === "MOB" ? "MOB" : "USDT"],
    ...(label === "" ? [] : [["Label", toOneLine(label)] as [string, string]]),
    ["Address", toOneLine(address)],
  ];
}

/** A copy of everything we know was downloaded, which may have been an attacker (T72). */
export function dataExportedMail(to: string, at: Date): EmailTemplate {
  return {
    to,
    subject: "A copy of your data was downloaded",
    title: "A copy of your data was downloaded",
    preview: "It contains everything in your account.",
    parts: [
      `On ${formatUtc(at)} a copy of your data was downloaded from your Antelope account. It contains your identity details, addresses and swaps. Keep it in a safe place.`,
    ],
    notYou: `If this wasn't you, someone may have access to your account: ${secureAccount}`,
  };
}

/** `muted` are the e-mails that were just turned off, perhaps by someone who wants to hide a swap. */
export function mailsMutedMail(to: string, muted: SwapMail[], at: Date): EmailTemplate {
  return {
    to,
    subject: "You turned off some e-mails",
    title: "You turned off some e-mails",
    preview: "You can turn them on again at any time.",
    parts: [
      `On ${formatUtc(at)} these e-mails were turned off in your Antelope account. We no longer e-mail you when:`,
      { list: muted.map((mail) => swapMailNames[mail]) },
      "We still e-mail you if a swap needs your decision, is on hold or can't be refunded. To turn the others on again, sign in and open Account.",
    ],
    notYou: `If this wasn't you, someone may have access to your account: ${secureAccount}`,
  };
}

/** The last e-mail to an account. `keptUntil` is null if we don't have to keep anything. */
export function accountDeletedMail(to: string, at: Date, keptUntil: Date | null): EmailTemplate {
  return {
    to,
    subject: "Your account was deleted",
    title: "Your account was deleted",
    preview: "This can't be undone.",
    parts: [
      `Your Antelope account was deleted on ${formatUtc(at)}. Your passkeys and addresses are gone, all your devices are signed out, and nobody can bring the account back.`,
      keptUntil === null
        ? "We keep nothing that identifies you."
        : `Anti-money-laundering law requires us to keep records of who you are and what you swapped. We delete the records that identify you after ${formatDay(keptUntil)}.`,
    ],
    notYou:
      "If this wasn't you, someone may be reading your e-mail or using your passkey. Change the password of your mailbox. Your money is safe: an account can't be deleted while a swap is open or money is on its way.",
  };
}

/** A refresh token was used again after it had been replaced (T30). */
export function sessionEndedMail(to: string, at: Date): EmailTemplate {
  return {
    to,
    subject: "We signed out one of your devices",
    title: "We signed out one of your devices",
    preview: "Someone may have copied its sign-in.",
    parts: [
      `On ${formatUtc(at)} an old sign-in of one of your devices was used again. Someone may have copied it, or the browser failed to save the new one.`,
      "We signed the device out as a precaution. Sign in again and check your recent swaps.",
    ],
    notYou: `If you see a device or a passkey in Account that you don't recognise, ${removeOthers}`,
  };
}

export function kycApprovedMail(to: string): EmailTemplate {
  return {
    to,
    subject: "Your identity is verified",
    title: "Your identity is verified",
    preview: "You can now swap.",
    parts: [
      "Thanks for sending us your details. You can now swap. If a swap of yours was on hold because of this, it continues.",
    ],
    notYou: notMyApplication,
  };
}

/** `reasons` are the provider's, written for the applicant. */
export function kycRejectedMail(to: string, reasons: string[]): EmailTemplate {
  return {
    to,
    subject: "We couldn't verify your identity",
    title: "We couldn't verify your identity",
    preview: "You can correct your details and send them again.",
    parts: [
      "We couldn't verify your identity with the details you sent.",
      ...toReasons(reasons),
      "To try again, sign in, open Account, then Verification, and correct your details. If you have already paid for a swap, your money is safe: the swap continues once you are verified, or we refund you, less the network fee.",
    ],
    notYou: notMyApplication,
  };
}

/** `reasons` are the provider's, written for the applicant. */
export function kycActionRequiredMail(to: string, reasons: string[]): EmailTemplate {
  return {
    to,
    subject: "Please correct your details",
    title: "Please correct your details",
    preview: "We can't verify your identity yet.",
    parts: [
      "We can't verify your identity with the details you sent.",
      ...toReasons(reasons),
      "To continue, sign in, open Account, then Verification, and correct your details. Please don't send documents by e-mail.",
    ],
    notYou: notMyApplication,
  };
}

/**
 * `number` is the one on the order's page, whose address is `url`. `amount` is a decimal string, as in the API:
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

/** What there is to do about a payment that is not as agreed; amounts with their asset. */
export type PaymentProblem = { isLate: true } | { isLate: false; missing: string; sendRestUntil: Date | null };

/** `amount` is what has arrived so far. */
export function paymentSeenMail(to: string, swap: SwapDetails & { problem: PaymentProblem | null }): EmailTemplate {
  const { problem } = swap;
  const missing = problem?.isLate === false ? problem.missing : null;
  return {
    to,
    subject: `We have seen your payment: ${toShortText(swap)}`,
    title: "We have seen your payment",
    preview: "We continue once the network has confirmed it.",
    parts: [
      `A payment of ${toShortText(swap)} for your swap is on the network. We continue once it is confirmed. ${toPaymentAdvice(problem)}`,
      {
        details: [
          ["Seen", toExactText(swap.amount, swap.asset)],
          ...(missing === null ? [] : [["Missing", missing] as [string, string]]),
          ...toAgreement(swap.price),
          ["Swap", swap.number],
        ],
      },
      toLink(swap),
    ],
    notYou: notMySwap,
  };
}

function toPaymentAdvice(problem: PaymentProblem | null): string {
  const weAsk = "We'll ask you what to do once it is confirmed.";
  if (problem === null) return "There is nothing you need to do now.";
  if (problem.isLate) return `It arrived after the time to pay. ${weAsk}`;
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
      `We sent ${toShortText(swap)} to the refund address you chose, and the transaction is confirmed. The swap is closed. There is nothing else you need to do.`,
      { details: [toAgreed(swap.price), ...toDetails(swap, "Refunded to", sent)] },
      toLink(swap),
    ],
    notYou: `Compare the address with your own. ${notMySwap}`,
  };
}

/** Money that a swap could not use, because it was too much or too late. The swap itself does not change. */
export function moneyReturnedMail(to: string, swap: SwapDetails & SentPayment): EmailTemplate {
  return {
    to,
    subject: `We returned ${toShortText(swap)} to you`,
    title: `We returned ${toShortText(swap)} to you`,
    preview: "Your swap didn't need it.",
    parts: [
      "We received more for your swap than it needed, or a payment arrived after we had started to pay out or refund the swap, or after it was closed. We sent the extra money to your refund address. Your swap hasn't changed.",
      { details: [...toAgreement(swap.price), ...toDetails(swap, "Returned to", [swap])] },
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
      `We couldn't send you ${toShortText(swap)} for your swap. We have chosen another address, which is saved in your account.`,
      {
        details: [
          ["Earlier address", toOneLine(swap.earlier)],
          ["New address", toOneLine(swap.address)],
          ["Amount", toExactText(swap.amount, swap.asset)],
          ...(swap.until === null ? [] : [["Not sent before", formatUtc(swap.until)] as [string, string]]),
          toAgreed(swap.price),
          ["Swap", swap.number],
        ],
      },
      toLink(swap),
    ],
    notYou: `If the new address isn't yours, someone may have access to your account. Write to us at once. Then ${secureAccount}`,
  };
}

/** For a swap that ends without a refund, because what arrived is worth less than a refund costs. */
export function swapNotRefundedMail(to: string, swap: SwapDetails): EmailTemplate {
  return {
    to,
    subject: `Too little to refund: ${toShortText(swap)}`,
    title: "There was too little to send back",
    preview: `We keep holding ${toShortText(swap)} until the fee is low enough.`,
    parts: [
      `The network fee for a refund is more than the ${toShortText(swap)} that we received for your swap. We keep holding the money, and send it back once the fee is low enough, or if you send more.`,
      {
        details: [["We received", toExactText(swap.amount, swap.asset)], toAgreed(swap.price), ["Swap", swap.number]],
      },
      toLink(swap),
    ],
    notYou: notMySwap,
  };
}

/** What a customer does about a hold. A blocked customer can do nothing, and can't open the swap's page. */
const holdAdvice = {
  unverified: "To continue your swap, sign in, open Account, then Verification, and follow what it says.",
  blocked: null,
} as const;

/**
 * `reason` is for the customer; `problem` is what prevents the customer from swapping, if that is the reason;
 * `isExtended` if they have been told an earlier deadline.
 */
export function swapHeldMail(
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
      "If it isn't resolved by then, we refund you, less the network fee. If we need longer, we extend the hold before then and e-mail you.",
      ...(isBlocked ? [] : [toLink(swap)]),
    ],
    notYou: isBlocked
      ? "If you didn't make this swap, someone may have access to your account. Change the password of your mailbox."
      : notMySwap,
  };
}

/** A choice of the customer, named as on the swap's page; `send` is to send what is missing. */
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
};

export function swapNeedsDecisionMail(to: string, swap: SwapDetails & DecisionDetails): EmailTemplate {
  const { lockedUntil, missing, choices } = swap;
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
      {
        details: [
          ["We received", toExactText(swap.amount, swap.asset)],
          ...(missing === null ? [] : [["Missing", missing] as [string, string]]),
          ...toAgreement(swap.price),
          ...(lockedUntil ? [["Locked price ends", formatUtc(lockedUntil)] as [string, string]] : []),
          ["Decide by", formatUtc(swap.deadline)],
          ["Swap", swap.number],
        ],
      },
      "To choose, sign in and open the swap. If you don't choose in time, we send the money to your refund address, less the network fee. If it is worth less than the fee, we keep holding it until the fee is low enough.",
      toLink(swap),
    ],
    notYou: notMySwap,
  };
}

/** `rate` is what the customer asked for, and `price` what 1 MOB cost at the time `at`, both in USDT. */
export function priceAlertMail(
  to: string,
  { direction, rate, price, at }: { direction: "above" | "below"; rate: string; price: string; at: Date },
): EmailTemplate {
  const title = `1 MOB costs ${direction === "above" ? "more" : "less"} than ${rate} USDT`;
  return {
    to,
    subject: title,
    title,
    preview: `It cost ${price} USDT on ${formatUtc(at)}.`,
    parts: [
      `On ${formatUtc(at)}, 1 MOB cost ${price} USDT. You asked us to tell you when it costs ${direction === "above" ? "more" : "less"} than ${rate} USDT.`,
      "We send this once. To get another alert, set a new one in Account.",
    ],
    notYou: `If you didn't ask for this, someone may have access to your account: ${secureAccount}`,
  };
}

/** What support sees of a swap that the sender owns. */
export type SupportedSwap = { id: string; status: string; summary: string };

const senderNotes = {
  verified: "signed in",
  unverified: "signed in, address not verified",
  unknown: "address not verified",
};

/**
 * A customer's message to the operator. `number` is what they typed; `swap` is null if it is not a swap of theirs, or
 * they are not signed in. `text` must not contain control characters.
 */
export function supportMail(
  to: string,
  message: {
    from: string;
    /** What the sender's session proves about their address. */
    sender: keyof typeof senderNotes;
    number: string | null;
    swap: SupportedSwap | null;
    text: string;
  },
): EmailTemplate {
  const { from, sender, number, swap, text } = message;
  const swapDetails: [string, string][] = swap
    ? [
        ["Order", swap.id],
        ["Status", swap.status],
        ["Amounts", swap.summary],
      ]
    : [];
  const named = number === null ? "not given" : swap ? number : `${toOneLine(number)} (not verified)`;
  return {
    to,
    replyTo: from,
    mayBeAnswered: sender === "verified",
    subject: `${swap ? `Message about swap ${number}` : "Message from the contact form"}: ${from}`,
    title: "A message from the contact form",
    preview: `From ${from}.`,
    parts: [
      {
        details: [["From", `${from} (${senderNotes[sender]})`], ["Swap", named], ...swapDetails],
      },
      { quote: { title: "Their message", text } },
    ],
    notYou: "If you reply, your e-mail goes to the sender. Don't send them codes or documents.",
  };
}

/** Shortened for a sentence: "1,145.8321 MOB". */
function toShortText({ amount, asset }: SwapDetails): string {
  return `${formatShort(amount, plainNumberStyle)} ${asset}`;
}

/** All digits: "1,145.832121784872 MOB". */
export function toExactText(amount: string, asset: AssetSymbol): string {
  return `${formatExactly(amount, plainNumberStyle)} ${asset}`;
}

function toAgreement(price: SwapPrice): [string, string][] {
  return [toAgreed(price), ["Fee included", price.fee], ["Rate", price.rate]];
}

/** Without the fee, for e-mails about swaps that do not go on as agreed and for which none may be charged. */
const toAgreed = ({ sent, received }: SwapPrice): [string, string] => ["Agreed", `${sent} for ${received}`];

/** With the address of each payment if they differ, as after an operator has changed one. */
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

function toReasons(reasons: string[]) {
  return reasons.length === 0 ? [] : [{ list: reasons.map(toOneLine) }];
}

/** "2 January 2026". */
function formatDay(date: Date): string {
  return date.toLocaleString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

/** "2 January 2026 at 03:04 UTC": spelling out the month avoids confusing day and month. */
function formatUtc(date: Date): string {
  const text = date.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${text} UTC`;
}

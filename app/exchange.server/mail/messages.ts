import type { AssetSymbol } from "../../lib/assets";
import { toOneLine } from "../../lib/one-line";
import type { Mail } from "../context";
import { compose } from "./compose";

/**
 * Every mail that leaves, in words. None carries a link to click: who gets used to links in
 * our mails follows the one that is not ours. All say what to do when it was not you.
 */

const lockOut = "sign in, open your tally, remove every passkey that you do not know and sign out all other devices.";
const notMySwap = `If you did not make this swap, somebody is in your account: ${lockOut}`;
const notMyApplication = `If you sent us no details, somebody is in your account: ${lockOut}`;

/** C04. `minutes` is how long the code lives. */
export function codeMail(to: string, code: string, minutes: number): Mail {
  return compose({
    to,
    subject: `${code} is your Antelope code`,
    title: "Your code for Antelope",
    preview: `It works once, within ${minutes} minutes.`,
    parts: [
      { digits: code },
      `Type it in the window where you asked for it. It works once, within ${minutes} minutes.`,
    ],
    notYou:
      "If you did not ask for it, do nothing: without the code nobody gets in. Tell it to nobody, whoever asks, and whatever for.",
    code,
  });
}

/** Told to the owner at once: it may have been somebody else. */
export function passkeyAddedMail(to: string, name: string, at: Date): Mail {
  return compose({
    to,
    subject: "A passkey was added to your account",
    title: "A passkey was added to your account",
    preview: `“${toOneLine(name)}” can now sign in.`,
    parts: [`The passkey “${toOneLine(name)}” can sign in to your Antelope account since ${inUtc(at)}.`],
    notYou: `If this was not you: ${lockOut}`,
  });
}

/** Told to the owner at once: it may have been somebody else. */
export function passkeyRemovedMail(to: string, name: string, at: Date): Mail {
  return compose({
    to,
    subject: "A passkey was removed from your account",
    title: "A passkey was removed from your account",
    preview: `“${toOneLine(name)}” can no longer sign in.`,
    parts: [`The passkey “${toOneLine(name)}” can no longer sign in to your Antelope account, since ${inUtc(at)}.`],
    notYou:
      "If this was not you: sign in with a code sent to this address, add a new passkey, remove those that you do not know and sign out all other devices.",
  });
}

/** A passkey was added with an e-mail code to an account that had one: who did it may be somebody else. */
export function recoveryMail(to: string, at: Date, holdUntil: Date): Mail {
  return compose({
    to,
    subject: "Your account was recovered with an e-mail code",
    title: "Your account was recovered with an e-mail code",
    preview: "If it was not you, there is time to object.",
    parts: [
      `A new passkey was added on ${inUtc(at)}, after signing in with a code sent to this address. All other devices were signed out.`,
      `Your money is safe: swaps locked from now on are paid out after ${inUtc(holdUntil)} and not before, so that there is time to object.`,
    ],
    notYou:
      "If this was not you, somebody can read your mail. First change the password of your mailbox. Then sign in with a code, remove the passkey that you do not know and sign out all other devices.",
  });
}

/** A refresh token that was used up came back (T30). */
export function sessionEndedMail(to: string, at: Date): Mail {
  return compose({
    to,
    subject: "We signed out one of your devices",
    title: "We signed out one of your devices",
    preview: "To be safe: its key came twice.",
    parts: [
      `On ${inUtc(at)} the key of one of your signed-in devices was used a second time. That happens when somebody copied it, and now and then by a fault of a browser.`,
      "We ended that sign-in to be safe. No money has moved. Sign in again to go on.",
    ],
    notYou:
      "If you see devices or passkeys in your tally that you do not know: sign those devices out and remove those passkeys.",
  });
}

/** The reviewer's yes, with the way to the first swap. */
export function kycApprovedMail(to: string): Mail {
  return compose({
    to,
    subject: "Your identity is verified",
    title: "Your identity is verified",
    preview: "You can swap now.",
    parts: ["Everything is in order. You can swap now."],
    notYou: notMyApplication,
  });
}

/** The reviewer's no; the reasons are the provider's sentences for the applicant. */
export function kycRejectedMail(to: string, reasons: string[]): Mail {
  return compose({
    to,
    subject: "Your identity could not be verified",
    title: "Your identity could not be verified",
    preview: "You can correct your details and send them again.",
    parts: [
      "We could not verify your identity with what you sent.",
      ...toReasons(reasons),
      "Sign in and open Verification: there you can correct your details and send them again. A swap that you have paid is not lost: it goes on when you are verified, or your money is sent back.",
    ],
    notYou: notMyApplication,
  });
}

/** What the reviewer still needs, in the provider's sentences. */
export function kycActionRequiredMail(to: string, reasons: string[]): Mail {
  return compose({
    to,
    subject: "We need something more from you",
    title: "We need something more from you",
    preview: "To verify your identity.",
    parts: [
      "With what you sent we cannot verify your identity yet.",
      ...toReasons(reasons),
      "Sign in and open Verification: it says what to do. Do not answer this mail with documents.",
    ],
    notYou: notMyApplication,
  });
}

/** `amount` is a decimal string as the API gives it. */
type SwapFacts = { orderId: string; amount: string; asset: AssetSymbol };

/** What left us: the whole address stands in the mail, so that it can be compared with one's own (T49). */
export type Sent = { amount: string; address: string; hash: string | null };

/** A delivered swap with its amounts and the payout's hash. */
export function swapCompletedMail(to: string, swap: SwapFacts & Sent): Mail {
  return compose({
    to,
    subject: `Your swap is complete: ${swap.amount} ${swap.asset}`,
    title: `${swap.amount} ${swap.asset} delivered`,
    preview: "It is in a block and final.",
    parts: ["It is in a block and final. There is nothing left for you to do.", toFacts(swap, "Paid out to", [swap])],
    notYou: `Compare the address with your own. ${notMySwap}`,
  });
}

/** The end of a swap that did not happen; every payment that brought the money back. */
export function swapRefundedMail(to: string, swap: SwapFacts, sent: Sent[]): Mail {
  return compose({
    to,
    subject: `Your swap was refunded: ${swap.amount} ${swap.asset}`,
    title: `Your ${swap.asset} is back with you`,
    preview: `${swap.amount} ${swap.asset} went to your refund address.`,
    parts: [
      `${swap.amount} ${swap.asset} went back to the refund address that you chose, and is in a block. The swap is over; nothing is left for you to do.`,
      toFacts(swap, "Sent back to", sent),
    ],
    notYou: `Compare the address with your own. ${notMySwap}`,
  });
}

/** What a swap that goes on, or is over, could not use: too much, or too late. */
export function moneyReturnedMail(to: string, swap: SwapFacts & Sent): Mail {
  return compose({
    to,
    subject: `Sent back to you: ${swap.amount} ${swap.asset}`,
    title: `${swap.amount} ${swap.asset} sent back to you`,
    preview: "Your swap did not need it.",
    parts: [
      "More came for your swap than it could use, or it came when the swap was over. That part is back at your refund address; the swap itself is as it was.",
      toFacts(swap, "Sent back to", [swap]),
    ],
    notYou: `Compare the address with your own. ${notMySwap}`,
  });
}

/** `reason` in words: what came that was not expected. */
export function swapNeedsDecisionMail(to: string, swap: SwapFacts & { reason: string; deadline: Date }): Mail {
  return compose({
    to,
    subject: "Your swap needs a decision",
    title: "Your decision, please",
    preview: "Your money is safe; tell us how to go on.",
    parts: [
      `${toOneLine(swap.reason)} Your money is safe with us.`,
      {
        facts: [
          ["What came", `${swap.amount} ${swap.asset}`],
          ["To decide until", inUtc(swap.deadline)],
          ["Swap", swap.orderId],
        ],
      },
      "Sign in, open the swap and choose how to go on. If you choose nothing by then, your money is sent back to your refund address.",
    ],
    notYou: notMySwap,
  });
}

function toFacts({ orderId, asset }: SwapFacts, where: string, sent: Sent[]) {
  const [first] = sent;
  return {
    facts: [
      ...(first ? [[where, toOneLine(first.address)]] : []),
      ...sent.flatMap(({ amount, hash }) => [
        ...(sent.length > 1 ? [["Amount", `${amount} ${asset}`]] : []),
        ...(hash === null ? [] : [["Transaction", toOneLine(hash)]]),
      ]),
      ["Swap", orderId],
    ] as [string, string][],
  };
}

function toReasons(reasons: string[]) {
  return reasons.length === 0 ? [] : [{ list: reasons.map(toOneLine) }];
}

/** "2 January 2026 at 03:04 UTC": a month in letters is misread by nobody. */
function inUtc(date: Date): string {
  const words = date.toLocaleString("en-GB", { dateStyle: "long", timeStyle: "short", timeZone: "UTC" });
  return `${words} UTC`;
}

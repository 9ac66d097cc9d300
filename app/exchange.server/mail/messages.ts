import type { AssetSymbol } from "../../lib/assets";
import { toOneLine } from "../../lib/one-line";
import type { Mail } from "../context";

/**
 * Every mail that leaves, as plain text. None carries a link to click: who gets used to
 * links in our mails follows the one that is not ours. All say what to do when it was
 * not you.
 */
const signature = "\n\nAntelope\nWe never ask for a code, a passkey or your words by mail or message.\n";

function mail(to: string, subject: string, lines: string[], code: string | null = null): Mail {
  return { to, subject, text: `${lines.join("\n")}${signature}`, code };
}

/** C04. `minutes` is how long the code lives. */
export function codeMail(to: string, code: string, minutes: number): Mail {
  return mail(
    to,
    `${code} is your Antelope code`,
    [
      `Your code is ${code}`,
      "",
      `It works once, within ${minutes} minutes, in the window where you asked for it.`,
      "If you did not ask for it, do nothing: without the code nobody gets in.",
    ],
    code,
  );
}

export function passkeyAddedMail(to: string, name: string): Mail {
  return mail(to, "A passkey was added to your account", [
    `The passkey "${toOneLine(name)}" can now sign in to your Antelope account.`,
    "",
    "If this was not you, sign in, remove that passkey and end the other sessions.",
  ]);
}

export function passkeyRemovedMail(to: string, name: string): Mail {
  return mail(to, "A passkey was removed from your account", [
    `The passkey "${toOneLine(name)}" can no longer sign in to your Antelope account.`,
    "",
    "If this was not you, sign in with a code sent to this address and add a new passkey.",
  ]);
}

/** A passkey was added with an e-mail code to an account that had one: who did it may be somebody else. */
export function recoveryMail(to: string, holdUntil: Date): Mail {
  return mail(to, "Your account was recovered with an e-mail code", [
    "A new passkey was added after signing in with a code sent to this address. All other sessions were ended.",
    "",
    `Payouts of swaps made from now on wait until ${inUtc(holdUntil)}, so that there is time to object.`,
    "If this was not you, somebody can read your mail: secure your mailbox first, then sign in with a code,",
    "remove the passkey you do not know and end the other sessions.",
  ]);
}

/** A refresh token that was used up came back (T30). */
export function sessionEndedMail(to: string): Mail {
  return mail(to, "We ended one of your sessions", [
    "A key of one of your sessions was used a second time, which happens when somebody copied it.",
    "We ended that session to be safe. Sign in again to go on.",
    "",
    "If you see sessions you do not know, end them and remove passkeys that are not yours.",
  ]);
}

export function kycApprovedMail(to: string): Mail {
  return mail(to, "Your identity is verified", ["Everything is in order. You can swap now."]);
}

export function kycRejectedMail(to: string, reasons: string[]): Mail {
  return mail(to, "Your identity could not be verified", [
    "We could not verify your identity with what you sent.",
    ...toReasonLines(reasons),
    "",
    "You can correct your details and send them again.",
  ]);
}

export function kycActionRequiredMail(to: string, reasons: string[]): Mail {
  return mail(to, "We need something more from you", [
    "To verify your identity we need something more.",
    ...toReasonLines(reasons),
    "",
    "Open the page about your identity to go on.",
  ]);
}

/** `amount` is a decimal string as the API gives it. */
export type SwapFacts = { orderId: string; amount: string; asset: AssetSymbol };

/** The whole address stands in the mail, so that it can be compared with one's own (T49). */
export function swapCompletedMail(to: string, swap: SwapFacts & { address: string; hash: string }): Mail {
  return mail(to, `Your swap is complete: ${swap.amount} ${swap.asset}`, [
    `${swap.amount} ${swap.asset} arrived at`,
    toOneLine(swap.address),
    "",
    `Transaction: ${toOneLine(swap.hash)}`,
    `Swap: ${swap.orderId}`,
  ]);
}

export function swapRefundedMail(to: string, swap: SwapFacts & { address: string; hash: string }): Mail {
  return mail(to, `Your swap was refunded: ${swap.amount} ${swap.asset}`, [
    `${swap.amount} ${swap.asset} went back to`,
    toOneLine(swap.address),
    "",
    `Transaction: ${toOneLine(swap.hash)}`,
    `Swap: ${swap.orderId}`,
  ]);
}

/** `reason` in words: what came that was not expected. */
export function swapNeedsDecisionMail(to: string, swap: SwapFacts & { reason: string; deadline: Date }): Mail {
  return mail(to, "Your swap needs a decision", [
    toOneLine(swap.reason),
    `What came: ${swap.amount} ${swap.asset}`,
    "",
    `Open the swap and choose. If you do nothing until ${inUtc(swap.deadline)}, it is refunded.`,
    `Swap: ${swap.orderId}`,
  ]);
}

function toReasonLines(reasons: string[]): string[] {
  return reasons.length === 0 ? [] : ["", ...reasons.map((reason) => `- ${toOneLine(reason)}`)];
}

function inUtc(date: Date): string {
  return `${date.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

import type { PriceAlert } from "../../../api/contract";
import type { AddressType } from "../../../lib/assets";
import { toOneLine } from "../../../lib/one-line";
import { type SwapMail, swapMailNames } from "../../../lib/swap-mails";
import { formatDay, formatUtc } from "../format";
import type { EmailTemplate } from "../template";
import { removeOthers, secureAccount } from "./secure-account";

const notMyApplication = `If you didn't send us your details, someone may have access to your account: ${secureAccount}`;

/** C04. `minutes` is how long the code is valid; `host` is our site's, the only place to enter the code. */
export function codeMail(
  to: string,
  code: string,
  { minutes, host }: { minutes: number; host: string },
): EmailTemplate {
  const expiry = `It expires ${minutes} minutes after you requested it`;
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
    parts: [
      `The passkey “${toOneLine(name)}” was added to your Antelope account on ${formatUtc(at)}.`,
      "Names can be changed. To tell this passkey from your others, compare when each was added.",
    ],
    notYou: `If this wasn't you, someone may have access to your account: ${secureAccount}`,
  };
}

/** Anyone who uses the account can change a passkey's name, so e-mails also say when it was added (T31). */
type NamedPasskey = { name: string; createdAt: Date };

export function passkeyRemovedMail(to: string, { name, createdAt }: NamedPasskey, at: Date): EmailTemplate {
  return {
    to,
    subject: "A passkey was removed from your account",
    title: "A passkey was removed from your account",
    preview: `“${toOneLine(name)}” can no longer be used to sign in.`,
    parts: [
      `The passkey “${toOneLine(name)}”, added on ${formatUtc(createdAt)}, was removed from your Antelope account on ${formatUtc(at)}.`,
    ],
    notYou: `If this wasn't you, sign in with a code sent to this address, add a new passkey, ${removeOthers}`,
  };
}

/**
 * A passkey was added with an e-mail code to an account that already had one. This may be an attacker. `paused` are the
 * passkeys that cannot sign in until then.
 */
export function recoveryMail(
  to: string,
  at: Date,
  { until, paused }: { until: Date; paused: NamedPasskey[] },
): EmailTemplate {
  return {
    to,
    subject: "Your account was recovered with an e-mail code",
    title: "Your account was recovered with an e-mail code",
    preview: "If this wasn't you, you still have time to stop it.",
    parts: [
      `A new passkey was added on ${formatUtc(at)}, after a sign-in with a code sent to this address. All other devices were signed out.`,
      `To protect your money, we will pay out new swaps only after ${formatUtc(until)}. That gives you time to act if this wasn't you.`,
      "If you lost a device, open Account and remove its passkey, so that nobody else can sign in with it.",
      ...(paused.length === 0
        ? []
        : [
            "These passkeys were added with another passkey in the 30 days before. They can't sign in until that time, in case it wasn't you who added them. Open Account and remove those that you don't recognise:",
            { list: paused.map(({ name, createdAt }) => `${toOneLine(name)}, added on ${formatUtc(createdAt)}`) },
          ]),
    ],
    notYou: `If this wasn't you, someone may be reading your e-mail. Change the password of your mailbox first. Then sign in with your own passkey. If you no longer have one, sign in with a code and add a new passkey. Open Account, ${removeOthers}`,
  };
}

/** `address` is the complete address, so that its owner recognises it; `label` may be empty. */
type MailedAddress = { type: AddressType; address: string; label: string };

/** An attacker may have added the address to receive the next payout (T49). */
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

/** A copy of everything in the account was downloaded, perhaps by an attacker (T72). */
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
      "We still e-mail you if a swap needs your decision or can't be refunded, when a hold begins or ends, and if a payment disappears. To turn the others on again, sign in and open Account.",
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
      `Your Antelope account was deleted on ${formatUtc(at)}. Your passkeys and addresses are gone, all your devices are signed out, and the account can't be restored.`,
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
    preview: "Someone may have copied your sign-in.",
    parts: [
      `On ${formatUtc(at)}, an old sign-in from one of your devices was used again. Someone may have copied it, or your browser may have failed to save the new one.`,
      "We signed the device out as a precaution. Sign in again and check your recent swaps.",
    ],
    notYou: `If you see a device or a passkey in Account that you don't recognise, ${removeOthers}`,
  };
}

/** Another session of the account has ended these sessions, perhaps to shut out the owner (T12). */
export function devicesSignedOutMail(to: string, devices: number, at: Date): EmailTemplate {
  const which = devices === 1 ? "one of your devices" : `${devices} of your devices`;
  const title = devices === 1 ? "One of your devices was signed out" : `${which} were signed out`;
  return {
    to,
    subject: title,
    title,
    preview: "This was done from another device that is signed in to your account.",
    parts: [
      `On ${formatUtc(at)}, someone who was signed in to your Antelope account on another device signed out ${which}.`,
      "If this was you, there is nothing you need to do. You can sign in there again at any time.",
    ],
    notYou: `If this wasn't you, someone may have access to your account: ${secureAccount}`,
  };
}

export function kycApprovedMail(to: string): EmailTemplate {
  return {
    to,
    subject: "Your identity is verified",
    title: "Your identity is verified",
    preview: "You can now swap.",
    parts: [
      "Thanks for sending us your details. You can now swap. Any swaps that were on hold because of this will now continue.",
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

function toReasons(reasons: string[]) {
  return reasons.length === 0 ? [] : [{ list: reasons.map(toOneLine) }];
}

/** `rate` is what the customer asked for, and `price` what 1 MOB cost at the time `at`, both in USDT. */
export function priceAlertMail(
  to: string,
  { direction, rate, price, at }: { direction: PriceAlert["direction"]; rate: string; price: string; at: Date },
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

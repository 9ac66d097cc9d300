// @vitest-environment jsdom
import { describe, expect, it } from "vitest";
import type { Mail } from "~/exchange.server/context";
import {
  addressAddedMail,
  addressRemovedMail,
  codeMail,
  devicesSignedOutMail,
  kycActionRequiredMail,
  kycApprovedMail,
  kycRejectedMail,
  mailsMutedMail,
  passkeyAddedMail,
  passkeyRemovedMail,
  recoveryMail,
  sessionEndedMail,
} from "~/exchange.server/mail/messages/account";
import { supportMail } from "~/exchange.server/mail/messages/support";
import {
  moneyReturnedMail,
  paymentGoneMail,
  paymentReaddressedMail,
  paymentSeenMail,
  swapCompletedMail,
  swapNeedsDecisionMail,
  swapNotRefundedMail,
  swapOnHoldMail,
  swapRefundedMail,
  swapReleasedMail,
} from "~/exchange.server/mail/messages/swap";
import { renderEmail } from "~/exchange.server/mail/render";
import type { EmailTemplate } from "~/exchange.server/mail/template";

const to = "ada@example.org";
const hostile = "x\r\nBcc: eve@example.org\u202e <img src=x onerror=alert(1)><a href='https://evil.example'>";
const terms = { minutes: 10, host: "antelope.example" };
const at = new Date("2026-01-02T03:04:05Z");
const price = { sent: "5 USDT", received: "12.5 MOB", fee: "0.025 USDT", rate: "1 USDT = 2.5 MOB" };
const url = "https://antelope.example/swap/quote/42";
const swap = { number: "1CRT-8K55-KRE", url, amount: "12.5", asset: "MOB" as const, price };
const sent = { amount: "12.5", address: hostile, hash: hostile, cost: null };
const templates = {
  code: codeMail(to, "012345", terms),
  passkeyAdded: passkeyAddedMail(to, hostile, at),
  passkeyRemoved: passkeyRemovedMail(to, { name: hostile, createdAt: at }, at),
  addressAdded: addressAddedMail(to, { type: "MOB", address: hostile, label: hostile }, at),
  addressRemoved: addressRemovedMail(to, { type: "ETH", address: "0xabc", label: "" }, at),
  recovery: recoveryMail(to, at, {
    until: new Date("2026-01-03T03:04:05Z"),
    paused: [{ name: hostile, createdAt: at }],
  }),
  sessionEnded: sessionEndedMail(to, at),
  deviceSignedOut: devicesSignedOutMail(to, 1, at),
  devicesSignedOut: devicesSignedOutMail(to, 3, at),
  approved: kycApprovedMail(to),
  rejected: kycRejectedMail(to, [hostile]),
  actionRequired: kycActionRequiredMail(to, []),
  mailsMuted: mailsMutedMail(to, ["paid_out", "refunded"], at),
  paymentSeen: paymentSeenMail(to, { ...swap, amount: "5", asset: "USDT", problem: null, isBlocked: false }),
  completed: swapCompletedMail(to, { ...swap, ...sent }),
  refunded: swapRefundedMail(to, { ...swap, amount: "100" }, [
    { amount: "60", address: "0xabc", hash: "0xdef", cost: "0.5 MOB" },
    { amount: "40", address: "0xabc", hash: "0xfed", cost: null },
  ]),
  returned: moneyReturnedMail(to, { ...swap, ...sent, hash: null, isFilled: true }),
  returnedUnswapped: moneyReturnedMail(to, { ...swap, ...sent, hash: null, isFilled: false }),
  readdressed: paymentReaddressedMail(to, {
    ...swap,
    ...{ earlier: hostile, address: hostile, until: at },
  }),
  held: swapOnHoldMail(to, { ...swap, reason: hostile, deadline: at, problem: null, isExtended: false }),
  heldLonger: swapOnHoldMail(to, { ...swap, reason: hostile, deadline: at, problem: null, isExtended: true }),
  released: swapReleasedMail(to, { ...swap, isRefund: false, isBlocked: false }),
  notRefunded: swapNotRefundedMail(to, { ...swap, amount: "0.2", asset: "USDT", isExtra: false }),
  kept: swapNotRefundedMail(to, { ...swap, amount: "0.2", asset: "USDT", isExtra: true }),
  gone: paymentGoneMail(to, swap),
  needsDecision: swapNeedsDecisionMail(to, {
    ...swap,
    reason: hostile,
    deadline: new Date("2026-01-05T03:04:05Z"),
    missing: "2.5 USDT",
    lockedUntil: at,
    choices: ["accept", "send", "requote", "refund"],
    isBlocked: false,
  }),
  cannotDecide: swapNeedsDecisionMail(to, {
    ...swap,
    reason: hostile,
    deadline: at,
    missing: null,
    lockedUntil: null,
    choices: ["requote", "refund"],
    isBlocked: true,
  }),
};

/** What `sendMail` gets, from an exchange with a support address. */
const render = (template: EmailTemplate) => renderEmail(template, "help@antelope.example");
const mails = Object.fromEntries(Object.entries(templates).map(([name, mail]) => [name, render(mail)])) as Record<
  keyof typeof templates,
  Mail
>;

const parseHtml = (html: string) => new DOMParser().parseFromString(html, "text/html");
const normalize = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, " ").trim();

describe("e-mails", () => {
  it.each(Object.entries(mails))(
    "T33 %s: has a one-line subject, and shows text from others inside a line and never as markup",
    (_name, mail) => {
      expect(mail.to).toBe(to);
      expect(mail.subject).toMatch(/^[ -~]{5,78}$/);
      expect(mail.text).not.toMatch(/\r|^Bcc:|\u202e/m);
      expect(mail.html).not.toContain("\u202e");
      const page = parseHtml(mail.html);
      expect(page.querySelectorAll("img, script, link, iframe, form, [onerror]")).toHaveLength(0);
      for (const link of page.querySelectorAll("a")) link.remove();
      const rest = page.documentElement.outerHTML.replaceAll("'https://evil.example'", "");
      expect(rest).not.toMatch(/https?:|www\.|url\(/);
    },
  );

  it.each(Object.entries(mails))(
    "%s: says the same in text and HTML, and what to do if it was not you",
    (_name, mail) => {
      const page = parseHtml(mail.html);
      expect(page.title).toBe(mail.subject);
      expect(page.querySelectorAll("h1")).toHaveLength(1);
      expect(page.querySelector("body > div")?.textContent).toMatch(/^.{10,}$/);
      const shown = normalize(page.querySelector("table")?.textContent ?? "");
      for (const line of mail.text.split("\n")) {
        if (line === "-- ") continue;
        if (line.endsWith(url)) continue;
        for (const part of line.split(": ")) expect(shown).toContain(normalize(part));
      }
      expect(mail.text).toMatch(
        /\n\n(If |Compare )[^\n]+\n\n-- \nAntelope\n(Questions\? .+\n)?We never ask for a code/,
      );
      expect(mail.html).toContain("prefers-color-scheme: dark");
    },
  );

  it("has a code only in the code e-mail: in its text, its subject and its field", () => {
    const { code, ...others } = mails;
    expect(code.code).toBe("012345");
    expect(code.text).toContain("012345");
    expect(code.subject).toBe("012345 is your Antelope code");
    expect(code.text).toMatch(/^Your Antelope code\n\n012345\n\nEnter it only at antelope\.example, /);
    expect(code.text).toContain(" It expires 10 minutes after you requested it and works only once.");
    expect(parseHtml(code.html).body.textContent).toContain("012345");
    expect(Object.values(others).map((mail) => mail.code)).toEqual(Object.values(others).map(() => null));
  });

  it("says how to shut out someone else: their passkeys, their devices, and the addresses they saved", () => {
    const others =
      "remove every passkey you don't recognise, sign out all other devices, then open Addresses and remove every address that isn't yours.\n";
    const telling = Object.entries(mails).filter(([, { text }]) => text.includes("every passkey"));
    expect(telling.map(([name]) => name)).toEqual(
      expect.arrayContaining([
        "passkeyAdded",
        "passkeyRemoved",
        "addressAdded",
        "addressRemoved",
        "recovery",
        "sessionEnded",
        "devicesSignedOut",
      ]),
    );
    for (const [, { text }] of telling) expect(text).toContain(others);
  });

  it("says after a recovery that the passkey of a lost device must go", () => {
    expect(mails.recovery.text).toContain("\nIf you lost a device, open Account and remove its passkey");
  });

  it("T31 names the passkeys that a recovery has paused", () => {
    const pausing = "They can't sign in until that time, in case it wasn't you who added them.";
    expect(mails.recovery.text).toContain(pausing);
    const until = new Date("2026-01-03T03:04:05Z");
    const paused = [
      { name: "Phone", createdAt: new Date("2026-01-01T10:00:00Z") },
      { name: "Passkey 3", createdAt: new Date("2025-12-24T08:30:00Z") },
    ];
    const { text } = render(recoveryMail(to, at, { until, paused }));
    expect(text).toMatch(
      /remove those that you don't recognise:\n+[-•] Phone, added on 1 January 2026.*\n[-•] Passkey 3, added on 24 December 2025.*\n/,
    );
    expect(render(recoveryMail(to, at, { until, paused: [] })).text).not.toContain(pausing);
  });

  it("T31 tells passkeys apart by when they were added, because names can be changed", () => {
    expect(mails.passkeyAdded.text).toContain("compare when each was added");
    const removed = passkeyRemovedMail(to, { name: "Passkey", createdAt: new Date("2025-12-24T08:30:00Z") }, at);
    expect(render(removed).text).toContain("The passkey “Passkey”, added on 24 December 2025");
  });

  it("T49 shows whole addresses that were added or removed, with the asset and the label", () => {
    const address = "0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC";
    const saved = { type: "ETH", address, label: "Ledger" } as const;
    for (const mail of [addressAddedMail(to, saved, at), addressRemovedMail(to, saved, at)])
      expect(render(mail).text).toContain(`\nFor: USDT\nLabel: Ledger\nAddress: ${address}\n`);
    expect(mails.addressRemoved.text).toContain("\nFor: USDT\nAddress: 0xabc\n");
  });

  it("names the e-mails that remain when others are turned off", () => {
    expect(mails.mailsMuted.text).toContain(
      "We still e-mail you if a swap needs your decision or can't be refunded, when a hold begins or ends, and if a payment disappears.",
    );
  });

  it("shows times in UTC with the month spelled out", () => {
    expect(mails.recovery.text).toContain("after 3 January 2026 at 03:04 UTC");
    expect(mails.needsDecision.text).toMatch(
      /Locked price ends: 2 January 2026 at 03:04 UTC\nDecide by: 5 January 2026 at 03:04 UTC\n/,
    );
    expect(mails.passkeyAdded.text).toContain("2 January 2026 at 03:04 UTC");
  });

  const aboutSwaps = [
    "paymentSeen",
    "completed",
    "refunded",
    "returned",
    "returnedUnswapped",
    "readdressed",
    "held",
    "heldLonger",
    "released",
    "notRefunded",
    "kept",
    "gone",
    "needsDecision",
  ] as const;

  it.each(aboutSwaps)("%s: names the swap's number and amounts, and links to its page", (name) => {
    const { text, html } = mails[name];
    expect(text).toContain("\nSwap: 1CRT-8K55-KRE\n");
    expect(text).toMatch(/: 5 USDT/);
    expect(text).toContain(`\nOpen this swap: ${url}\n`);
    const links = [...parseHtml(html).querySelectorAll("a")];
    expect(links.map((link) => [link.textContent, link.getAttribute("href")])).toEqual([["Open this swap", url]]);
  });

  it("names amounts and addresses as the receipt does: from the customer's side, or by who received", () => {
    expect(mails.completed.text).toContain("\nSwapped: 5 USDT\n");
    expect(mails.completed.text).toMatch(/\nPaid out to: .+\nAmount: 12\.50 MOB\n/);
    expect(mails.notRefunded.text).toContain("\nWe received: 0.20 USDT\n");
    expect(mails.needsDecision.text).toContain("\nWe received: 12.50 MOB\n");
    for (const { text } of Object.values(mails)) expect(text).not.toMatch(/^(Sent to|Received): /m);
  });

  it("says whether the swap needed the money that is set aside", () => {
    expect(mails.notRefunded.text).toContain("more than the 0.20 USDT that we received for your swap");
    expect(mails.kept.text).toContain("You sent 0.20 USDT that your swap didn't need");
    expect(mails.kept.text).toContain("\nSet aside: 0.20 USDT\n");
    for (const { text } of [mails.notRefunded, mails.kept]) expect(text).toContain("once the fee is low enough");
  });

  it("says where a payment that has left the blockchain may be", () => {
    expect(mails.gone.subject).toBe("Your payment has disappeared: 1CRT-8K55-KRE");
    expect(mails.gone.text).toContain("so we don't have it. The swap has ended. Check your wallet");
  });

  it("lists the fee and the rate, unless a fee may not be charged", () => {
    const charged = aboutSwaps.filter((name) =>
      /5 USDT.*\nFee included: 0\.025 USDT\nRate: 1 USDT = 2\.5 MOB\n/.test(mails[name].text),
    );
    expect(charged).toEqual(["paymentSeen", "completed", "returned", "needsDecision"]);
    for (const name of ["refunded", "returnedUnswapped", "held", "released", "notRefunded"] as const)
      expect(mails[name].text).not.toMatch(/^Fee |^Rate/m);
  });

  it("does not link from other e-mails, so that customers do not get used to following links to sign in", () => {
    for (const [name, { html }] of Object.entries(mails)) {
      if (!aboutSwaps.some((about) => about === name)) expect(html).not.toContain("<a ");
    }
  });

  it("says what can be done while the locked price lasts, and nothing about it once it has ended", () => {
    const until = "until 2 January 2026 at 03:04 UTC";
    expect(mails.needsDecision.text).toContain(
      `You can:\n\n- Swap what arrived at the locked price, ${until}\n- Send the missing 2.5 USDT, ${until}\n- After that, swap what arrived at a new price, if the amount is within our limits\n- Get it back, less the network fee\n\n`,
    );
    expect(mails.needsDecision.text).toContain("\nMissing: 2.5 USDT\n");
    expect(mails.needsDecision.subject).toBe("Your swap needs a decision: 1CRT-8K55-KRE");
    const ended = render(
      swapNeedsDecisionMail(to, {
        ...swap,
        reason: "Late.",
        deadline: at,
        missing: null,
        lockedUntil: null,
        choices: ["requote", "refund"],
        isBlocked: false,
      }),
    );
    expect(ended.text).not.toMatch(/locked price|missing|after that/i);
  });

  it.each(["checking the source", "checking the source. "])(
    "ends the reason of a hold with a full stop: %j",
    (reason) => {
      const { text } = render(swapOnHoldMail(to, { ...swap, reason, deadline: at, problem: null, isExtended: false }));
      expect(text).toContain("checking the source. Your money is safe with us.");
    },
  );

  it("can be replied to if there is a support address, except codes, because a reply would quote them", () => {
    const { code, completed } = mails;
    const question = "Questions? Reply to this e-mail.";
    expect([completed.replyTo, completed.text.includes(question)]).toEqual(["help@antelope.example", true]);
    expect([code.replyTo, code.text.includes(question)]).toEqual([undefined, false]);
    const { replyTo, text, html } = renderEmail(templates.completed, null);
    expect([replyTo, text.includes(question), html.includes(question)]).toEqual([undefined, false, false]);
  });

  it.each([
    [null, "We continue once it is confirmed. There is nothing you need to do now."],
    [{ isLate: true }, "It arrived after the time to pay had ended. We'll ask you what to do once it is confirmed."],
    [
      { isLate: false, missing: "100.00 USDT", sendRestUntil: at },
      "This is 100.00 USDT less than agreed. You can send the rest until 2 January 2026 at 03:04 UTC.",
    ],
    [
      { isLate: false, missing: "100.00 USDT", sendRestUntil: null },
      "This is 100.00 USDT less than agreed. We'll ask you what to do once it is confirmed.",
    ],
  ] as const)("says what to do about a payment: %j", (problem, advice) => {
    const { text, html } = render(
      paymentSeenMail(to, { ...swap, amount: "5", asset: "USDT", problem, isBlocked: false }),
    );
    expect(text).toContain(` is on the network. ${advice}\n`);
    // What is late or too little waits for the customer, so it does not continue by itself. The HTML has the preview.
    expect(/We continue/.test(html)).toBe(problem === null);
    expect(text.includes("\nMissing: 100.00 USDT\n")).toBe(advice.startsWith("This is"));
  });

  it("doesn't ask a blocked customer to do anything about a payment", () => {
    const payment = { ...swap, amount: "5", asset: "USDT", isBlocked: true } as const;
    for (const problem of [
      null,
      { isLate: true },
      { isLate: false, missing: "1.00 USDT", sendRestUntil: at },
    ] as const) {
      const { text, html } = render(paymentSeenMail(to, { ...payment, problem }));
      expect(text).toContain("Your money is safe. Your account can't be used at the moment.");
      expect(text).not.toMatch(/sign in|open Account|send the rest|ask you|https/i);
      expect(html).not.toContain("We continue");
    }
  });

  it("says what to do about a hold, and doesn't ask blocked customers to sign in", () => {
    const hold = { ...swap, reason: "A reason.", deadline: at, isExtended: false };
    const unverified = render(swapOnHoldMail(to, { ...hold, problem: "unverified" })).text;
    expect(unverified).toContain("sign in, open Account, then Verification");
    expect(unverified).toContain("If it is worth less than the fee, we'll hold it until the fee is low enough.");
    const blocked = render(swapOnHoldMail(to, { ...hold, problem: "blocked" })).text;
    expect(blocked).not.toMatch(/sign in|open Account|open this|https/i);
    expect(blocked).toContain("someone may have access to your account. Change the password of your mailbox.");
  });

  it("uses the singular if only one device was signed out", () => {
    expect(mails.deviceSignedOut.text).toContain("another device signed out one of your devices.");
    expect(mails.deviceSignedOut.subject).toBe("One of your devices was signed out");
    expect(mails.devicesSignedOut.text).toContain("another device signed out 3 of your devices.");
    expect(mails.devicesSignedOut.subject).toBe("3 of your devices were signed out");
  });

  it("says whether the swap or its refund continues after a hold, and doesn't ask blocked customers to sign in", () => {
    expect(mails.released.subject).toBe("Your swap is no longer on hold: 1CRT-8K55-KRE");
    expect(mails.released.text).toContain("Your swap continues. There is nothing you need to do now.");
    const refund = render(swapReleasedMail(to, { ...swap, isRefund: true, isBlocked: true }));
    expect(refund.subject).toBe("Your refund is no longer on hold: 1CRT-8K55-KRE");
    expect(refund.text).toContain("We are sending your money to your refund address.");
    expect(refund.text).not.toMatch(/sign in|open Account|open this|https/i);
  });

  it("tells blocked customers what happens to their payment, and doesn't ask them to choose", () => {
    const { text, subject } = mails.cannotDecide;
    expect(subject).toBe("We can't continue your swap: 1CRT-8K55-KRE");
    expect(text).not.toMatch(/sign in|open Account|open this|you can:/i);
    expect(text).toContain("\nWe received: 12.50 MOB\n");
    expect(text).toContain("Unless that changes in time, we send the money to your refund address");
    expect(text).toContain("Change the password of your mailbox.");
  });

  it("links to the choices before the details of the swap", () => {
    const { text } = mails.needsDecision;
    expect(text.indexOf("Open this swap")).toBeLessThan(text.indexOf("We received: "));
  });

  it("keeps amounts, days and times on one line in HTML", () => {
    const { body } = parseHtml(mails.needsDecision.html);
    expect(body.textContent).toContain("2.5\u00a0USDT, until 2\u00a0January 2026 at 03:04\u00a0UTC");
  });

  it("says how to get to Verification, in the site's words", () => {
    const way = "sign in, open Account, then Verification, and correct your details.";
    for (const { text } of [mails.rejected, mails.actionRequired]) expect(text).toContain(way);
    expect(mails.actionRequired.subject).toBe("Please correct your details");
  });

  it("lists every payment of a refund, and the sum", () => {
    expect(mails.refunded.subject).toContain("100.00 MOB");
    expect(mails.refunded.text).toMatch(
      /Amount: 60\.00 MOB\nNetwork fee deducted: 0\.5 MOB\nTransaction: 0xdef\nAmount: 40\.00 MOB\nTransaction: 0xfed/,
    );
  });

  it("names the address of each payment if they differ", () => {
    const { text } = render(
      swapRefundedMail(to, { ...swap, amount: "100" }, [
        { amount: "60", address: "0xabc", hash: "0xdef", cost: null },
        { amount: "40", address: "0x123", hash: "0xfed", cost: null },
      ]),
    );
    expect(text).toContain(
      "\nRefunded to: 0xabc\nAmount: 60.00 MOB\nTransaction: 0xdef\nRefunded to: 0x123\nAmount: 40.00 MOB\n",
    );
  });

  it("shortens amounts in sentences, lists all their digits, and separates thousands in both", () => {
    const { subject, text } = render(swapCompletedMail(to, { ...swap, ...sent, amount: "1145.832121784872" }));
    expect(subject).toBe("Your swap is complete: 1,145.8321 MOB");
    expect(text).toMatch(/^We sent you 1,145\.8321 MOB$/m);
    expect(text).toMatch(/^Amount: 1,145\.832121784872 MOB$/m);
  });
});

it.each([
  ["verified", true],
  ["unverified", false],
  ["unknown", false],
] as const)("T71 lets automatic replies go to a sender whose address is %s: %s", (sender, isAllowed) => {
  const message = { from: to, sender, number: null, swap: null, text: "Hello" };
  const mail = renderEmail(supportMail("help@antelope.example", message), null);
  expect(mail.allowsAutoReply === true).toBe(isAllowed);
});

import { describe, expect, it } from "vitest";
import {
  codeMail,
  kycActionRequiredMail,
  kycApprovedMail,
  kycRejectedMail,
  passkeyAddedMail,
  passkeyRemovedMail,
  recoveryMail,
  sessionEndedMail,
  swapCompletedMail,
  swapNeedsDecisionMail,
  swapRefundedMail,
} from "../../../app/exchange.server/mail/messages";

const to = "ada@example.org";
const hostile = "x\r\nBcc: eve@example.org\u202e";
const swap = { orderId: "order-1", amount: "12.5", asset: "MOB" as const };
const mails = {
  code: codeMail(to, "012345", 10),
  passkeyAdded: passkeyAddedMail(to, hostile),
  passkeyRemoved: passkeyRemovedMail(to, hostile),
  recovery: recoveryMail(to, new Date("2026-01-02T03:04:05Z")),
  sessionEnded: sessionEndedMail(to),
  approved: kycApprovedMail(to),
  rejected: kycRejectedMail(to, [hostile]),
  actionRequired: kycActionRequiredMail(to, []),
  completed: swapCompletedMail(to, { ...swap, address: hostile, hash: hostile }),
  refunded: swapRefundedMail(to, { ...swap, address: "0xabc", hash: "0xdef" }),
  needsDecision: swapNeedsDecisionMail(to, { ...swap, reason: hostile, deadline: new Date("2026-01-02T03:04:05Z") }),
};

describe("mails", () => {
  it.each(Object.entries(mails))(
    "T33 %s: one-line subject, no link, no text of others on a line of its own",
    (_name, mail) => {
      expect(mail.to).toBe(to);
      expect(mail.subject).toMatch(/^[ -~]{5,78}$/);
      expect(mail.text).not.toMatch(/https?:|www\.|\r|^Bcc:|\u202e/m);
      expect(mail.text).toContain("Antelope");
    },
  );

  it("only the code mail carries a code, in its text, its subject and its field", () => {
    const { code, ...others } = mails;
    expect(code.code).toBe("012345");
    expect(code.text).toContain("012345");
    expect(code.subject).toContain("012345");
    expect(Object.values(others).map((mail) => mail.code)).toEqual(Object.values(others).map(() => null));
  });

  it("times are said in UTC, so that nobody has to guess", () => {
    expect(mails.recovery.text).toContain("2026-01-02 03:04 UTC");
    expect(mails.needsDecision.text).toContain("2026-01-02 03:04 UTC");
  });
});

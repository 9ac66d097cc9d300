/**
 * The sign-in forms, one schema per intent. Routes combine those they accept with
 * `z.discriminatedUnion("intent", [...])`.
 */
import { z } from "zod";
import { toAsciiDigits } from "~/lib/ascii-digits";
import { invalidEmailMessage, isEmailLike } from "~/lib/email";
import * as errorTexts from "~/lib/error-catalogue";
import { withoutInvisible } from "~/lib/one-line";
import type { RefusedForm } from "~/session/parse-form.server";
import type { SignInRefused } from "./sign-in-result";

/** V07: an e-mail address. */
const identifier = z
  .string({ required_error: invalidEmailMessage })
  .transform((text) => withoutInvisible(text).trim())
  .refine(isEmailLike, invalidEmailMessage);

export const invalidCodeMessage = "Enter the six digits from the e-mail.";

/** The digits of an e-mailed code, from any keyboard and in groups of any kind. Null if they are not six. */
export function readCode(text: string): string | null {
  const digits = toAsciiDigits(text).replace(/[\s\p{Pd}\p{Cf}]/gu, "");
  return /^[0-9]{6}$/.test(digits) ? digits : null;
}

/** `readCode` checks the digits. */
const code = z.string({ required_error: invalidCodeMessage });

/** The browser's WebAuthn responses as JSON. */
const assertion = z.string({ required_error: errorTexts.passkeyCompletionFailed });
const attestation = z.string({ required_error: errorTexts.registrationFailed });

export const sendCodeForm = z.object({ intent: z.literal("send-code"), identifier });
export const verifyCodeForm = z.object({ intent: z.literal("verify-code"), code });
export const otherAddressForm = z.object({ intent: z.literal("other-address") });
export const passkeyOptionsForm = z.object({ intent: z.literal("passkey-options"), identifier });
export const passkeyVerifyForm = z.object({ intent: z.literal("passkey-verify"), credential: assertion });
export const autofillOptionsForm = z.object({ intent: z.literal("autofill-options") });
export const autofillVerifyForm = z.object({ intent: z.literal("autofill-verify"), credential: assertion });
export const registrationOptionsForm = z.object({ intent: z.literal("registration-options"), identifier });
export const registrationVerifyForm = z.object({ intent: z.literal("registration-verify"), credential: attestation });

/** What a sign-in screen shows for an invalid form. */
export function toSignInErrors({
  values: { identifier, code },
  fields: { credential, ...fields },
}: RefusedForm): SignInRefused {
  const refused = { kind: "refused", values: { identifier, code }, fields } as const;
  return credential === undefined ? refused : { ...refused, error: credential };
}

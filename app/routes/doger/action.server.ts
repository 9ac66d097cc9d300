import { z } from "zod";
import type { PriceAlert } from "~/api/contract";
import { orNullIfUnknown, toErrorText } from "~/api/errors";
import { getConfig } from "~/config/config.server";
import { consentFields, outdatedText, recordShownVersions } from "~/content/consent.server";
import { readRateInput } from "~/lib/amount-input";
import { currencyCodes, toCurrencyCookie } from "~/lib/currencies";
import type { Done, FormResult, Refused } from "~/lib/form-result";
import type { NumberStyle } from "~/lib/number-style";
import { toOneLine } from "~/lib/one-line";
import { paths, withParams } from "~/lib/paths";
import { readLocale } from "~/lib/read-locale.server";
import { requirePasskeyReturningToKyc } from "~/session/guards.server";
import { parseForm, type RefusedForm } from "~/session/parse-form.server";
import { redirectTo, toRefusal } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import {
  finishPasskeySignIn,
  finishRegistration,
  startPasskeySignInFor,
  startRegistration,
} from "~/sign-in/sign-in.server";
import {
  passkeyOptionsForm,
  passkeyVerifyForm,
  registrationOptionsForm,
  registrationVerifyForm,
} from "~/sign-in/sign-in-forms.server";
import type { SignInRefused, SignInResult } from "~/sign-in/sign-in-result";

/** The card that shows the result of an action. */
export type AccountCard = "passkeys" | "sessions" | "alerts" | "mails" | "documents";

/** `added`: the ID of the alert that was set. */
export type PriceAlertResult = Refused | (Done & { added?: string });

type CardResults = {
  passkeys: SignInResult | Done;
  sessions: FormResult;
  alerts: PriceAlertResult;
  mails: FormResult;
  documents: FormResult;
};

export type AccountActionResult = { [Card in AccountCard]: { about: Card } & CardResults[Card] }[AccountCard];

export type CardResult<Card extends AccountCard> = Extract<AccountActionResult, { about: Card }>;

const id = z.string().min(1);
const nameMessage = "Enter a name of 1 to 60 characters.";
const name = z
  .string({ required_error: nameMessage })
  .transform(toOneLine)
  .pipe(z.string().min(1, nameMessage).max(60, nameMessage));

/** A browser sends nothing for a checkbox that is not checked. */
const checkbox = z
  .string()
  .optional()
  .transform((value) => value !== undefined);

const formSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("rename-passkey"), id, name }),
  z.object({ intent: z.literal("remove-passkey"), id }),
  z.object({ intent: z.literal("end-session"), id }),
  z.object({ intent: z.literal("end-other-sessions") }),
  z.object({
    intent: z.literal("add-alert"),
    direction: z.enum(["above", "below"]).catch("above"),
    rate: z.string().max(64).default(""),
  }),
  z.object({ intent: z.literal("remove-alert"), id }),
  z.object({ intent: z.literal("set-mails"), payment_seen: checkbox, paid_out: checkbox, refunded: checkbox }),
  z.object({ intent: z.literal("accept-documents"), ...consentFields }),
  z.object({
    intent: z.literal("set-currency"),
    currency: z
      .enum(["none", ...currencyCodes])
      .nullable()
      .catch(null),
  }),
  // The address is the account's own.
  registrationOptionsForm.omit({ identifier: true }),
  registrationVerifyForm,
  passkeyOptionsForm.omit({ identifier: true }),
  passkeyVerifyForm,
]);
/** The forms that `runIntent` handles. The currency is only a cookie, so the exchange is not involved. */
type AccountForm = Exclude<z.output<typeof formSchema>, { intent: "set-currency" }>;

const cardOf: Record<AccountForm["intent"], AccountCard> = {
  "rename-passkey": "passkeys",
  "remove-passkey": "passkeys",
  "end-session": "sessions",
  "end-other-sessions": "sessions",
  "add-alert": "alerts",
  "remove-alert": "alerts",
  "set-mails": "mails",
  "accept-documents": "documents",
  "registration-options": "passkeys",
  "registration-verify": "passkeys",
  "passkey-options": "passkeys",
  "passkey-verify": "passkeys",
};

type Visitor = { email: string; numbers: NumberStyle };

/** Every action of the page. */
export const action = siteAction(async (args): Promise<AccountActionResult | Response> => {
  const { email } = await requirePasskeyReturningToKyc(args);
  const form = await parseForm(formSchema, args.request);
  if (!form.ok) return toFormErrors(form);
  if (form.values.intent === "set-currency") {
    const cookie = toCurrencyCookie(form.values.currency, getConfig().secure);
    return redirectTo(args, `${withParams(paths.doger, { saved: "currency" })}#currency`, { "Set-Cookie": cookie });
  }
  const { numbers } = readLocale(args.request.headers);
  return runIntent(await getScope(args), { email, numbers }, form.values);
});

async function runIntent(
  scope: RequestScope,
  { email, numbers }: Visitor,
  form: AccountForm,
): Promise<AccountActionResult> {
  switch (form.intent) {
    case "rename-passkey":
      return renamePasskey(scope, form);
    case "remove-passkey":
      return runAccountAction("passkeys", "Passkey removed. Other devices that signed in with it are signed out.", () =>
        orNullIfUnknown(scope.api.removePasskey(form.id)),
      );
    case "end-session":
      return runAccountAction("sessions", "That device was signed out.", () =>
        orNullIfUnknown(scope.api.endSession(form.id)),
      );
    case "end-other-sessions":
      return endOtherSessions(scope);
    case "add-alert":
      return addAlert(scope, form, numbers);
    case "remove-alert":
      return runAccountAction("alerts", "Price alert removed.", () =>
        orNullIfUnknown(scope.api.removePriceAlert(form.id)),
      );
    case "set-mails": {
      const { intent: _, ...preferences } = form;
      return runAccountAction("mails", "Saved.", () => scope.api.setMailPreferences(preferences));
    }
    case "accept-documents":
      return acceptDocuments(scope, form);
    case "registration-options":
      return { about: "passkeys", ...(await startRegistration(scope, email)) };
    case "registration-verify":
      return toCeremonyResult("Passkey added.", await finishRegistration(scope, form.credential));
    case "passkey-options":
      return { about: "passkeys", ...(await startPasskeySignInFor(scope, email)) };
    case "passkey-verify":
      return toCeremonyResult(
        "Confirmed. Now try again.",
        await finishPasskeySignIn(scope, form.credential, "passkey"),
      );
  }
}

async function renamePasskey(
  { api }: RequestScope,
  { id, name }: { id: string; name: string },
): Promise<AccountActionResult> {
  let isGone = false;
  const result = await runAccountAction("passkeys", `Passkey renamed to “${name}”.`, async () => {
    isGone = (await orNullIfUnknown(api.renamePasskey(id, name))) === null;
  });
  if (!isGone) return result;
  return { about: "passkeys", kind: "refused", error: "The name wasn't changed, because this passkey was removed." };
}

/** Without a fresh passkey, the exchange does not end sessions that began after this one (T12). */
async function endOtherSessions({ api }: RequestScope): Promise<AccountActionResult> {
  let remain = false;
  const result = await runAccountAction("sessions", "All other devices were signed out.", async () => {
    await api.endOtherSessions();
    remain = (await api.listSessions()).some(({ current }) => !current);
  });
  if (!remain) return result;
  return {
    about: "sessions",
    kind: "refused",
    error: "Some devices signed in later than this one and are still signed in.",
    code: "passkey_too_old",
  };
}

function toFormErrors({ values, fields }: RefusedForm): AccountActionResult {
  // `parseForm` refuses an unknown intent with 400, and the currency form accepts any input.
  const about = cardOf[values.intent as AccountForm["intent"]];
  if (fields.name) {
    const { id = "", name } = values;
    return {
      about: "passkeys",
      kind: "refused",
      error: "The name wasn't changed.",
      fields: { [id]: fields.name },
      values: { name },
    };
  }
  return {
    about,
    kind: "refused",
    error: fields.credential ?? "The form was incomplete. Reload the page and try again.",
  };
}

async function acceptDocuments(
  { api }: RequestScope,
  { terms, privacy }: { terms?: string | undefined; privacy?: string | undefined },
): Promise<AccountActionResult> {
  let isOutdated = false;
  const result = await runAccountAction("documents", "Thank you. We've recorded your acceptance.", async () => {
    isOutdated = (await recordShownVersions(api, { terms, privacy })) === "outdated";
  });
  if (!isOutdated) return result;
  return { about: "documents", kind: "refused", error: `${outdatedText} Please read the new version below.` };
}

async function addAlert(
  scope: RequestScope,
  { direction, rate }: { direction: PriceAlert["direction"]; rate: string },
  numbers: NumberStyle,
): Promise<CardResult<"alerts">> {
  const input = readRateInput(rate, numbers);
  const refused = { about: "alerts", kind: "refused", values: { direction, rate } } as const;
  if (input.kind === "invalid") return { ...refused, fields: { rate: input.message } };
  try {
    const { id } = await scope.api.addPriceAlert({ direction, rate: input.text });
    return { about: "alerts", kind: "done", text: "Price alert set.", added: id };
  } catch (error) {
    const refusal = toRefusal(error);
    const { rate: message } = refusal.fields;
    return message ? { ...refused, fields: { rate: message } } : { ...refused, error: toErrorText(refusal) };
  }
}

/** Runs a call for a card. Pass calls that remove something through `orNullIfUnknown`: another tab may have done it. */
async function runAccountAction<Card extends AccountCard>(
  about: Card,
  done: string,
  call: () => Promise<unknown>,
): Promise<{ about: Card } & FormResult> {
  try {
    await call();
  } catch (error) {
    const refusal = toRefusal(error);
    return { about, kind: "refused", error: toErrorText(refusal), code: refusal.code };
  }
  return { about, kind: "done", text: done };
}

function toCeremonyResult(done: string, result: SignInRefused | "done"): CardResult<"passkeys"> {
  return { about: "passkeys", ...(result === "done" ? { kind: "done", text: done } : result) };
}

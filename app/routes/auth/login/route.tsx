import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import type { User } from "~/api/contract";
import { FirstSwapSteps } from "~/components/first-swap/first-swap-steps";
import { useLocale } from "~/components/locale/use-locale";
import { useTypedCalculation } from "~/components/price/use-typed-calculation";
import { AuthLayout } from "~/components/sign-in/auth-layout";
import { CodeForm } from "~/components/sign-in/code-form";
import { lostCodeForm } from "~/components/sign-in/lost-code-form";
import { readCalculatorForm, toCalculatedPath } from "~/lib/calculation";
import * as errorTexts from "~/lib/error-catalogue";
import { toRefused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { readLocale } from "~/lib/read-locale.server";
import { parseMessage, parseRedirect } from "~/lib/search-params";
import { useActionResult } from "~/loaded-data/use-action-result";
import { invalidatesEverything } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { parseForm } from "~/session/parse-form.server";
import { redirectTo, replaceWith, whenDone } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { toUserErrorText } from "~/session/user-error.server";
import {
  finishPasskeySignIn,
  finishRegistration,
  sendCode,
  startPasskeySignIn,
  startPasskeySignInFor,
  startRegistration,
  verifyCode,
} from "~/sign-in/sign-in.server";
import {
  autofillOptionsForm,
  autofillVerifyForm,
  otherAddressForm,
  passkeyOptionsForm,
  passkeyVerifyForm,
  registrationOptionsForm,
  registrationVerifyForm,
  sendCodeForm,
  toSignInErrors,
  verifyCodeForm,
} from "~/sign-in/sign-in-forms.server";
import type { SignInResult } from "~/sign-in/sign-in-result";
import { Note } from "~/ui/note";
import { AccountNote, type AccountNotice } from "./account-note";
import { AddPasskey } from "./add-passkey";
import { LoginPrice } from "./login-price";
import { loadPrice } from "./price.server";
import { SignInForm } from "./sign-in-form";

// Signed-out visitors get this page from memory: server/public-page-request.server.ts.
/** Redirects active, passkey-authenticated visitors; shows everyone else what to do. */
export async function loader(args: LoaderFunctionArgs) {
  const params = new URL(args.request.url).searchParams;
  const { numbers } = readLocale(args.request.headers);
  const calculation = readCalculatorForm(params);
  if (calculation) {
    // The calculator's form: from here on, `redirect` holds its amount.
    const wanted = toCalculatedPath(calculation, numbers);
    throw await replaceWith(args, `${paths.login({ redirect: wanted })}#sign-in`);
  }
  const redirect = parseRedirect(params);
  const scope = await getScope(args);
  const checksCookies = params.has("cookies");
  // The browser stores cookies, so the check is removed from the URL.
  if (checksCookies && scope.hasCookies) throw await replaceWith(args, paths.login({ redirect }));
  const [{ user, error }, price] = await Promise.all([readUser(scope), loadPrice(args, redirect)]);
  const passkey = scope.isPasskeyAuthenticated && user?.passkey_authenticated === true;
  if (passkey && user?.is_active) throw await replaceWith(args, redirect ?? paths.swap);
  return {
    redirect,
    message: parseMessage(params) === true,
    screen: toScreen(scope, user),
    notice: checksCookies ? cookiesBlocked : toNotice(scope, user, error),
    price,
  };
}

/** What the visitor does next. */
type Screen =
  | { kind: "sign-in" }
  | { kind: "code"; sentTo: string; resent?: number | undefined }
  | { kind: "add-passkey"; email: string; isNew: boolean };

/** Active visitors with a passkey have been redirected by now. */
function toScreen(scope: RequestScope, user: User | null): Screen {
  if (user?.is_active) return { kind: "add-passkey", email: user.email, isNew: user.kyc_status === "not_started" };
  const challenge = scope.getChallenge("email");
  return challenge ? { kind: "code", sentTo: challenge.identifier, resent: challenge.resent } : { kind: "sign-in" };
}

function toNotice(scope: RequestScope, user: User | null, error: string | null): AccountNotice | null {
  if (scope.isLeftOpen) return { kind: "left-open" };
  if (error !== null)
    return { kind: "failed", title: error, hint: "We couldn't load your account. Try again in a moment." };
  if (scope.hasExpired) {
    const hint = "You were signed out. Sign in again to continue.";
    return { kind: "failed", title: errorTexts.userTokenExpired, hint };
  }
  if (!scope.isSignedIn) return null;
  if (user === null) return { kind: "blocked" };
  return user.is_active ? null : { kind: "inactive", email: user.email };
}

/** Without cookies, the form for the code never appears, so this notice says why. */
const cookiesBlocked: AccountNotice = {
  kind: "failed",
  title: "Your browser blocks cookies.",
  hint: "Allow cookies for this site and try again.",
};

export const shouldRevalidate = revalidationPolicy;

const formSchema = z.discriminatedUnion("intent", [
  sendCodeForm,
  verifyCodeForm,
  otherAddressForm,
  passkeyOptionsForm,
  passkeyVerifyForm,
  autofillOptionsForm,
  autofillVerifyForm,
  // The address is the account's own.
  registrationOptionsForm.omit({ identifier: true }),
  registrationVerifyForm,
]);

export const action = siteAction(async (args): Promise<SignInResult | Response> => {
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  const form = await parseForm(formSchema, args.request);
  if (!form.ok) return toSignInErrors(form);
  const { values } = form;
  const scope = await getScope(args);
  const redirectOnward = () => redirectTo(args, redirect ?? paths.swap);
  const redirectBack = (cookies: "check" | null = null) => replaceWith(args, paths.login({ redirect, cookies }));
  switch (values.intent) {
    case "send-code":
      return whenDone(sendCode(scope, values.identifier), () => redirectBack(scope.hasCookies ? null : "check"));
    case "verify-code":
      return whenDone(verifyCode(scope, values.code), redirectBack);
    case "other-address":
      await scope.setChallenge("email", null);
      return redirectBack();
    case "passkey-options":
      return startPasskeySignInFor(scope, values.identifier);
    case "passkey-verify":
      return whenDone(finishPasskeySignIn(scope, values.credential, "passkey"), redirectOnward);
    case "autofill-options":
      return startPasskeySignIn(scope);
    case "autofill-verify":
      return whenDone(finishPasskeySignIn(scope, values.credential, "autofill"), redirectOnward);
    case "registration-options": {
      const user = await scope.getUser();
      return user ? startRegistration(scope, user.email) : redirectBack();
    }
    case "registration-verify": {
      // Renews an expired token. The call that verifies cannot do so, because its challenge would be used up at the
      // second attempt.
      const user = await scope.getUser();
      return user ? whenDone(finishRegistration(scope, values.credential), redirectOnward) : redirectBack();
    }
  }
});

export const clientAction = invalidatesEverything;

export const meta: MetaFunction = () => [
  { title: "Sign in · Antelope" },
  { name: "description", content: "Sign in to swap USDT and MOB, with a passkey or a code sent by e-mail." },
];

const headings = {
  "sign-in": { title: "Sign in", lede: "Use a passkey or a code sent by e-mail." },
  code: { title: "Sign in", lede: "Enter the code we sent you." },
  "add-passkey": {
    title: "One more step: add a passkey",
    lede: "A passkey uses your device's screen lock instead of a password.",
  },
} as const satisfies Record<Screen["kind"], { title: string; lede: string }>;

export default function Login() {
  const { redirect: requested, message, screen, notice, price } = useLoaderData<typeof loader>();
  const { numbers } = useLocale();
  const typed = useTypedCalculation(price?.calculation ?? null);
  const [{ text: amount }] = typed;
  // A changed amount is kept in `redirect`, even if the visitor doesn't press "Continue".
  const wanted = price && amount && amount !== price.calculation.text ? { ...price.calculation, text: amount } : null;
  const redirect = wanted ? toCalculatedPath(wanted, numbers) : requested;
  const isNew = screen.kind === "add-passkey" && screen.isNew;
  return (
    <AuthLayout
      {...headings[screen.kind]}
      price={price ? <LoginPrice {...price} typed={typed} /> : null}
      notes={
        <>
          {message ? (
            <Note title="Sign in to continue">
              <p>That page is part of your account. Sign in with a passkey to continue.</p>
            </Note>
          ) : null}
          <AccountNote notice={notice} />
          {isNew || screen.kind === "code" ? <FirstSwapSteps now="account" maybe={!isNew} /> : null}
        </>
      }
    >
      <Step key={screen.kind} screen={screen} formAction={paths.login({ redirect })} redirect={redirect} />
    </AuthLayout>
  );
}

type StepProps = { screen: Screen; formAction: string; redirect: string | null };

/** With a result of its own, because the screen may also change when another tab signs in or out. */
function Step({ screen, formAction, redirect }: StepProps) {
  const result = toRefused(useActionResult<typeof action>(lostCodeForm));
  switch (screen.kind) {
    case "add-passkey":
      return <AddPasskey action={formAction} email={screen.email} />;
    case "code":
      return (
        <CodeForm action={formAction} email={screen.sentTo} resent={screen.resent} result={result} canChangeAddress />
      );
    case "sign-in":
      return <SignInForm action={formAction} redirect={redirect} result={result} />;
  }
}

/** Returns the error instead of throwing it, because signing in again may fix it. */
async function readUser(scope: RequestScope) {
  try {
    return { user: await scope.getUser(), error: null };
  } catch (error) {
    return { user: null, error: toUserErrorText(error) };
  }
}

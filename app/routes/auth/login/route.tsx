import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useActionData, useLoaderData } from "@remix-run/react";
import { CodeForm } from "~/components/sign-in/code-form";
import { Doorway } from "~/components/sign-in/doorway";
import { paths } from "~/lib/paths";
import { parseMessage, parseRedirect } from "~/lib/search-params";
import { changingEverything } from "~/session/client-cache";
import { redirectTo, replaceWith } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import {
  finishPasskeySignIn,
  finishRegistration,
  sendCode,
  startPasskeyAutofill,
  startPasskeySignIn,
  startRegistration,
  verifyCode,
} from "~/session/sign-in.server";
import type { SignInResult } from "~/session/sign-in-result";
import { readForm, siteAction } from "~/session/site-action.server";
import { toUserErrorText } from "~/session/user-error";
import { Note } from "~/ui/note";
import { AccountNotes } from "./account-notes";
import { AddPasskey } from "./add-passkey";
import { SignInForm } from "./sign-in-form";

/** Sends on only who is passkey-authenticated and active; everybody else reads where they stand. */
export async function loader(args: LoaderFunctionArgs) {
  const params = new URL(args.request.url).searchParams;
  const redirect = parseRedirect(params);
  const scope = await getScope(args);
  const { account, error } = await readAccount(scope);
  const passkey = scope.isPasskeyAuthenticated && account?.passkey_authenticated === true;
  if (passkey && account?.is_active) throw await replaceWith(args, redirect ?? paths.swap);
  return {
    redirect,
    message: parseMessage(params) === true,
    standing: toStanding(scope, account, passkey),
    email: account?.email ?? null,
    userError: error,
    codeSentTo: scope.getChallenge("email")?.identifier ?? null,
  };
}

export const shouldRevalidate = whenItMayHaveChanged;

export const action = siteAction(async (args): Promise<SignInResult | Response> => {
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  const form = await readForm(args.request);
  const scope = await getScope(args);
  const identifier = (form.identifier ?? "").trim();
  const onward = () => redirectTo(args, redirect ?? paths.swap);
  const here = () => replaceWith(args, paths.login({ redirect }));
  switch (form.intent) {
    case "send-code":
      return (await sendCode(scope, identifier)) ?? here();
    case "verify-code":
      return (await verifyCode(scope, form.code ?? "")) ?? here();
    case "other-address":
      await scope.setChallenge("email", null);
      return here();
    case "passkey-options":
      return startPasskeySignIn(scope, identifier);
    case "passkey-verify":
      return (await finishPasskeySignIn(scope, form.credential ?? "", "passkey")) ?? onward();
    case "autofill-options":
      return startPasskeyAutofill(scope);
    case "autofill-verify":
      return (await finishPasskeySignIn(scope, form.credential ?? "", "autofill")) ?? onward();
    case "registration-options":
      return startRegistration(scope, (await scope.getAccount())?.email ?? "");
    case "registration-verify":
      return (await finishRegistration(scope, form.credential ?? "")) ?? onward();
    default:
      throw new Response(null, { status: 400 });
  }
});

export const clientAction = changingEverything;

export const meta: MetaFunction = () => [
  { title: "Sign in · Antelope" },
  { name: "description", content: "Sign in to swap USDT and MOB: with a passkey, or with a code by e-mail." },
];

export default function Login() {
  const { redirect, message, standing, email, userError, codeSentTo } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const to = paths.login({ redirect });
  const adding = standing === "needs-passkey" ? email : null;
  return (
    <Doorway
      {...(adding
        ? { title: "One more step: a passkey", lede: "Your device's own lock instead of a password." }
        : {
            title: "Sign in",
            lede: codeSentTo ? "With the code that we sent you." : "With a passkey, or with a code by e-mail.",
          })}
      notes={
        <>
          {message ? (
            <Note title="Please sign in first">
              <p>The page you asked for holds your own account. Sign in with a passkey and we take you there.</p>
            </Note>
          ) : null}
          <AccountNotes standing={standing} userError={userError} email={email} />
        </>
      }
    >
      {adding ? (
        <AddPasskey action={to} email={adding} />
      ) : codeSentTo ? (
        <CodeForm action={to} email={codeSentTo} result={result} otherAddress="Use another address" />
      ) : (
        <SignInForm action={to} redirect={redirect} result={result} />
      )}
    </Doorway>
  );
}

/** A failure to fetch the account is told, not raised: signing in anew may be what mends it. */
async function readAccount(scope: RequestScope) {
  try {
    return { account: await scope.getAccount(), error: null };
  } catch (error) {
    return { account: null, error: toUserErrorText(error) };
  }
}

export type Standing = "signed-out" | "needs-passkey" | "inactive" | "blocked";

function toStanding(scope: RequestScope, account: { is_active: boolean } | null, passkey: boolean): Standing {
  if (!scope.isSignedIn) return "signed-out";
  if (account === null) return "blocked";
  if (!account.is_active) return "inactive";
  return passkey ? "signed-out" : "needs-passkey";
}

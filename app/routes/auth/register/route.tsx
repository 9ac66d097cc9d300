import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { FirstSwapSteps } from "~/components/first-swap/first-swap-steps";
import { AuthLayout } from "~/components/sign-in/auth-layout";
import { paths } from "~/lib/paths";
import { parseRedirect } from "~/lib/search-params";
import { invalidatesEverything } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { parseForm } from "~/session/parse-form.server";
import { redirectTo, replaceWith, whenDone } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { finishRegistration, sendCode, startRegistration } from "~/sign-in/sign-in.server";
import { registrationOptionsForm, registrationVerifyForm, toSignInErrors } from "~/sign-in/sign-in-forms.server";
import type { SignInRefused, SignInResult } from "~/sign-in/sign-in-result";
import { RegistrationForm } from "./registration-form";

// Signed-out visitors get this page from memory: server/public-page-request.server.ts.
/** Visitors who are already signed in go to /login, which redirects them or asks for a passkey. */
export async function loader(args: LoaderFunctionArgs) {
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  const scope = await getScope(args);
  const user = await scope.getUser().catch(() => null);
  if (user) throw await replaceWith(args, paths.login({ redirect }));
  return { redirect };
}

export const shouldRevalidate = revalidationPolicy;

const formSchema = z.discriminatedUnion("intent", [registrationOptionsForm, registrationVerifyForm]);

export const action = siteAction(async (args): Promise<SignInResult | Response> => {
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  const form = await parseForm(formSchema, args.request);
  if (!form.ok) return toSignInErrors(form);
  const { values } = form;
  const scope = await getScope(args);
  switch (values.intent) {
    case "registration-options":
      return startRegistration(scope, values.identifier);
    case "registration-verify":
      return whenDone(register(scope, values.credential, redirect), () => redirectTo(args, redirect ?? paths.swap));
  }
});

/**
 * On the way to a swap, the code that confirms the address is sent at once, so that /kyc asks for it. If it can't be
 * sent, /kyc offers to send one.
 */
async function register(
  scope: RequestScope,
  credential: string,
  redirect: string | null,
): Promise<SignInRefused | "done"> {
  const identifier = scope.getChallenge("registration")?.identifier;
  const result = await finishRegistration(scope, credential);
  if (result === "done" && identifier && redirect?.startsWith(paths.swap)) await sendCode(scope, identifier, "proof");
  return result;
}

export const clientAction = invalidatesEverything;

export const meta: MetaFunction = () => [
  { title: "Create an account · Antelope" },
  { name: "description", content: "Create an account with a passkey, without a password, and swap USDT and MOB." },
];

export default function Register() {
  const { redirect } = useLoaderData<typeof loader>();
  return (
    <AuthLayout
      title="Create an account"
      lede="No password needed: a passkey uses your device's screen lock."
      notes={<FirstSwapSteps now="account" />}
    >
      <RegistrationForm action={paths.register({ redirect })} redirect={redirect} />
    </AuthLayout>
  );
}

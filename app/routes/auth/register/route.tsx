import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Doorway } from "~/components/sign-in/doorway";
import { paths } from "~/lib/paths";
import { parseRedirect } from "~/lib/search-params";
import { changingEverything } from "~/session/client-cache";
import { redirectTo, replaceWith } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { finishRegistration, startRegistration } from "~/session/sign-in.server";
import type { SignInResult } from "~/session/sign-in-result";
import { readForm, siteAction } from "~/session/site-action.server";
import { RegistrationForm } from "./registration-form";

/** Who is signed in already is at /login in better hands: it sends on, or asks for a passkey. */
export async function loader(args: LoaderFunctionArgs) {
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  const scope = await getScope(args);
  const account = await scope.getAccount().catch(() => null);
  if (account) throw await replaceWith(args, paths.login({ redirect }));
  return { redirect };
}

export const shouldRevalidate = whenItMayHaveChanged;

export const action = siteAction(async (args): Promise<SignInResult | Response> => {
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  const form = await readForm(args.request);
  const scope = await getScope(args);
  switch (form.intent) {
    case "registration-options":
      return startRegistration(scope, (form.identifier ?? "").trim());
    case "registration-verify":
      return (await finishRegistration(scope, form.credential ?? "")) ?? redirectTo(args, redirect ?? paths.swap);
    default:
      throw new Response(null, { status: 400 });
  }
});

export const clientAction = changingEverything;

export const meta: MetaFunction = () => [
  { title: "Create an account · Antelope" },
  { name: "description", content: "Create an account with a passkey, your device's own lock, and swap USDT and MOB." },
];

export default function Register() {
  const { redirect } = useLoaderData<typeof loader>();
  return (
    <Doorway title="Create an account" lede="A passkey instead of a password: your device's own lock.">
      <RegistrationForm action={paths.registerTo({ redirect })} redirect={redirect} />
    </Doorway>
  );
}

import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, useLoaderData } from "@remix-run/react";
import { z } from "zod";
import { type FirstSwapStep, FirstSwapSteps } from "~/components/first-swap/first-swap-steps";
import { Page, Wide } from "~/components/shell/layouts";
import { CodeForm } from "~/components/sign-in/code-form";
import { lostCodeForm } from "~/components/sign-in/lost-code-form";
import { listOpenVersions } from "~/content/consent.server";
import { listCountries } from "~/lib/countries";
import type { Refused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { parseRedirect } from "~/lib/search-params";
import { useActionResult } from "~/loaded-data/use-action-result";
import { invalidatesEverything, loadOrKeep } from "~/query-cache/cached-loader";
import { clearQueryCache } from "~/query-cache/invalidation";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { requirePasskeyReturningToKyc } from "~/session/guards.server";
import { parseForm } from "~/session/parse-form.server";
import { replaceWith, unwrapOrThrow, whenDone } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { sendCode, verifyCode } from "~/sign-in/sign-in.server";
import { sendCodeForm, toSignInErrors, verifyCodeForm } from "~/sign-in/sign-in-forms.server";
import { text } from "~/styles/text.css";
import { Card } from "~/ui/card";
import { Stack } from "~/ui/layout";
import { LiveRegion } from "~/ui/live-region";
import { ConfirmEmail, WrongAddress } from "./confirm-email";
import { HowVerificationWorks } from "./how-verification-works";
import { KycForm } from "./kyc-form";
import { KycStatusNote } from "./kyc-status-note";
import { applicationFormSchema, submitApplication, toApplicationErrors } from "./submit-application.server";
import { useRefreshWhilePending } from "./use-refresh-while-pending";

const firstSwapSteps = {
  "confirm-email": "email",
  code: "email",
  apply: "identity",
  wait: "identity",
} as const satisfies Record<string, FirstSwapStep>;

/** R13. Once approved, redirects to the page the customer came from. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requirePasskeyReturningToKyc(args);
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  if (user.kyc_status === "approved" && redirect) throw await replaceWith(args, redirect);
  const scope = await getScope(args);
  // The exchange returns the application only after the e-mail address is confirmed.
  const kyc = user.email_verified
    ? await unwrapOrThrow(scope.api.getKyc())
    : { status: user.kyc_status, reasons: [], updated_at: null };
  // The decision may be made between the two reads.
  if (kyc.status === "approved" && redirect) throw await replaceWith(args, redirect);
  const mayApply = kyc.status !== "approved" && kyc.status !== "pending";
  return {
    redirect,
    kyc,
    email: user.email,
    step: !mayApply ? "wait" : user.email_verified ? "apply" : scope.getChallenge("proof") ? "code" : "confirm-email",
    codeResent: scope.getChallenge("proof")?.resent,
    countries: mayApply && user.email_verified ? listCountries() : [],
    versions: mayApply && user.email_verified ? listOpenVersions([]) : [],
  } as const;
}

const formSchema = z.discriminatedUnion("intent", [
  // The address is the account's own.
  sendCodeForm.omit({ identifier: true }),
  verifyCodeForm,
  applicationFormSchema,
]);

export const action = siteAction(async (args): Promise<Refused | Response> => {
  const user = await requirePasskeyReturningToKyc(args);
  const redirectBack = () =>
    replaceWith(args, paths.kyc({ redirect: parseRedirect(new URL(args.request.url).searchParams) }));
  const form = await parseForm(formSchema, args.request);
  if (!form.ok) return form.values.intent === "apply" ? toApplicationErrors(form) : toSignInErrors(form);
  const { values } = form;
  const scope = await getScope(args);
  switch (values.intent) {
    case "send-code":
      return whenDone(sendCode(scope, user.email, "proof"), redirectBack);
    case "verify-code":
      return whenDone(verifyCode(scope, values.code, "proof"), redirectBack);
    case "apply":
      return whenDone(submitApplication(scope, values), redirectBack);
  }
});

/**
 * The verification status may have changed since other pages cached it, so every load clears the cache, including what
 * the layout may have loaded just before the decision.
 */
export async function clientLoader(args: ClientLoaderFunctionArgs) {
  clearQueryCache();
  try {
    return await loadOrKeep("routes/kyc/route", args);
  } finally {
    clearQueryCache();
  }
}

export const shouldRevalidate = revalidationPolicy;

export const clientAction = invalidatesEverything;

export const meta: MetaFunction = () => [{ title: "Verification · Antelope" }];

/** The key clears the form if the account changes while the page is shown: in another tab, for example. */
export default function Kyc() {
  return <Verification key={useLoaderData<typeof loader>().email} />;
}

function Verification() {
  const { redirect, kyc, step } = useLoaderData<typeof loader>();
  useRefreshWhilePending(kyc.status);
  const approved = kyc.status === "approved";
  return (
    <Page
      title="Verification"
      lede={
        approved ? undefined : "We verify everyone who swaps here. It usually takes a minute, and you only do it once."
      }
    >
      {approved ? null : <FirstSwapSteps now={firstSwapSteps[step]} />}
      <Wide>
        <Stack gap={4}>
          <LiveRegion visible>
            {step === "wait" ? (
              <Card roomy>
                <KycStatusNote kyc={kyc} redirect={redirect} />
              </Card>
            ) : (
              <KycStatusNote kyc={kyc} redirect={redirect} />
            )}
          </LiveRegion>
          {step === "wait" ? null : <Card roomy>{step === "apply" ? <Application /> : <EmailCheck />}</Card>}
        </Stack>
        <HowVerificationWorks />
      </Wide>
    </Page>
  );
}

/** With a result of its own, because the address may be confirmed while this is shown: in another tab, for example. */
function EmailCheck() {
  const { redirect, email, step, codeResent } = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>(lostCodeForm);
  const form = { action: paths.kyc({ redirect }), email, result };
  return (
    <Stack gap={4}>
      <h2 className={text.heading}>First, confirm your e-mail address</h2>
      {step === "confirm-email" ? <ConfirmEmail {...form} /> : <CodeForm {...form} resent={codeResent} />}
      <WrongAddress />
    </Stack>
  );
}

function Application() {
  const { redirect, kyc, email, countries, versions } = useLoaderData<typeof loader>();
  return (
    <KycForm
      action={paths.kyc({ redirect })}
      email={email}
      countries={countries}
      versions={versions}
      reapplying={kyc.status !== "not_started"}
      result={useActionResult<typeof action>()}
    />
  );
}

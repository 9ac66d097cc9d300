import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { type ClientLoaderFunctionArgs, useActionData, useLoaderData } from "@remix-run/react";
import { GrazingAntelope } from "~/components/brand/grazing-antelope";
import { LeapingAntelope } from "~/components/brand/leaping-antelope";
import { Page, Wide } from "~/components/shell/arrangements";
import { CodeForm } from "~/components/sign-in/code-form";
import { listCountries } from "~/lib/countries";
import { paths } from "~/lib/paths";
import { parseRedirect } from "~/lib/search-params";
import { emptyQueryCache } from "~/session/cache-registry";
import { changingEverything } from "~/session/client-cache";
import { requirePasskeyForKyc } from "~/session/guards.server";
import { orRaise, replaceWith } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { whenItMayHaveChanged } from "~/session/should-revalidate";
import { sendCode, verifyCode } from "~/session/sign-in.server";
import { readForm, siteAction } from "~/session/site-action.server";
import { Card } from "~/ui/card";
import { Row, Stack } from "~/ui/layout";
import { apply, type KycFormResult } from "./apply.server";
import { KycForm } from "./kyc-form";
import { KycStatusNote } from "./kyc-status-note";
import { ProveEmail } from "./prove-email";
import { WhatHappens } from "./what-happens";

/** R13. Who is approved and was on the way somewhere goes there. */
export async function loader(args: LoaderFunctionArgs) {
  const user = await requirePasskeyForKyc(args);
  const redirect = parseRedirect(new URL(args.request.url).searchParams);
  if (user.kyc_status === "approved" && redirect) throw await replaceWith(args, redirect);
  const scope = await getScope(args);
  // The exchange tells of applications only to whoever has proven their address.
  const kyc = user.email_verified
    ? await orRaise(scope.api.getKyc())
    : { status: user.kyc_status, reasons: [], updated_at: null };
  const mayApply = kyc.status !== "approved" && kyc.status !== "pending";
  return {
    redirect,
    kyc,
    email: user.email,
    step: !mayApply ? "wait" : user.email_verified ? "apply" : scope.getChallenge("proof") ? "code" : "prove",
    countries: mayApply && user.email_verified ? listCountries() : [],
  } as const;
}

export const action = siteAction(async (args): Promise<KycFormResult | Response> => {
  const user = await requirePasskeyForKyc(args);
  const here = () => replaceWith(args, paths.kyc({ redirect: parseRedirect(new URL(args.request.url).searchParams) }));
  const form = await readForm(args.request);
  const scope = await getScope(args);
  switch (form.intent) {
    // The address is the account's own, whatever the form says.
    case "send-code":
      return (await sendCode(scope, user.email, "proof")) ?? here();
    case "verify-code":
      return (await verifyCode(scope, form.code ?? "", "proof")) ?? here();
    case "apply":
      return (await apply(scope, form)) ?? here();
    default:
      throw new Response(null, { status: 400 });
  }
});

/** Asked while a reviewer decides: what other pages know of this person may be old with every answer. */
export async function clientLoader({ serverLoader }: ClientLoaderFunctionArgs) {
  emptyQueryCache();
  return serverLoader<typeof loader>();
}

export const shouldRevalidate = whenItMayHaveChanged;

export const clientAction = changingEverything;

export const meta: MetaFunction = () => [{ title: "Verification · Antelope" }];

export default function Kyc() {
  const { redirect, kyc, email, step, countries } = useLoaderData<typeof loader>();
  const result = useActionData<typeof action>();
  const to = paths.kyc({ redirect });
  return (
    <Page title="Verification" lede="Who swaps here is known to us by name. It takes a minute, once.">
      <Wide>
        {step === "wait" ? (
          <Card roomy>
            <Stack gap={6}>
              <Row justify="center">{kyc.status === "approved" ? <LeapingAntelope /> : <GrazingAntelope />}</Row>
              <KycStatusNote kyc={kyc} redirect={redirect} />
            </Stack>
          </Card>
        ) : (
          <Stack gap={4}>
            <KycStatusNote kyc={kyc} redirect={redirect} />
            <Card roomy>
              {step === "prove" ? <ProveEmail action={to} email={email} result={result} /> : null}
              {step === "code" ? <CodeForm action={to} email={email} result={result} /> : null}
              {step === "apply" ? (
                <KycForm action={to} countries={countries} again={kyc.status !== "not_started"} result={result} />
              ) : null}
            </Card>
          </Stack>
        )}
        <WhatHappens step={kyc.status === "approved" ? null : step} />
      </Wide>
    </Page>
  );
}

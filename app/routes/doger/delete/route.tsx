import type { LoaderFunctionArgs, MetaFunction } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { Page, Wide } from "~/components/shell/layouts";
import { useActionResult } from "~/loaded-data/use-action-result";
import { invalidatesEverything, uncachedLoader } from "~/query-cache/cached-loader";
import { revalidationPolicy } from "~/query-cache/revalidation-policy";
import { requirePasskey } from "~/session/guards.server";
import { unwrapOrThrow } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { action } from "./action.server";
import { Consequences } from "./consequences";
import { DeletionBlockersNote } from "./deletion-blockers-note";
import { DeletionForm } from "./deletion-form";

/** The consequences of deleting the account, then the form that deletes it. */
export async function loader(args: LoaderFunctionArgs) {
  const { email, email_verified } = await requirePasskey(args, { message: true });
  const scope = await getScope(args);
  return {
    email,
    canUseCode: email_verified,
    codeSent: scope.getChallenge("proof") !== null,
    deletion: await unwrapOrThrow(scope.api.getDeletion()),
  };
}

export { action };

export const clientLoader = uncachedLoader("routes/doger/delete/route");

export const shouldRevalidate = revalidationPolicy;

export const clientAction = invalidatesEverything;

export const meta: MetaFunction = () => [{ title: "Delete your account · Antelope" }];

export default function DeleteAccount() {
  const { email, canUseCode, codeSent, deletion } = useLoaderData<typeof loader>();
  const result = useActionResult<typeof action>();
  return (
    <Page title="Delete your account" lede="This can't be undone, not even by us.">
      <Wide>
        <Consequences deletion={deletion} />
        {deletion.obstacles.length > 0 ? (
          <DeletionBlockersNote obstacles={deletion.obstacles} />
        ) : (
          <DeletionForm email={email} canUseCode={canUseCode} codeSent={codeSent} result={result} />
        )}
      </Wide>
    </Page>
  );
}

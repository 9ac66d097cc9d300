import type { LoaderFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { requirePasskey } from "~/session/guards.server";
import { requireForm } from "~/session/parse-form.server";
import { unwrapOrThrow, withSessionCookies } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";

const field = z.string().min(1).max(1_000);

/** A browser's push subscription. The exchange checks it. */
export const subscriptionForm = z.object({ endpoint: field, p256dh: field, auth: field });

/** The key with which this browser subscribes to notifications (browser/push.ts). */
export async function loader(args: LoaderFunctionArgs) {
  await requirePasskey(args);
  const { public_key: publicKey } = await unwrapOrThrow((await getScope(args)).api.getPushKey());
  return withSessionCookies(args, Response.json({ publicKey }));
}

/** Stores this browser's subscription, so that it is notified about the customer's swaps. */
export const action = siteAction(async (args) => {
  await requirePasskey(args);
  const { endpoint, ...keys } = await requireForm(subscriptionForm, args.request);
  await unwrapOrThrow((await getScope(args)).api.addPushSubscription({ endpoint, keys }));
  return withSessionCookies(args, new Response(null, { status: 204 }));
});

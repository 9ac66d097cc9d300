import type { ActionFunctionArgs } from "@remix-run/node";
import type { DecisionRequest } from "~/api/contract";
import { ApiError, isApiError } from "~/api/errors";
import { type AddressType, assets } from "~/lib/assets";
import { errorTexts } from "~/lib/error-catalogue";
import { paths } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { requireApprovedUser, requirePasskey, toWantedPath } from "~/session/guards.server";
import { orRaise, redirectTo, replaceWith } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { readForm, siteAction } from "~/session/site-action.server";
import { parseQuoteId } from "./load.server";

export type QuoteResult = {
  /** What was refused, in words. */
  error: string;
  /** Beside the choice it is about. */
  fields?: { delivery?: string | undefined; refund?: string | undefined };
  chosen?: { delivery: string | null; refund: string | null };
};

type Form = Record<string, string>;

/** Everything that can be asked for on a quote's or an order's screen. */
export const quoteAction = siteAction(async (args): Promise<QuoteResult | Response> => {
  await requirePasskey(args);
  const id = parseQuoteId(args.params.quoteId);
  const form = await readForm(args.request);
  switch (form.intent) {
    case "lock":
      return lock(args, id, form);
    case "fresh":
      return askAgain(args, id, form);
    case "add-delivery":
    case "add-refund":
      return goAddAddress(args, id, form);
    case "accept":
    case "requote":
    case "refund":
      return decide(args, form);
    case "cancel":
      return change(args, async () => (await getScope(args)).api.cancelOrder(form.order ?? ""));
    default:
      throw new Response(null, { status: 400 });
  }
});

/** Rights are looked at again: a price may be locked by who is active and approved. */
async function lock(args: ActionFunctionArgs, id: number, form: Form): Promise<QuoteResult | Response> {
  await requireApprovedUser(args);
  const chosen = { delivery: form.delivery ?? null, refund: form.refund ?? null };
  const fields = {
    ...(chosen.delivery ? {} : { delivery: "Choose where it goes." }),
    ...(chosen.refund ? {} : { refund: "Choose where it comes back to." }),
  };
  if (!chosen.delivery || !chosen.refund) {
    return { error: "An address is missing. The price still holds.", fields, chosen };
  }
  const request = { delivery_address_id: chosen.delivery, refund_address_id: chosen.refund };
  try {
    await (await getScope(args)).api.lockQuote(id, request, form.key ?? "");
  } catch (error) {
    // Sent twice: the other one was faster, and there is one order.
    const isDone = isApiError(error) && (error.code === "quote_locked" || error.code === "idempotency_key_reused");
    if (!isDone) return refusal(error, chosen);
  }
  return replaceWith(args, paths.quote(id));
}

/** The same swap at the price of now. */
async function askAgain(args: ActionFunctionArgs, id: number, form: Form): Promise<QuoteResult | Response> {
  await requireApprovedUser(args);
  const { api } = await getScope(args);
  const old = await orRaise(api.getQuote(id));
  try {
    const quote = await api.createQuote({
      source_asset_symbol: old.source_asset_symbol,
      target_asset_symbol: old.target_asset_symbol,
      source_amount: old.source_amount,
    });
    return await replaceWith(
      args,
      toQuotePath(quote, { delivery: form.delivery ?? null, refund: form.refund ?? null }),
    );
  } catch (error) {
    return refusal(error);
  }
}

async function goAddAddress(args: ActionFunctionArgs, id: number, form: Form): Promise<Response> {
  const quote = await orRaise((await getScope(args)).api.getQuote(id));
  const adds = form.intent === "add-delivery" ? "delivery" : "refund";
  const kept = { delivery: form.delivery ?? null, refund: form.refund ?? null, [adds]: null };
  const asset = adds === "delivery" ? quote.target_asset_symbol : quote.source_asset_symbol;
  const addressType: AddressType = assets[asset].addressType;
  return redirectTo(args, paths.addDeliveryAddress({ addressType, redirect: toQuotePath(quote, kept) }));
}

function decide(args: ActionFunctionArgs, form: Form): Promise<QuoteResult | Response> {
  return change(args, async () => {
    const { api } = await getScope(args);
    return api.decideOrder(form.order ?? "", toDecision(form));
  });
}

function toDecision({ intent, offer }: Form): DecisionRequest {
  if (intent === "requote") return { choice: "requote", quote_id: parseQuoteId(offer) };
  return { choice: intent === "accept" ? "accept" : "refund" };
}

/** Back to the same page, which then shows what became of it. */
async function change(args: ActionFunctionArgs, call: () => Promise<unknown>): Promise<QuoteResult | Response> {
  try {
    await call();
  } catch (error) {
    return refusal(error);
  }
  return replaceWith(args, toWantedPath(args.request));
}

function refusal(error: unknown, chosen?: QuoteResult["chosen"]): QuoteResult {
  if (!(error instanceof ApiError)) throw error;
  const { delivery_address_id: delivery, refund_address_id: refund } = error.fields;
  return {
    error: error.detailMessage ?? errorTexts.unknown,
    ...(delivery || refund ? { fields: { delivery, refund } } : {}),
    ...(chosen ? { chosen } : {}),
  };
}

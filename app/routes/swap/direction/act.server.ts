import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import type { QuoteRequest } from "~/api/contract";
import { ApiError } from "~/api/errors";
import { readAmountInput } from "~/lib/amount-input";
import { type AssetSymbol, assets, otherAsset } from "~/lib/assets";
import { errorTexts } from "~/lib/error-catalogue";
import { readLocale } from "~/lib/locale";
import { paths } from "~/lib/paths";
import type { Side } from "~/lib/price";
import { toQuotePath } from "~/lib/quote-path";
import { requireApprovedUser } from "~/session/guards.server";
import { requireForm } from "~/session/parse-form.server";
import { redirectTo } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { swapFields, type TypedSwap, toDirectionPath, toTypedSwap } from "./typed-swap.server";

export type DirectionResult = {
  typed: { side: Side; text: string };
  /** Shown at the field that the visitor typed in. */
  fieldError?: string;
  /** Shown above the form. */
  error?: string;
};

const formSchema = z.discriminatedUnion("intent", [
  swapFields.extend({ intent: z.literal("quote") }),
  swapFields.extend({ intent: z.literal("add-delivery") }),
  swapFields.extend({ intent: z.literal("add-refund") }),
]);

/** `quote` requests a binding price. `add-delivery` and `add-refund` redirect to the form for a new address, which returns here. */
export function createDirectionAction(source: AssetSymbol) {
  return siteAction(async (args): Promise<DirectionResult | Response> => {
    await requireApprovedUser(args);
    const form = await requireForm(formSchema, args.request);
    const typed = toTypedSwap(form);
    switch (form.intent) {
      case "quote":
        return requestQuote(args, source, typed);
      case "add-delivery":
        return redirectToAddAddress(args, source, { ...typed, delivery: null }, assets[otherAsset(source)].addressType);
      case "add-refund":
        return redirectToAddAddress(args, source, { ...typed, refund: null }, assets[source].addressType);
    }
  });
}

async function requestQuote(
  args: ActionFunctionArgs,
  source: AssetSymbol,
  { side, text, delivery, refund }: TypedSwap,
): Promise<DirectionResult | Response> {
  const typed = { side, text };
  const target = otherAsset(source);
  const input = readAmountInput(text, side === "source" ? source : target, readLocale(args.request.headers).numbers);
  if (input.kind === "empty") return { typed, fieldError: "Enter an amount." };
  if (input.kind === "invalid") return { typed, fieldError: input.message };
  const request: QuoteRequest = {
    source_asset_symbol: source,
    target_asset_symbol: target,
    ...(side === "source" ? { source_amount: input.text } : { target_amount: input.text }),
  };
  try {
    const quote = await (await getScope(args)).api.createQuote(request);
    return await redirectTo(args, toQuotePath(quote, { delivery, refund }));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const message = error.fields[`${side}_amount`] ?? error.detailMessage ?? errorTexts.unknown;
    return error.code.startsWith("amount_") ? { typed, fieldError: message } : { typed, error: message };
  }
}

async function redirectToAddAddress(
  args: ActionFunctionArgs,
  source: AssetSymbol,
  typed: TypedSwap,
  addressType: "MOB" | "ETH",
): Promise<Response> {
  const { numbers } = readLocale(args.request.headers);
  const back = toDirectionPath(paths.direction(source), typed, source, numbers);
  return redirectTo(args, paths.addDeliveryAddress({ addressType, redirect: back }));
}

import type { ActionFunctionArgs } from "@remix-run/node";
import type { QuoteRequest } from "~/api/contract";
import { ApiError } from "~/api/errors";
import { readAmountInput } from "~/lib/amount-input";
import { type AssetSymbol, assets, otherAsset } from "~/lib/assets";
import { errorTexts } from "~/lib/error-catalogue";
import type { Side } from "~/lib/indicative-price";
import { readLocale } from "~/lib/locale";
import { paths } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { requireApprovedUser } from "~/session/guards.server";
import { redirectTo } from "~/session/responses.server";
import { getScope } from "~/session/scope.server";
import { readForm, siteAction } from "~/session/site-action.server";
import { readTypedForm, type TypedSwap, toDirectionPath } from "./typed-swap.server";

export type DirectionResult = {
  typed: { side: Side; text: string };
  /** Beside the field that was typed in. */
  fieldError?: string;
  /** About the whole. */
  error?: string;
};

/** `intent=quote` asks for a binding price; `add-delivery` and `add-refund` make a detour that loses nothing. */
export function createDirectionAction(source: AssetSymbol) {
  return siteAction(async (args): Promise<DirectionResult | Response> => {
    await requireApprovedUser(args);
    const form = await readForm(args.request);
    const typed = readTypedForm(form);
    switch (form.intent) {
      case "quote":
        return askForQuote(args, source, typed);
      case "add-delivery":
        return goAddAddress(args, source, { ...typed, delivery: null }, assets[otherAsset(source)].addressType);
      case "add-refund":
        return goAddAddress(args, source, { ...typed, refund: null }, assets[source].addressType);
      default:
        throw new Response(null, { status: 400 });
    }
  });
}

async function askForQuote(
  args: ActionFunctionArgs,
  source: AssetSymbol,
  { side, text, delivery, refund }: TypedSwap,
): Promise<DirectionResult | Response> {
  const typed = { side, text };
  const target = otherAsset(source);
  const input = readAmountInput(text, side === "source" ? source : target, readLocale(args.request.headers).numbers);
  if (input.kind === "empty") return { typed, fieldError: "Write how much." };
  if (input.kind === "wrong") return { typed, fieldError: input.message };
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
    const words = error.fields[`${side}_amount`] ?? error.detailMessage ?? errorTexts.unknown;
    return error.code.startsWith("amount_") ? { typed, fieldError: words } : { typed, error: words };
  }
}

async function goAddAddress(
  args: ActionFunctionArgs,
  source: AssetSymbol,
  typed: TypedSwap,
  addressType: "MOB" | "ETH",
): Promise<Response> {
  const { numbers } = readLocale(args.request.headers);
  const back = toDirectionPath(paths.direction(source), typed, source, numbers);
  return redirectTo(args, paths.addDeliveryAddress({ addressType, redirect: back }));
}

import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import type { EnsName, QuoteRequest } from "~/api/contract";
import { toErrorText } from "~/api/errors";
import { readAmountInput, toAmountParam } from "~/lib/amount-input";
import { type AddressType, type AssetSymbol, assets, otherAsset } from "~/lib/assets";
import { paths } from "~/lib/paths";
import type { Typed } from "~/lib/price";
import { toQuotePath } from "~/lib/quote-path";
import { readLocale } from "~/lib/read-locale.server";
import { requireApprovedUser } from "~/session/guards.server";
import { requireForm } from "~/session/parse-form.server";
import { redirectTo, toRefusal } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import type { AddressName } from "~/swaps/saved-address";
import { findTypedName } from "../address-entry/typed-address.server";
import { swapFields, toTypedSwap } from "./typed-swap.server";

export type DirectionResult = {
  typed: Typed;
  /** The IDs of the saved addresses that were chosen. */
  chosen: Record<AddressName, string | null>;
  /** Shown at the field that the visitor typed in. */
  fieldError?: string;
  /** Shown above the form. */
  error?: string;
  hint?: string;
  /** The addresses that were typed, what is wrong with them, and the names that they were typed as. */
  addresses: Record<AddressName, { typed: string; error: string | undefined; resolved?: EnsName | undefined }>;
};

const formSchema = z.discriminatedUnion("intent", [
  swapFields.extend({ intent: z.literal("quote") }),
  swapFields.extend({ intent: z.literal("add-delivery") }),
  swapFields.extend({ intent: z.literal("add-refund") }),
]);

/**
 * `quote` saves the addresses that were typed and requests a binding price. `add-delivery` and `add-refund` save the
 * other address if it was typed, and redirect to the form for a new one, which returns here.
 */
export function createDirectionAction(source: AssetSymbol) {
  return siteAction(async (args): Promise<DirectionResult | Response> => {
    const form = await requireForm(formSchema, args.request);
    await requireApprovedUser(args, toTypedPath(source, form, args.request));
    switch (form.intent) {
      case "quote":
        return requestQuote(args, source, form);
      case "add-delivery":
        return redirectToAddAddress(args, source, form, { added: "delivery", other: "refund" });
      case "add-refund":
        return redirectToAddAddress(args, source, form, { added: "refund", other: "delivery" });
    }
  });
}

type SwapForm = z.output<typeof swapFields>;

/** The form with the amount and the saved addresses that were chosen. Typed addresses must not be in a URL. */
function toTypedPath(source: AssetSymbol, form: SwapForm, { headers }: Request): string {
  const { side, text, delivery, refund } = toTypedSwap(form);
  const amount = toAmountParam(text, side === "source" ? source : otherAsset(source), readLocale(headers).numbers);
  return paths.direction(source, { amount, side: side === "target" ? side : null, delivery, refund });
}

/** The form as it was sent. */
function toSentForm(form: SwapForm): DirectionResult {
  const { side, text, delivery, refund } = toTypedSwap(form);
  return {
    typed: { side, text },
    chosen: { delivery, refund },
    addresses: { delivery: toAddressEntry({}, form.new_delivery), refund: toAddressEntry({}, form.new_refund) },
  };
}

async function requestQuote(
  args: ActionFunctionArgs,
  source: AssetSymbol,
  form: SwapForm,
): Promise<DirectionResult | Response> {
  const { side, text } = toTypedSwap(form);
  const sent = toSentForm(form);
  const target = otherAsset(source);
  const input = readAmountInput(text, side === "source" ? source : target, readLocale(args.request.headers).numbers);
  if (input.kind === "empty") return { ...sent, fieldError: "Enter an amount." };
  if (input.kind === "invalid") return { ...sent, fieldError: input.message };
  const { api } = await getScope(args);
  const [delivery, refund] = await Promise.all([
    toSavedId(api, { id: form.delivery, address: form.new_delivery, type: assets[target].addressType }),
    toSavedId(api, { id: form.refund, address: form.new_refund, type: assets[source].addressType }),
  ]);
  // Addresses that were saved before the error stay selected.
  const refused = { ...sent, chosen: { delivery: delivery.id, refund: refund.id } };
  if (delivery.error || refund.error || delivery.resolved || refund.resolved) {
    const addresses = {
      delivery: toAddressEntry(delivery, form.new_delivery),
      refund: toAddressEntry(refund, form.new_refund),
    };
    return { ...refused, addresses };
  }
  const request: QuoteRequest = {
    source_asset_symbol: source,
    target_asset_symbol: target,
    ...(side === "source" ? { source_amount: input.text } : { target_amount: input.text }),
  };
  try {
    const quote = await api.createQuote(request);
    return await redirectTo(args, toQuotePath(quote, { delivery: delivery.id, refund: refund.id }));
  } catch (error) {
    const refusal = toRefusal(error);
    const message = refusal.fields[`${side}_amount`] ?? toErrorText(refusal);
    if (refusal.code.startsWith("amount_")) return { ...refused, fieldError: message };
    const hint = "No swap was created and no money has moved. Your amounts are still here.";
    return { ...refused, error: message, hint };
  }
}

type EnteredAddress = { id: string | null; address: string | undefined; type: AddressType };

type SavedId = { id: string | null; error?: string; resolved?: EnsName };

/**
 * The ID of the chosen address, or of the typed one, which it saves. The error is for the field, if the form has one. A
 * name is looked up and not saved: the visitor sees its address first.
 */
async function toSavedId(api: RequestScope["api"], { id, address, type }: EnteredAddress): Promise<SavedId> {
  if (id !== null || address === undefined) return { id };
  if (address === "") return { id: null, error: "Enter an address." };
  const found = await findTypedName(api, type, address);
  if (found) return { id: null, ...found };
  try {
    return { id: (await api.addAddress({ type, address, label: "" })).id };
  } catch (error) {
    const refusal = toRefusal(error);
    return { id: null, error: refusal.fields.address ?? toErrorText(refusal) };
  }
}

function toAddressEntry({ error, resolved }: Partial<SavedId>, typed = "") {
  return { typed: resolved?.address ?? typed, error, resolved };
}

async function redirectToAddAddress(
  args: ActionFunctionArgs,
  source: AssetSymbol,
  form: SwapForm,
  { added, other }: Record<"added" | "other", AddressName>,
): Promise<DirectionResult | Response> {
  const types = { delivery: assets[otherAsset(source)].addressType, refund: assets[source].addressType };
  const typed = form[`new_${other}`] || undefined;
  const { api } = await getScope(args);
  const saved = await toSavedId(api, { id: form[other], address: typed, type: types[other] });
  if (saved.error || saved.resolved) {
    const sent = toSentForm(form);
    return { ...sent, addresses: { ...sent.addresses, [other]: toAddressEntry(saved, typed) } };
  }
  const back = toTypedPath(source, { ...form, [added]: null, [other]: saved.id }, args.request);
  return redirectTo(args, paths.addDeliveryAddress({ addressType: types[added], redirect: back }));
}

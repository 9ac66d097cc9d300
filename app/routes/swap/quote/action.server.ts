import type { ActionFunctionArgs } from "@remix-run/node";
import { z } from "zod";
import { type DecisionRequest, quoteIdText } from "~/api/contract";
import { isApiError, toErrorText } from "~/api/errors";
import { getConfig } from "~/config/config.server";
import { assets } from "~/lib/assets";
import type { Refused } from "~/lib/form-result";
import { paths } from "~/lib/paths";
import { toQuotePath } from "~/lib/quote-path";
import { requireApprovedUser, requirePasskey, toRequestedPath } from "~/session/guards.server";
import { requireForm } from "~/session/parse-form.server";
import { redirectTo, replaceWith, toRefusal } from "~/session/responses.server";
import { getScope, type RequestScope } from "~/session/scope.server";
import { siteAction } from "~/session/site-action.server";
import { type AddressName, toShortAddress } from "~/swaps/saved-address";
import { addressId } from "../address-entry/typed-search.server";
import { parseQuoteId } from "./loader.server";

/** `fields` has messages to show beside the address choices. */
export type QuoteRefusal = Refused & { chosen?: Addresses };

/** `link`: a new tracking link, which only this result contains. */
export type QuoteResult = QuoteRefusal | { kind: "shared"; link: string };

const addresses = { delivery: addressId, refund: addressId };
const order = z.string().min(1).max(64);
/** Sent in a header, which can't contain other characters. */
const key = z.string().regex(/^[\x21-\x7e]{1,200}$/);

const formSchema = z.discriminatedUnion("intent", [
  z.object({ intent: z.literal("lock"), ...addresses, key }),
  z.object({ intent: z.literal("renew"), ...addresses }),
  // The former name of "renew", for pages that were opened before it changed, and for other clients.
  z.object({ intent: z.literal("fresh"), ...addresses }),
  z.object({ intent: z.literal("add-delivery"), ...addresses }),
  z.object({ intent: z.literal("add-refund"), ...addresses }),
  z.object({ intent: z.literal("change-amount"), ...addresses }),
  z.object({ intent: z.literal("accept"), order }),
  z.object({ intent: z.literal("requote"), order, offer: quoteIdText }),
  z.object({ intent: z.literal("refund"), order }),
  z.object({ intent: z.literal("cancel"), order }),
  z.object({ intent: z.literal("share"), order }),
  z.object({ intent: z.literal("unshare"), order }),
]);
type QuoteForm = z.output<typeof formSchema>;
type LockForm = Extract<QuoteForm, { intent: "lock" }>;
type Addresses = Pick<LockForm, AddressName>;
type DecisionForm = Extract<QuoteForm, { intent: "accept" | "requote" | "refund" }>;

/** Every action of the quote and the order screen. */
export const action = siteAction(async (args): Promise<QuoteResult | Response> => {
  await requirePasskey(args);
  const id = parseQuoteId(args.params.quoteId);
  const form = await requireForm(formSchema, args.request);
  switch (form.intent) {
    case "lock":
      return lock(args, id, form);
    case "renew":
    case "fresh":
      return renewQuote(args, id, form);
    case "add-delivery":
      return redirectToAddAddress(args, id, "delivery", form);
    case "add-refund":
      return redirectToAddAddress(args, id, "refund", form);
    case "change-amount":
      return redirectToSwapForm(args, id, form);
    case "accept":
    case "requote":
    case "refund":
      return change(args, (api) => api.decideOrder(form.order, toDecision(form)));
    case "cancel":
      return change(args, (api) => api.cancelOrder(form.order));
    case "share":
      return share(args, form.order);
    case "unshare":
      return change(args, (api) => api.revokeTrackingLink(form.order));
  }
});

/** The account is checked again: it may have been deactivated, or its approval withdrawn, since the page was loaded. */
async function lock(args: ActionFunctionArgs, id: number, form: LockForm): Promise<QuoteResult | Response> {
  await requireApprovedUser(args);
  const chosen = { delivery: form.delivery, refund: form.refund };
  if (!chosen.delivery || !chosen.refund) {
    const fields = {
      ...(chosen.delivery ? {} : { delivery: "Choose an address." }),
      ...(chosen.refund ? {} : { refund: "Choose a refund address." }),
    };
    return { kind: "refused", error: "An address is missing. The price is still valid.", fields, chosen };
  }
  const request = { delivery_address_id: chosen.delivery, refund_address_id: chosen.refund };
  try {
    await (await getScope(args)).api.lockQuote(id, request, form.key);
  } catch (error) {
    // Another request has created the order: the same form was submitted twice, or another tab sent it.
    const isDone = isApiError(error) && (error.code === "quote_locked" || error.code === "idempotency_key_reused");
    if (!isDone) return toRefusedResult(error, chosen);
    const difference = await findDifference(await getScope(args), id, chosen);
    if (difference !== null) return { kind: "refused", error: difference };
  }
  return replaceWith(args, await toOrderPath(await getScope(args), id));
}

/** The complete URL of the order's page, which saves the redirect to it. The price is locked even if this call fails. */
function toOrderPath({ api }: RequestScope, quoteId: number): Promise<string> {
  return api.getQuote(quoteId).then(toQuotePath, () => paths.quote(quoteId));
}

/** How the order of a quote differs from the addresses chosen here. Null if it does not. */
async function findDifference({ api }: RequestScope, quoteId: number, chosen: Addresses): Promise<string | null> {
  const [order, saved] = await Promise.all([api.getOrderByQuote(quoteId), api.listAddresses()]);
  const isChosen = (id: string | null, address: string) => saved.find((one) => one.id === id)?.address === address;
  if (!order) return null;
  const { delivery_address: payout, refund_address: refund } = order;
  if (isChosen(chosen.delivery, payout) && isChosen(chosen.refund, refund)) return null;
  return `This price was already locked with different addresses: we pay out to ${toShortAddress(payout)}, and refund to ${toShortAddress(refund)}. Check them in “Swap details”. To use others, cancel this swap before you pay.`;
}

/**
 * A new quote for the same amount. Its page shows how the price has changed. If the quote was locked, in another tab or
 * by a request whose response was lost, the page shows its order instead: a new price would lead to a second one.
 */
async function renewQuote(
  args: ActionFunctionArgs,
  id: number,
  { delivery, refund }: Addresses,
): Promise<QuoteResult | Response> {
  await requireApprovedUser(args);
  const { api } = await getScope(args);
  const old = await api.getQuote(id);
  if (old.locked_at !== null) return replaceWith(args, toQuotePath(old));
  try {
    const quote = await api.createQuote({
      source_asset_symbol: old.source_asset_symbol,
      target_asset_symbol: old.target_asset_symbol,
      source_amount: old.source_amount,
    });
    return await replaceWith(args, toQuotePath(quote, { delivery, refund, renews: id }));
  } catch (error) {
    return toRefusedResult(error, { delivery, refund });
  }
}

/** The return URL leaves out the choice to be replaced, so that the new address is chosen. */
async function redirectToAddAddress(
  args: ActionFunctionArgs,
  id: number,
  added: AddressName,
  { delivery, refund }: Addresses,
): Promise<Response> {
  const quote = await (await getScope(args)).api.getQuote(id);
  const { addressType } = assets[added === "delivery" ? quote.target_asset_symbol : quote.source_asset_symbol];
  const back = toQuotePath(quote, { delivery, refund, [added]: null });
  return redirectTo(args, paths.addDeliveryAddress({ addressType, redirect: back }));
}

/** Returns to the swap form with the amount and the addresses chosen on this page, which a link would not contain. */
async function redirectToSwapForm(
  args: ActionFunctionArgs,
  id: number,
  { delivery, refund }: Addresses,
): Promise<Response> {
  const { source_asset_symbol, source_amount: amount } = await (await getScope(args)).api.getQuote(id);
  return redirectTo(args, paths.direction(source_asset_symbol, { amount, delivery, refund }));
}

function toDecision(form: DecisionForm): DecisionRequest {
  if (form.intent === "requote") return { choice: "requote", quote_id: form.offer };
  return { choice: form.intent };
}

/** Shown once: the exchange stores only a hash of the link's token. */
async function share(args: ActionFunctionArgs, orderId: string): Promise<QuoteResult> {
  try {
    const token = await (await getScope(args)).api.createTrackingLink(orderId);
    return { kind: "shared", link: getConfig().origin + paths.track(token) };
  } catch (error) {
    return toRefusedResult(error);
  }
}

/** Changes the order and redirects to its page. */
async function change(
  args: ActionFunctionArgs,
  call: (api: RequestScope["api"]) => Promise<unknown>,
): Promise<QuoteResult | Response> {
  const { api } = await getScope(args);
  try {
    await call(api);
  } catch (error) {
    return toRefusedResult(error);
  }
  return replaceWith(args, toRequestedPath(args.request));
}

/** The exchange's refusal as the result of the action; other errors are thrown again. */
function toRefusedResult(error: unknown, chosen?: Addresses): QuoteRefusal {
  const refusal = toRefusal(error);
  const { delivery_address_id: delivery, refund_address_id: refund } = refusal.fields;
  const fields = { ...(delivery && { delivery }), ...(refund && { refund }) };
  return { kind: "refused", error: toErrorText(refusal), fields, ...(chosen && { chosen }) };
}

import { readAmountInput } from "~/lib/amount-input";
import type { AssetSymbol } from "~/lib/assets";
import { assets, otherAsset } from "~/lib/assets";
import { type Direction, limitsInSource, type PublishedRates, type Side } from "~/lib/indicative-price";
import { formatAmount } from "~/lib/money";
import type { NumberStyle } from "~/lib/number-style";
import { withParams } from "~/lib/paths";

/** What a visitor has said about a swap: it rides in search params and forms, so that no detour loses it. */
export type TypedSwap = { side: Side; text: string; delivery: string | null; refund: string | null };

/** As the page's address carries it; `text` is a plain decimal there, whatever the visitor's language. */
export function readTypedSearch(params: URLSearchParams): TypedSwap & { added: string | null } {
  return {
    side: params.get("side") === "target" ? "target" : "source",
    text: (params.get("amount") ?? "").slice(0, 40),
    delivery: toId(params.get("delivery")),
    refund: toId(params.get("refund")),
    added: toId(params.get("added")),
  };
}

/**
 * From a posted form. With scripts `side` says which field was typed in. Without them both
 * fields come filled, beside what they held when the page was made: the changed one counts.
 */
export function readTypedForm(form: Record<string, string>): TypedSwap {
  const changed = (side: Side) => (form[side] ?? "") !== (form[`was_${side}`] ?? form[side] ?? "");
  const named: Side = form.side === "target" ? "target" : "source";
  const side = changed("source") ? "source" : changed("target") ? "target" : named;
  return {
    side,
    text: (form[side] ?? "").slice(0, 64),
    delivery: toId(form.delivery ?? null),
    refund: toId(form.refund ?? null),
  };
}

/** The direction's page with all of it; an amount that cannot be read is carried as it is. */
export function toDirectionPath(path: string, typed: TypedSwap, source: AssetSymbol, style: NumberStyle): string {
  const asset = typed.side === "source" ? source : otherAsset(source);
  const input = readAmountInput(typed.text, asset, style);
  return withParams(path, {
    amount: input.kind === "amount" ? input.text : typed.text || null,
    side: typed.side === "target" ? "target" : null,
    delivery: typed.delivery,
    refund: typed.refund,
  });
}

/** To begin with: 250 USDT, or as many MOB as are worth about 100 USDT, one figure and zeros. */
export function toFirstAmount(direction: Direction, rates: PublishedRates): string {
  if (direction.source === "USDT") return "250";
  const limits = limitsInSource(direction, rates);
  if (!limits) return "500";
  const minUsdt = Number.parseInt(rates.limits.min_usdt, 10) || 1;
  const worth = (limits.least * 100n) / BigInt(minUsdt);
  const one = 10n ** BigInt(assets.MOB.decimals);
  const whole = worth / one;
  if (whole === 0n) return formatAmount(limits.least, "MOB");
  const size = 10n ** BigInt(whole.toString().length - 1);
  return formatAmount((whole / size + 1n) * size * one, "MOB");
}

function toId(value: string | null): string | null {
  return value !== null && /^[A-Za-z0-9_-]{1,64}$/.test(value) ? value : null;
}

import type { Quote } from "~/api/contract";
import { formatAmount, parseAmount } from "~/lib/money";
import { formatDecimalText, type NumberStyle } from "~/lib/number-style";
import { formatMoney } from "~/lib/shown-amount";
import { Note } from "~/ui/note";

type Props = { quote: Quote; previousAmount: string; numbers: NumberStyle };

/** How a renewed price differs from the one before. */
export function PriceChange({ quote, previousAmount, numbers }: Props) {
  const { target_amount, target_asset_symbol: asset } = quote;
  const before = parseAmount(previousAmount, asset);
  const difference = parseAmount(target_amount, asset) - before;
  const size = formatMoney(formatAmount(difference < 0n ? -difference : difference, asset), asset, numbers);
  const change =
    difference === 0n
      ? "as before"
      : `${size} ${difference < 0n ? "less" : "more"} than before${toPercent(difference, before, numbers)}`;
  return (
    <Note tone={difference < 0n ? "waiting" : "good"} title="The price has been updated">
      <p>{`You receive ${formatMoney(target_amount, asset, numbers)}, ${change}.`}</p>
    </Note>
  );
}

/** Such as " (−0.07%)". Empty below a hundredth of a percent. */
function toPercent(difference: bigint, before: bigint, numbers: NumberStyle): string {
  if (before === 0n) return "";
  const size = difference < 0n ? -difference : difference;
  const bps = (size * 10_000n + before / 2n) / before;
  if (bps === 0n) return "";
  const digits = bps.toString().padStart(3, "0");
  const percent = formatDecimalText(`${digits.slice(0, -2)}.${digits.slice(-2)}`, numbers);
  return ` (${difference < 0n ? "−" : "+"}${percent}%)`;
}

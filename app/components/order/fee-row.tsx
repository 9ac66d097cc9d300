import type { AssetSymbol } from "~/lib/assets";
import type { FeeText } from "~/lib/fee";
import type { NumberStyle } from "~/lib/number-style";
import { formatFee } from "~/lib/shown-amount";
import type { DataRow } from "~/ui/data-list";

/** A fee as a row of a list: its amount, and its share of what is sent. */
export function toFeeRow(fee: FeeText, amount: string, asset: AssetSymbol, style: NumberStyle): DataRow {
  return { key: "fee", term: `${fee.name}, included`, value: `${formatFee(amount, asset, style)} (${fee.percent})` };
}

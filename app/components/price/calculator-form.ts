import type { AssetSymbol } from "~/lib/assets";
import { paths } from "~/lib/paths";

/** Where the calculator's form is sent, and which fields it contains. */
export type CalculatorForm = {
  method: "get" | "post";
  action: string;
  /** The name of the field with the amount to send. */
  amountName: string;
  /** Its other fields, which are hidden. */
  fields: Record<string, string>;
};

/** Opens the page `action` with `source` and `amount` in its URL. */
export function toCalculatorForm(action: string, source: AssetSymbol): CalculatorForm {
  return { method: "get", action, amountName: "amount", fields: { source } };
}

/** For a customer with addresses: requests the binding price at once. */
export function toQuoteForm(source: AssetSymbol, addresses: { delivery: string; refund: string }): CalculatorForm {
  const fields = { ...addresses, intent: "quote", side: "source" };
  return { method: "post", action: paths.direction(source), amountName: "source", fields };
}

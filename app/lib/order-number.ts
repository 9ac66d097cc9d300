/** The number of a swap that people read out: its quote's ID in fewer characters that are easy to tell apart. */

/** Crockford's base 32: no I, L, O or U. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groupLength = 4;
/** How many digits the largest quote ID has. */
const longest = 11;

/** @example toOrderNumber(1575403237068558) // "1CRT-8K55-KRE" */
export function toOrderNumber(quoteId: number): string {
  let text = "";
  for (let left = BigInt(quoteId); left > 0n; left /= 32n) text = digits[Number(left % 32n)] + text;
  return (text || "0").match(new RegExp(`.{1,${groupLength}}`, "g"))?.join("-") ?? text;
}

/**
 * The quote ID of a number as people type it: in any case, with or without dashes and spaces, and with O, I and L for
 * the digits that they look like. Null if it cannot be the number of a swap.
 * @example parseOrderNumber("1crt 8k55 kre") // 1575403237068558
 */
export function parseOrderNumber(typed: string): number | null {
  const text = typed.replace(/[\s-]/g, "").toUpperCase().replaceAll("O", "0").replace(/[IL]/g, "1");
  if (text === "" || text.length > longest) return null;
  const values = [...text].map((digit) => digits.indexOf(digit));
  if (values.includes(-1)) return null;
  const id = values.reduce((sum, value) => sum * 32n + BigInt(value), 0n);
  return id > 0n && id <= Number.MAX_SAFE_INTEGER ? Number(id) : null;
}

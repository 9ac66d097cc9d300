/** The number of a swap that people read out: its quote's ID in fewer characters, none of which look alike. */

/** Crockford's base 32: no I, L, O or U. */
const digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const groupLength = 4;

/** @example toOrderNumber(1575403237068558) // "1CRT-8K55-KRE" */
export function toOrderNumber(quoteId: number): string {
  let text = "";
  for (let left = BigInt(quoteId); left > 0n; left /= 32n) text = digits[Number(left % 32n)] + text;
  return (text || "0").match(new RegExp(`.{1,${groupLength}}`, "g"))?.join("-") ?? text;
}

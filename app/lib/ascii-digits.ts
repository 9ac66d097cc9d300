/**
 * Replaces the digits of every script with 0 to 9: those of Arabic, Persian and Indic keyboards, and full-width ones.
 */
export function toAsciiDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    // Each script has its ten digits in a row, so the digits just before this one say which it is.
    let value = 0;
    while (/\p{Nd}/u.test(String.fromCodePoint(Number(digit.codePointAt(0)) - value - 1))) value += 1;
    return String(value % 10);
  });
}

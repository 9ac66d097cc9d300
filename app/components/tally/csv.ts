/**
 * CSV that a spreadsheet opens right: RFC 4180 quoting and CRLF, a byte order mark so that
 * Excel reads UTF-8, and nothing that a spreadsheet would take for a formula.
 */
export const byteOrderMark = "\ufeff";

const plainNumber = /^-?\d+(\.\d+)?$/;
/** What begins a formula in some spreadsheet, also after blanks and in full width (OWASP, CSV injection). */
const formulaStart = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: string): string {
  const safe = formulaStart.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) || safe !== safe.trim() ? `"${safe.replaceAll('"', '""')}"` : safe;
}

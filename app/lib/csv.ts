/**
 * CSV for spreadsheets: RFC 4180 quoting and CRLF, a byte order mark so that Excel reads it as UTF-8, and an
 * apostrophe before anything that a spreadsheet would run as a formula.
 */
export const byteOrderMark = "\ufeff";

const plainNumber = /^-?\d+(\.\d+)?$/;
/** The start of a formula, even after whitespace or in full-width characters (OWASP: CSV injection). */
const formulaStart = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: string): string {
  const escaped = formulaStart.test(value) && !plainNumber.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(escaped) || escaped !== escaped.trim() ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

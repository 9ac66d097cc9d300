/**
 * CSV for spreadsheets: RFC 4180 quoting and CRLF, a byte order mark so that Excel reads it as UTF-8, and an
 * apostrophe before anything that a spreadsheet would run as a formula. That includes what follows a semicolon or a tab,
 * at which Excel splits cells in many countries, even inside quotes.
 */
export const byteOrderMark = "\ufeff";

const plainNumber = /^-?\d+(\.\d+)?$/;
/** The start of a formula, even after whitespace, in quotes or in full-width characters (OWASP: CSV injection). */
const formulaStart = /^[\s"]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/;

export function toCsvLine(cells: readonly string[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: string): string {
  const escaped = value
    .split(/(?<=[;\t])/)
    .map(toText)
    .join("");
  return /[",\r\n]/.test(escaped) || escaped !== escaped.trim() ? `"${escaped.replaceAll('"', '""')}"` : escaped;
}

function toText(part: string): string {
  return formulaStart.test(part) && !plainNumber.test(part) ? `'${part}` : part;
}

// A text as a cell of CSV (RFC 4180), for the server's tables and the page's.

const NEEDS_QUOTES = /[",\r\n]/;
/** Spreadsheets calculate what begins so, also in full width, and may call programs and addresses by it. */
const FORMULA = /^[=+\-@\t\r\uff1d\uff0b\uff0d\uff20]/;
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Quoted only where it must be; what a spreadsheet would take for a formula begins with an apostrophe. */
export function csvText(text: string): string {
  const inert = FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(inert) ? `"${inert.replaceAll('"', '""')}"` : inert;
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i

/**
 * Start of a formula: at the start of a cell, or after a character that a spreadsheet with other separators reads as
 * the end of a cell. The repetition is bounded, so that matching takes linear time.
 */
const FORMULA = /(^|[;\t\r\n])(?=[ "]{0,8}[=+\-@＝＋－＠])/g

/** Puts an apostrophe before everything that a spreadsheet could run as a formula. Numbers stay unchanged. */
export function spreadsheetCell(text: string): string {
  if (NUMBER.test(text)) return text
  const guarded = text.replaceAll(FORMULA, "$1'")
  // Spreadsheets drop these characters at the start of a cell.
  return /^[\t\r]/.test(guarded) ? `'${guarded}` : guarded
}

/** A line of RFC 4180, ended by a line feed. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quote).join(',')}\n`

const quote = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

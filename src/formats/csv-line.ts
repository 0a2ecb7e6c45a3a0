const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:e[+-]?[0-9]+)?$/i

/**
 * Where a formula may begin: at the start of a cell, or behind what a spreadsheet that expects other separators than
 * commas takes for the end of one. Bounded, so that the time does not grow faster than the text.
 */
const FORMULA = /(^|[;\t\r\n])(?=[ "]{0,8}[=+\-@＝＋－＠])/g

/**
 * The text of a cell that no spreadsheet runs as a formula: an apostrophe goes in front of what begins like one.
 * Numbers stay numbers.
 */
export function spreadsheetCell(text: string): string {
  if (NUMBER.test(text)) return text
  const guarded = text.replaceAll(FORMULA, "$1'")
  // Spreadsheets drop these in front of what follows.
  return /^[\t\r]/.test(guarded) ? `'${guarded}` : guarded
}

/** A line of RFC 4180, ended by a line feed. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(quote).join(',')}\n`

const quote = (cell: string): string => (/[",\n\r]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

const DAY_MS = 86_400_000

/** Built-in number formats that show a date or a time (ECMA-376, 18.8.30). */
const BUILT_IN = new Set([14, 15, 16, 17, 18, 19, 20, 21, 22, 27, 30, 36, 45, 46, 47, 50, 57])

/** True if a number format shows a date or a time. */
export function isDateFormat(id: number, code: string | undefined): boolean {
  if (code === undefined) return BUILT_IN.has(id)
  // quoted text, escaped characters, colours and locales do not show parts of a date
  const shown = code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '')
  return /[ymdhs]/i.test(shown) && !/general/i.test(shown)
}

/**
 * Prints a date of a spreadsheet, which is a number of days, as ISO 8601: a day, a moment, or a time of a day. Days are
 * counted from 1899-12-30, because 1900-02-29 is counted too; with the 1904 system from 1904-01-01.
 */
export function printSerialDate(serial: number, from1904: boolean): string {
  const epoch = from1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, serial < 60 ? 31 : 30)
  const date = new Date(epoch + Math.round(serial * DAY_MS))
  if (Number.isNaN(date.getTime())) return String(serial)
  const text = date.toISOString()
  if (serial >= 0 && serial < 1 && !from1904) return text.slice(11, 19)
  if (Number.isInteger(serial)) return text.slice(0, 10)
  return text.slice(0, 23).replace(/\.000$/, '')
}

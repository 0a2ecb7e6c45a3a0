const locale = typeof navigator === 'undefined' ? 'en' : navigator.language

const whole = new Intl.NumberFormat(locale)
const short = new Intl.NumberFormat(locale, { notation: 'compact', maximumFractionDigits: 1 })
const precise = new Intl.NumberFormat(locale, { maximumSignificantDigits: 5 })

const exact = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
const rough = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 })

/** Formats a document count. */
export const formatCount = (value: number): string => whole.format(value)

/** Returns a count with its noun: 1 document, 2 documents. */
export const formatDocuments = (count: number): string =>
  `${formatCount(count)} ${count === 1 ? 'document' : 'documents'}`

/** Formats a number with all its digits. Very small and very large ones keep their exponent. */
export const formatExact = (value: number): string =>
  value !== 0 && (Math.abs(value) < 1e-15 || Math.abs(value) >= 1e21) ? String(value) : exact.format(value)

/** Formats a number in compact form. */
export const formatShort = (value: number): string =>
  Math.abs(value) < 1000 ? rough.format(value) : short.format(value)

/** Formats a measured value. */
export const formatFigure = (value: number): string =>
  Number.isInteger(value) ? whole.format(value) : precise.format(value)

const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

export function formatBytes(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)))
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit: UNITS[step] ?? 'byte', maximumFractionDigits: 1 })
  return format.format(bytes / 1000 ** step)
}

/** Returns a step of 1, 2 or 5 times a power of ten that divides a span into at most `parts`. */
export function niceStep(span: number, parts: number): number {
  if (!(span > 0)) return 1
  const rough = span / parts
  const power = 10 ** Math.floor(Math.log10(rough))
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough * (1 - 1e-9)) ?? 10
  // powers below one are not exact: 5 * 10 ** -3 would be printed with extra digits
  return Number((factor * power).toPrecision(12))
}

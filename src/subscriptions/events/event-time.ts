const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/

/** Parses an RFC 3339 date and time into milliseconds. Returns undefined if invalid. Truncates finer fractions. */
export function readInstant(text: string): number | undefined {
  const [, year, month, day, hour, minute, second, fraction = '', sign, ...zone] = RFC_3339.exec(text) ?? []
  if (year === undefined) return undefined
  const [zoneHour = 0, zoneMinute = 0] = zone.map((part) => Number(part ?? 0))
  const parts = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second)] as const
  const [y, m, d, h, min, s] = parts
  if (h > 23 || min > 59 || s > 59 || zoneHour > 23 || zoneMinute > 59) return undefined
  const date = new Date(0)
  // Date.UTC would map the years 0 to 99 to 1900 to 1999.
  date.setUTCFullYear(y, m, d)
  date.setUTCHours(h, min, s, Number(`${fraction}000`.slice(0, 3)))
  if (date.getUTCMonth() !== m || date.getUTCDate() !== d) return undefined
  const shift = (zoneHour * 60 + zoneMinute) * 60_000
  return date.getTime() - (sign === '-' ? -shift : shift)
}

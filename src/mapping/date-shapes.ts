/**
 * Date notations recognised in a sample, most common first. Each is a format of the mapping language (spec 2.1.9), so
 * the engine can read what is recognised here.
 */
interface DateShape {
  readonly format: string
  readonly pattern: RegExp
}

/** Default format of a date field; it need not be stated in the mapping. */
export const ISO = 'strict_date_optional_time'

const Y = '(?<y>\\d{4})'
const M = '(?<m>0[1-9]|1[0-2])'
const D = '(?<d>0[1-9]|[12]\\d|3[01])'
const HM = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const HMS = `${HM}:[0-5]\\d`
const OFFSET = '(?:Z|[+-]\\d{2}:?\\d{2})'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'

const shape = (format: string, pattern: string): DateShape => ({ format, pattern: new RegExp(`^${pattern}$`) })

const times: readonly (readonly [string, string])[] = [
  ['', ''],
  [' HH:mm', ` ${HM}`],
  [' HH:mm:ss', ` ${HMS}`],
  [' HH:mm:ss.SSS', ` ${HMS}\\.\\d{3}`],
]

const calendars: readonly (readonly [string, string])[] = [
  ['yyyy-MM-dd', `${Y}-${M}-${D}`],
  ['yyyy/MM/dd', `${Y}/${M}/${D}`],
  ['dd/MM/yyyy', `${D}/${M}/${Y}`],
  ['MM/dd/yyyy', `${M}/${D}/${Y}`],
  ['dd-MM-yyyy', `${D}-${M}-${Y}`],
  ['MM-dd-yyyy', `${M}-${D}-${Y}`],
  ['dd.MM.yyyy', `${D}\\.${M}\\.${Y}`],
]

export const dateShapes: readonly DateShape[] = [
  // A year or a month alone is more likely a number or a code, so a day is required.
  shape(ISO, `${Y}-${M}-${D}(?:T${HM}(?::[0-5]\\d(?:\\.\\d{1,9})?)?${OFFSET}?)?`),
  ...calendars.flatMap(([day, dayPattern]) =>
    times.map(([time, timePattern]) => shape(day + time, dayPattern + timePattern)),
  ),
  ...times.slice(2).map(([time, timePattern]) => shape(`yyyy-MM-dd${time}X`, `${Y}-${M}-${D}${timePattern}Z`)),
  shape('dd MMM yyyy', `${D} ${MONTH} ${Y}`),
  shape('EEE, dd MMM yyyy HH:mm:ss Z', `${WEEKDAY}, ${D} ${MONTH} ${Y} ${HMS} [+-]\\d{4}`),
].filter((one, index) => index === 0 || one.format !== 'yyyy-MM-dd')

/** Returns the matching entries of `dateShapes` as a bit set; 0n if the text is not a date. */
export function dateShapesOf(text: string): bigint {
  if (text.length < 10 || text.length > 35 || !/^(?:\d|[MTWFS][a-z]{2}, )/.test(text)) return 0n
  let bits = 0n
  for (const [index, one] of dateShapes.entries()) {
    const match = one.pattern.exec(text)
    if (match !== null && isCalendarDay(match.groups)) bits |= 1n << BigInt(index)
  }
  return bits
}

function isCalendarDay(groups: Readonly<Record<string, string>> | undefined): boolean {
  if (groups?.m === undefined) return true
  const [year, month, day] = [Number(groups.y), Number(groups.m), Number(groups.d)]
  return day <= new Date(Date.UTC(year, month, 0)).getUTCDate()
}

/** Returns the joined formats that together read every text seen; undefined if one of the texts is not a date. */
export function coverDates(seen: Iterable<bigint>): string | undefined {
  let left = [...seen]
  if (left.length === 0 || left.includes(0n)) return undefined
  const chosen: number[] = []
  while (left.length > 0) {
    const counts = dateShapes.map((_, i) => left.filter((bits) => (bits & (1n << BigInt(i))) !== 0n).length)
    const best = counts.indexOf(Math.max(...counts))
    chosen.push(best)
    left = left.filter((bits) => (bits & (1n << BigInt(best))) === 0n)
  }
  return chosen
    .sort((a, b) => a - b)
    .map((i) => dateShapes[i]?.format ?? ISO)
    .join('||')
}

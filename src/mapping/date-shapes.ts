/**
 * Date notations recognised in a sample, most common first. Each is a format of the mapping language (spec 2.1.9), so
 * the engine can read what is recognised here.
 */
interface DateShape {
  readonly format: string
  /** Order of day and month, if only the values tell it. */
  readonly order?: DateOrder
}

export type DateOrder = 'day-first' | 'month-first'

/** Default format of a date field; it need not be stated in the mapping. */
export const ISO = 'strict_date_optional_time'

const Y = '(?<y>\\d{4})'
/** The engine reads two digits as years of this century, so years that look like the last one are no dates. */
const YY = '(?<y>[0-4]\\d)'
const M = '(?<m>0[1-9]|1[0-2])'
const D = '(?<d>0[1-9]|[12]\\d|3[01])'
const M1 = '(?<m>0?[1-9]|1[0-2])'
const D1 = '(?<d>0?[1-9]|[12]\\d|3[01])'
const HM = '(?:[01]\\d|2[0-3]):[0-5]\\d'
const HMS = `${HM}:[0-5]\\d`
const OFFSET = '(?:Z|[+-]\\d{2}:?\\d{2})'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const MONTH_NAME = '(?:January|February|March|April|May|June|July|August|September|October|November|December)'
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'

type Notation = readonly [format: string, pattern: string]

const FRACTIONS = [3, 6, 7, 9]
const fraction = (digits: number): string => 'S'.repeat(digits)

const clock: readonly Notation[] = [
  ['', ''],
  [' HH:mm', ` ${HM}`],
  [' HH:mm:ss', ` ${HMS}`],
  ...FRACTIONS.map((digits): Notation => [` HH:mm:ss.${fraction(digits)}`, ` ${HMS}\\.\\d{${digits}}`]),
]

/** With an offset: as Python, PostgreSQL and BigQuery print times. */
const zoned: readonly Notation[] = clock.slice(1).flatMap(([format, pattern]): readonly Notation[] => [
  [`${format}X`, `${pattern}(?:Z|[+-]\\d{2})`],
  [`${format}XXX`, `${pattern}[+-]\\d{2}:\\d{2}`],
  [`${format}XX`, `${pattern}[+-]\\d{4}`],
  [`${format} 'UTC'`, `${pattern} UTC`],
])

const halfday: readonly Notation[] = [
  [' h:mm a', ' (?:0?[1-9]|1[0-2]):[0-5]\\d [AP]M'],
  [' h:mm:ss a', ' (?:0?[1-9]|1[0-2]):[0-5]\\d:[0-5]\\d [AP]M'],
  [' H:mm', ' (?:1?\\d|2[0-3]):[0-5]\\d'],
  [' H:mm:ss', ' (?:1?\\d|2[0-3]):[0-5]\\d:[0-5]\\d'],
]

interface Calendar {
  readonly day: Notation
  readonly times: readonly Notation[]
  readonly order?: DateOrder
}

const ordered = (separator: string, mark: string): readonly Calendar[] => {
  const times = [...clock, ...halfday]
  return [
    { day: [`dd${separator}MM${separator}yyyy`, `${D}${mark}${M}${mark}${Y}`], times, order: 'day-first' },
    { day: [`MM${separator}dd${separator}yyyy`, `${M}${mark}${D}${mark}${Y}`], times, order: 'month-first' },
    { day: [`d${separator}M${separator}yyyy`, `${D1}${mark}${M1}${mark}${Y}`], times, order: 'day-first' },
    { day: [`M${separator}d${separator}yyyy`, `${M1}${mark}${D1}${mark}${Y}`], times, order: 'month-first' },
  ]
}

const calendars: readonly Calendar[] = [
  { day: ['yyyy-MM-dd', `${Y}-${M}-${D}`], times: [...clock, ...zoned] },
  { day: ['yyyy/MM/dd', `${Y}/${M}/${D}`], times: clock },
  ...ordered('/', '/'),
  ...ordered('-', '-'),
  { day: ['dd.MM.yyyy', `${D}\\.${M}\\.${Y}`], times: clock },
  { day: ['d.M.yyyy', `${D1}\\.${M1}\\.${Y}`], times: [...clock, ...halfday] },
  { day: ['yyyy.MM.dd', `${Y}\\.${M}\\.${D}`], times: clock },
  { day: ['d/M/yy', `${D1}/${M1}/${YY}`], times: [...clock, ...halfday], order: 'day-first' },
  { day: ['M/d/yy', `${M1}/${D1}/${YY}`], times: [...clock, ...halfday], order: 'month-first' },
  { day: ['dd MMM yyyy', `${D} ${MONTH} ${Y}`], times: clock },
  { day: ['d MMM yyyy', `${D1} ${MONTH} ${Y}`], times: clock },
  { day: ['dd-MMM-yyyy', `${D}-${MONTH}-${Y}`], times: clock },
  { day: ['d MMMM yyyy', `${D1} ${MONTH_NAME} ${Y}`], times: clock },
  { day: ['MMM d, yyyy', `${MONTH} ${D1}, ${Y}`], times: [...clock, ...halfday] },
  { day: ['MMMM d, yyyy', `${MONTH_NAME} ${D1}, ${Y}`], times: [...clock, ...halfday] },
  {
    day: ['EEE, dd MMM yyyy', `${WEEKDAY}, ${D} ${MONTH} ${Y}`],
    times: [
      [' HH:mm:ss Z', ` ${HMS} [+-]\\d{4}`],
      [" HH:mm:ss 'GMT'", ` ${HMS} GMT`],
    ],
  },
  { day: ['EEE MMM dd HH:mm:ss Z yyyy', `${WEEKDAY} ${MONTH} ${D} ${HMS} [+-]\\d{4} ${Y}`], times: [['', '']] },
]

const ISO_PATTERN = new RegExp(`^${Y}-${M}-${D}(?:T${HM}(?::[0-5]\\d(?:\\.\\d{1,9})?)?${OFFSET}?)?$`)

/** ISO first; the others by calendar. A day alone in ISO form is left to ISO. */
const shapes: DateShape[] = [{ format: ISO }]
const readers = calendars.map(({ day: [day, dayPattern], times, order }) => ({
  day: new RegExp(`^${dayPattern}(?<rest>.*)$`),
  times: times
    .filter(([time]) => day !== 'yyyy-MM-dd' || time !== '')
    .map(([time, pattern]) => ({
      pattern: new RegExp(`^${pattern}$`),
      bit: 1n << BigInt(shapes.push({ format: day + time, ...(order === undefined ? {} : { order }) }) - 1),
    })),
}))

export const dateShapes: readonly DateShape[] = shapes

/** Returns the matching entries of `dateShapes` as a bit set; 0n if the text is not a date. */
export function dateShapesOf(text: string): bigint {
  if (text.length < 6 || text.length > 40 || !/^(?:\d|[JFMASONDTW][a-z]{2,8}[, ])/.test(text)) return 0n
  let bits = 0n
  // A year or a month alone is more likely a number or a code, so a day is required.
  const iso = ISO_PATTERN.exec(text)
  if (iso !== null && isCalendarDay(iso.groups)) bits |= 1n
  for (const { day, times } of readers) {
    const match = day.exec(text)
    if (match === null || !isCalendarDay(match.groups)) continue
    const rest = match.groups?.rest ?? ''
    for (const { pattern, bit } of times) if (pattern.test(rest)) bits |= bit
  }
  return bits
}

function isCalendarDay(groups: Readonly<Record<string, string>> | undefined): boolean {
  if (groups?.m === undefined) return true
  const [year, month, day] = [Number(groups.y), Number(groups.m), Number(groups.d)]
  return day <= new Date(Date.UTC(groups.y?.length === 2 ? 2000 + year : year, month, 0)).getUTCDate()
}

const bitsOf = (order: DateOrder): bigint =>
  shapes.reduce((bits, one, at) => (one.order === order ? bits | (1n << BigInt(at)) : bits), 0n)
const DAY_FIRST = bitsOf('day-first')
const MONTH_FIRST = bitsOf('month-first')

/** Returns the order of day and month of a date; `either` if it fits both; undefined if it is no such date. */
export function dateOrderOf(text: string): DateOrder | 'either' | undefined {
  const bits = dateShapesOf(text)
  const isDayFirst = (bits & DAY_FIRST) !== 0n
  if ((bits & MONTH_FIRST) !== 0n) return isDayFirst ? 'either' : 'month-first'
  return isDayFirst ? 'day-first' : undefined
}

/** Returns the formats with day and month in the given order. */
export function withDateOrder(formats: string, order: DateOrder): string {
  const wanted = formats.split('||').map((format) => {
    const [, first = '', separator, second, rest] =
      /^(d{1,2}|M{1,2})([/-])(d{1,2}|M{1,2})([/-]yy.*)$/.exec(format) ?? []
    const isOther = first.startsWith(order === 'day-first' ? 'M' : 'd')
    return separator !== undefined && isOther ? `${second}${separator}${first}${rest}` : format
  })
  return [...new Set(wanted)].join('||')
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

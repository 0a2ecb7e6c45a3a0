/** The date pattern language of spec 3.7.4, parsed once; `date-pattern-reader.ts` parses texts with it. */

/** An invalid date pattern or format list; `reason` is a clause that follows the name of the parameter. */
export class FormatFault extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(reason)
    this.name = 'FormatFault'
    this.reason = reason
  }
}

export type NumberPart =
  | 'year'
  | 'yearOfEra'
  | 'yearOfCentury'
  | 'month'
  | 'day'
  | 'dayOfYear'
  | 'hour'
  | 'clockHour'
  | 'halfdayHour'
  | 'halfdayClockHour'
  | 'minute'
  | 'second'

export type NamedPart = 'month' | 'weekday' | 'halfday'

export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | {
      readonly kind: 'number'
      readonly part: NumberPart
      readonly min: number
      readonly max: number
      /** Number of digits taken by the following parts without a separator: `yyyyMMdd`. */
      readonly reserved: number
    }
  | { readonly kind: 'fraction'; readonly digits: number }
  | { readonly kind: 'name'; readonly part: NamedPart; readonly names: readonly string[] }
  | { readonly kind: 'offset'; readonly style: OffsetStyle }

export interface OffsetStyle {
  /** Z for UTC is accepted. */
  readonly zulu: boolean
  /** GMT precedes the offset; alone it means UTC. */
  readonly gmt: boolean
  readonly colon: boolean
  readonly minutes: 'optional' | 'required'
  readonly seconds: boolean
}

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
]
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']
const HALFDAYS = ['AM', 'PM']
const short = (names: readonly string[]): readonly string[] => names.map((name) => name.slice(0, 3))

/** Maximum digits of a part without a stated width; the range of dates limits the value. */
const ANY_WIDTH = 9

const LETTERS = 'y u M d D E H h K k m s S a X x Z'

const number = (part: NumberPart, min: number, max: number): PatternPart => ({
  kind: 'number',
  part,
  min,
  max,
  reserved: 0,
})

const oneOrTwo = (part: NumberPart, count: number): PatternPart | undefined =>
  count === 1 ? number(part, 1, ANY_WIDTH) : count === 2 ? number(part, 2, 2) : undefined

function yearPart(part: 'year' | 'yearOfEra', count: number): PatternPart | undefined {
  if (count === 2) return number('yearOfCentury', 2, 2)
  if (count > 6) return undefined
  return number(part, count, count < 4 ? ANY_WIDTH : count)
}

function offsetStyle(letter: 'X' | 'x' | 'Z', count: number): OffsetStyle | undefined {
  if (letter === 'Z' && count === 4) return { zulu: false, gmt: true, colon: true, minutes: 'required', seconds: true }
  if (letter === 'Z' && count < 4) return { zulu: false, gmt: false, colon: false, minutes: 'required', seconds: false }
  return {
    zulu: letter !== 'x',
    gmt: false,
    colon: count === 3 || count === 5,
    minutes: count === 1 ? 'optional' : 'required',
    seconds: count > 3,
  }
}

/** Returns the part for a run of one letter; undefined if the run is too long. */
function letterPart(letter: string, count: number): PatternPart | undefined {
  switch (letter) {
    case 'y':
      return yearPart('yearOfEra', count)
    case 'u':
      return yearPart('year', count)
    case 'M':
      if (count === 3) return { kind: 'name', part: 'month', names: short(MONTHS) }
      if (count === 4) return { kind: 'name', part: 'month', names: MONTHS }
      return oneOrTwo('month', count)
    case 'd':
      return oneOrTwo('day', count)
    case 'D':
      return count <= 3 ? number('dayOfYear', count, count === 1 ? ANY_WIDTH : 3) : undefined
    case 'E':
      if (count > 4) return undefined
      return { kind: 'name', part: 'weekday', names: count === 4 ? WEEKDAYS : short(WEEKDAYS) }
    case 'H':
      return oneOrTwo('hour', count)
    case 'k':
      return oneOrTwo('clockHour', count)
    case 'K':
      return oneOrTwo('halfdayHour', count)
    case 'h':
      return oneOrTwo('halfdayClockHour', count)
    case 'm':
      return oneOrTwo('minute', count)
    case 's':
      return oneOrTwo('second', count)
    case 'S':
      return count <= 9 ? { kind: 'fraction', digits: count } : undefined
    case 'a':
      return count === 1 ? { kind: 'name', part: 'halfday', names: HALFDAYS } : undefined
    case 'X':
    case 'x':
    case 'Z': {
      const style = count <= 5 ? offsetStyle(letter, count) : undefined
      return style && { kind: 'offset', style }
    }
    default:
      throw new FormatFault(
        `has the letter '${letter}', which is not a date pattern letter (${LETTERS}, or text between quotes)`,
      )
  }
}

/** Width of a part with a fixed number of digits, 0 for other parts. */
function fixedDigits(part: PatternPart): number {
  if (part.kind === 'fraction') return part.digits
  return part.kind === 'number' && part.min === part.max ? part.max : 0
}

function reserveDigits(parts: readonly PatternPart[]): readonly PatternPart[] {
  let following = 0
  return parts
    .toReversed()
    .map((part) => {
      const reserved = following
      const width = fixedDigits(part)
      following = width === 0 ? 0 : following + width
      return part.kind === 'number' ? { ...part, reserved } : part
    })
    .toReversed()
}

const isLetter = (character: string): boolean => /^[A-Za-z]$/.test(character)

/** Parses a pattern such as `yyyy-MM-dd'T'HH:mm:ss.SSSXXX`; throws FormatFault. */
export function parsePatternParts(pattern: string): readonly PatternPart[] {
  if (pattern.trim() === '') throw new FormatFault('must be a date pattern')
  if (pattern.includes('||')) throw new FormatFault("must be one date pattern, without '||'")
  const parts: PatternPart[] = []
  let text = ''
  const endText = (): void => {
    if (text !== '') parts.push({ kind: 'text', text })
    text = ''
  }
  for (let i = 0; i < pattern.length; ) {
    const character = pattern.charAt(i)
    if (character === "'") {
      const quoted = /^'((?:[^']|'')*)'/.exec(pattern.slice(i))
      if (quoted === null) throw new FormatFault(`has an unclosed quote at position ${i + 1}`)
      text += quoted[0] === "''" ? "'" : (quoted[1] ?? '').replaceAll("''", "'")
      i += quoted[0].length
    } else if (isLetter(character)) {
      let end = i
      while (pattern.charAt(end) === character) end++
      const part = letterPart(character, end - i)
      if (part === undefined) throw new FormatFault(`has too many letters '${character}' at position ${i + 1}`)
      endText()
      parts.push(part)
      i = end
    } else {
      text += character
      i++
    }
  }
  endText()
  return reserveDigits(parts)
}

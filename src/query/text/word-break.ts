import { wordBreakRanges } from './word-break-ranges.ts'

/** Word boundary class of a code point. Small integers, because the tokenizer looks one up per character. */
export const OTHER = 0
export const LETTER = 1
export const HEBREW_LETTER = 2
export const DIGIT = 3
export const KATAKANA = 4
/** `_` and similar: join letters, digits and Katakana. */
export const CONNECTOR = 5
/** Marks, format characters and joiners: belong to the character before. */
export const EXTEND = 6
export const MID_LETTER = 7
export const MID_NUMBER = 8
/** `.` and similar: between two letters or between two digits. */
export const MID_BOTH = 9
export const SINGLE_QUOTE = 10
export const DOUBLE_QUOTE = 11
export const SOUTH_EAST_ASIAN = 12
/** Han, Hiragana and other ideographs: each is a separate word. */
export const SINGLE = 13

const CODES: Readonly<Record<keyof typeof wordBreakRanges, number>> = {
  letter: LETTER,
  hebrewLetter: HEBREW_LETTER,
  digit: DIGIT,
  katakana: KATAKANA,
  connector: CONNECTOR,
  extend: EXTEND,
  midLetter: MID_LETTER,
  midNumber: MID_NUMBER,
  midBoth: MID_BOTH,
  singleQuote: SINGLE_QUOTE,
  doubleQuote: DOUBLE_QUOTE,
  southEastAsian: SOUTH_EAST_ASIAN,
  single: SINGLE,
}

function fillClass(classes: Uint8Array, ranges: string, code: number): void {
  let next = 0
  for (const range of ranges.split(' ')) {
    const [gap = '', further = '0'] = range.split('-')
    const first = next + Number.parseInt(gap, 36)
    next = first + Number.parseInt(further, 36) + 1
    classes.fill(code, first, next)
  }
}

function buildClasses(): Uint8Array {
  const classes = new Uint8Array(0x110000)
  for (const [name, ranges] of Object.entries(wordBreakRanges)) {
    fillClass(classes, ranges, CODES[name as keyof typeof wordBreakRanges])
  }
  return classes
}

/** Class by code point. */
export const wordBreakClasses: Uint8Array = buildClasses()

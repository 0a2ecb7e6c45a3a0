import { lowerCaseToken } from '../../../query/text/text-analysis.ts'
import {
  CONNECTOR,
  DIGIT,
  HEBREW_LETTER,
  KATAKANA,
  LETTER,
  OTHER,
  SINGLE,
  SOUTH_EAST_ASIAN,
  wordBreakClasses,
} from '../../../query/text/word-break.ts'

/** The further characters are looked at here only; patterns grow costly with their length. */
const LONGEST_SOUGHT = 12

/** Words of more characters may have been cut, and then a token begins in the midst of letters. */
const SHORTEST_CUT = 16

const ASCII_OTHER = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (_, code) => wordBreakClasses[code] === OTHER,
)
const CUT = `[^${ASCII_OTHER.map(quote).join('')}]{${SHORTEST_CUT}}`

/**
 * A regular expression of Lucene, tied to both ends, that holds for every term `beginsWord` accepts, and for few others.
 * `prefix` is in lower case and not empty.
 */
export function wordStartPattern(prefix: string): string {
  const sought = compileSought(prefix)
  switch (wordBreakClasses[prefix.codePointAt(0) ?? 0]) {
    case KATAKANA:
    case SOUTH_EAST_ASIAN:
    case SINGLE:
      return `.*${sought}`
    case LETTER:
    case HEBREW_LETTER:
    case DIGIT:
    case CONNECTOR:
      // They stay together with a letter, a digit or a connector before them.
      return `(.*([^0-9A-Za-z_]|${CUT}))?${sought}`
    default:
      return `(.*${CUT})?${sought}`
  }
}

/** The same for tokens, which are words by themselves. */
export function tokenStartPattern(prefix: string): string {
  return compileSought(prefix)
}

const compileSought = (prefix: string): string => `${[...prefix].slice(0, LONGEST_SOUGHT).map(anyCase).join('')}.*`

/** All characters that are this one in lower case. */
function anyCase(character: string): string {
  const others = capitals().get(character) ?? []
  return others.length === 0 ? quote(character) : `[${[character, ...others].map(quote).join('')}]`
}

/** A backslash before a letter or digit would mean something. */
function quote(character: string): string {
  return /^[0-9A-Za-z\u0080-\u{10ffff}]$/u.test(character) ? character : `\\${character}`
}

let known: ReadonlyMap<string, readonly string[]> | undefined

/** By character in lower case, those that become it; found once. Beyond the second plane no script has capitals. */
function capitals(): ReadonlyMap<string, readonly string[]> {
  if (known) return known
  const found = new Map<string, string[]>()
  for (let code = 0; code < 0x20000; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const lower = lowerCaseToken(character)
    if (lower !== character) found.set(lower, [...(found.get(lower) ?? []), character])
  }
  known = found
  return found
}

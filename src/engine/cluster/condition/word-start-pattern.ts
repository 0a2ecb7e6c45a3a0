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

/** Characters of the prefix used in the pattern, since long patterns are expensive. The rest is checked later. */
const LONGEST_SOUGHT = 12

/** Longer words may have been split, so that a token starts in the middle of letters. */
const SHORTEST_CUT = 16

const ASCII_OTHER = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).filter(
  (_, code) => wordBreakClasses[code] === OTHER,
)
const CUT = `[^${ASCII_OTHER.map(quote).join('')}]{${SHORTEST_CUT}}`

/**
 * Returns a Lucene regular expression, anchored at both ends, that matches every term accepted by `beginsWord` and few
 * others. `prefix` must be in lower case and not empty.
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
      // These characters are not separated from a preceding letter, digit or connector.
      return `(.*([^0-9A-Za-z_]|${CUT}))?${sought}`
    default:
      return `(.*${CUT})?${sought}`
  }
}

/** Same for tokens, which are single words. */
export function tokenStartPattern(prefix: string): string {
  return compileSought(prefix)
}

const compileSought = (prefix: string): string => `${[...prefix].slice(0, LONGEST_SOUGHT).map(anyCase).join('')}.*`

/** Matches all characters with this lower case form. */
function anyCase(character: string): string {
  const others = capitals().get(character) ?? []
  return others.length === 0 ? quote(character) : `[${[character, ...others].map(quote).join('')}]`
}

/** Escapes a character. A backslash before a letter or digit would have a special meaning. */
function quote(character: string): string {
  return /^[0-9A-Za-z\u0080-\u{10ffff}]$/u.test(character) ? character : `\\${character}`
}

let known: ReadonlyMap<string, readonly string[]> | undefined

/** Returns the characters by their lower case form; computed once. No script beyond U+1FFFF has capitals. */
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

import {
  CONNECTOR,
  DIGIT,
  DOUBLE_QUOTE,
  EXTEND,
  HEBREW_LETTER,
  KATAKANA,
  LETTER,
  MID_BOTH,
  MID_LETTER,
  MID_NUMBER,
  OTHER,
  SINGLE,
  SINGLE_QUOTE,
  SOUTH_EAST_ASIAN,
  wordBreakClasses,
} from './word-break.ts'

const LONGEST_TOKEN = 255

const isHighSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff

/** Class of the character at `at`; a lone surrogate is OTHER. */
function classAt(text: string, at: number): number {
  const unit = text.charCodeAt(at)
  if (!isHighSurrogate(unit)) return wordBreakClasses[unit] ?? OTHER
  return wordBreakClasses[text.codePointAt(at) ?? 0] ?? OTHER
}

/** Offset after the character at `at`. */
function after(text: string, at: number): number {
  if (!isHighSurrogate(text.charCodeAt(at))) return at + 1
  const next = text.charCodeAt(at + 1)
  return next >= 0xdc00 && next <= 0xdfff ? at + 2 : at + 1
}

/** Offset after any marks, format characters and joiners from `at` on. */
function afterExtend(text: string, at: number): number {
  let next = at
  while (next < text.length && classAt(text, next) === EXTEND) next = after(text, next)
  return next
}

const isLetter = (kind: number): boolean => kind === LETTER || kind === HEBREW_LETTER

/** UAX #29 WB5, WB8 to WB10, WB13 to WB13b: the class continues the word that ends with `previous`. */
function joins(previous: number, kind: number): boolean {
  switch (kind) {
    case LETTER:
    case HEBREW_LETTER:
    case DIGIT:
      return previous !== KATAKANA
    case KATAKANA:
      return previous === KATAKANA || previous === CONNECTOR
    default:
      return kind === CONNECTOR
  }
}

/** WB6, WB7, WB7b, WB7c, WB11, WB12: a character of class `kind` stays inside the word if `next` follows it. */
function bridges(previous: number, kind: number, next: number): boolean {
  switch (kind) {
    case MID_LETTER:
      return isLetter(previous) && isLetter(next)
    case MID_NUMBER:
      return previous === DIGIT && next === DIGIT
    case MID_BOTH:
    case SINGLE_QUOTE:
      return (isLetter(previous) && isLetter(next)) || (previous === DIGIT && next === DIGIT)
    default:
      return kind === DOUBLE_QUOTE && previous === HEBREW_LETTER && next === HEBREW_LETTER
  }
}

/** End of the word of letters, digits, Katakana and connectors at `start`; negative if it has only connectors. */
function endOfWord(text: string, start: number, first: number): number {
  let previous = first
  let hasWord = first !== CONNECTOR
  let at = after(text, start)
  while (at < text.length) {
    const kind = classAt(text, at)
    if (kind === OTHER) break
    if (kind === EXTEND) {
      at = after(text, at)
    } else if (joins(previous, kind)) {
      previous = kind
      if (kind !== CONNECTOR) hasWord = true
      at = after(text, at)
    } else {
      const next = afterExtend(text, after(text, at))
      if (next < text.length && bridges(previous, kind, classAt(text, next))) {
        at = next
      } else {
        // WB7a: a Hebrew letter keeps a geresh written as a quote, and the word ends there.
        if (kind === SINGLE_QUOTE && previous === HEBREW_LETTER) at = next
        break
      }
    }
  }
  return hasWord ? at : -at
}

/** These scripts do not mark word boundaries, so a run of them is one token. */
function endOfSouthEastAsian(text: string, start: number): number {
  let at = start
  for (; at < text.length; at = after(text, at)) {
    const kind = classAt(text, at)
    if (kind !== SOUTH_EAST_ASIAN && kind !== EXTEND) break
  }
  return at
}

/**
 * Lower-cases tokens one code point to one code point. Unlike String.toLowerCase, there is no special case for the
 * final sigma or the dotted capital I, which would become two characters.
 */
export function lowerCaseToken(token: string): string {
  return token.replaceAll('Σ', 'σ').replaceAll('İ', 'i').toLowerCase()
}

/** Adds a token, split every 255 UTF-16 units but never inside a character. */
function pushToken(tokens: string[], token: string): void {
  let start = 0
  while (token.length - start > LONGEST_TOKEN) {
    const end = start + LONGEST_TOKEN - (isHighSurrogate(token.charCodeAt(start + LONGEST_TOKEN - 1)) ? 1 : 0)
    tokens.push(token.slice(start, end))
    start = end
  }
  tokens.push(start === 0 ? token : token.slice(start))
}

/** End of the run of ASCII letters, digits and `_` from `start` on. */
function endOfAsciiRun(text: string, start: number): number {
  let at = start
  for (; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (unit > 127) break
    const kind = wordBreakClasses[unit]
    if (kind !== LETTER && kind !== DIGIT && kind !== CONNECTOR) break
  }
  return at
}

/** Returns the lower-cased tokens of a TEXT value in order (spec 2.2): word boundaries of UAX #29, Unicode 12.1. */
export function tokenize(text: string): string[] {
  const tokens: string[] = []
  let at = 0
  while (at < text.length) {
    const kind = classAt(text, at)
    if (kind === LETTER || kind === DIGIT) {
      // Fast path: most words are plain ASCII between blanks and need only the class of the first character.
      const end = endOfAsciiRun(text, at)
      if (end > at && end - at <= LONGEST_TOKEN && (end === text.length || classAt(text, end) === OTHER)) {
        // Lower-cased token by token: V8 was seen to lower-case the whole text again for every slice of it.
        tokens.push(text.slice(at, end).toLowerCase())
        at = end
        continue
      }
    }
    let end: number
    switch (kind) {
      case LETTER:
      case DIGIT:
      case CONNECTOR:
      case HEBREW_LETTER:
      case KATAKANA:
        end = endOfWord(text, at, kind)
        break
      case SINGLE:
        end = afterExtend(text, after(text, at))
        break
      case SOUTH_EAST_ASIAN:
        end = endOfSouthEastAsian(text, at)
        break
      default:
        at = after(text, at)
        continue
    }
    if (end > 0) pushToken(tokens, lowerCaseToken(text.slice(at, end)))
    at = Math.abs(end)
  }
  return tokens
}

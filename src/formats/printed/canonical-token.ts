/*
 * Ends of the strings and numbers in a JSON text that `JSON.stringify` would print with the same characters. -1 for
 * others.
 */

const NOT_CANONICAL = -1
const QUOTE = 34
const MINUS = 45
const DOT = 46
const ZERO = 48
const NINE = 57
const UPPER_E = 69
const BACKSLASH = 92
const LOWER_E = 101
const LOWER_U = 117
/** First character that needs no escape. */
const SPACE = 32

/** Characters after a backslash that are printed so: `"`, `\`, and the control characters with a letter. */
const ESCAPES: ReadonlySet<number> = new Set(Array.from('"\\bfnrt', (letter) => letter.charCodeAt(0)))
/** The other control characters, printed with lower-case digits. */
const CONTROL = /\\u00(?:0[0-7be-f]|1[0-9a-f])/y

/** A decimal of up to 15 digits is the shortest one of its double, so it is printed as it was read. */
const EXACT_DIGITS = 15
/** Smaller numbers are printed with an exponent. */
const SMALL = '000000'

export function canonicalStringEnd(text: string, from: number): number {
  for (let at = from + 1; ; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) return at + 1
    if (code === BACKSLASH) {
      at = escapeEnd(text, at) - 1
      if (at < 0) return NOT_CANONICAL
      // not a number after the end of the text
    } else if (!(code >= SPACE)) return NOT_CANONICAL
  }
}

function escapeEnd(text: string, at: number): number {
  const code = text.charCodeAt(at + 1)
  if (ESCAPES.has(code)) return at + 2
  if (code !== LOWER_U) return NOT_CANONICAL
  CONTROL.lastIndex = at
  return CONTROL.test(text) ? CONTROL.lastIndex : NOT_CANONICAL
}

export function canonicalNumberEnd(text: string, from: number): number {
  let at = text.charCodeAt(from) === MINUS ? from + 1 : from
  const first = at
  let code = text.charCodeAt(at)
  while (code >= ZERO && code <= NINE) code = text.charCodeAt(++at)
  let digits = at - first
  if (digits === 0) return NOT_CANONICAL
  const isZero = digits === 1 && text.charCodeAt(first) === ZERO
  if (digits > 1 && text.charCodeAt(first) === ZERO) return NOT_CANONICAL
  let isSmall = false
  if (code === DOT) {
    const fraction = ++at
    code = text.charCodeAt(at)
    while (code >= ZERO && code <= NINE) code = text.charCodeAt(++at)
    if (at === fraction) return NOT_CANONICAL
    if (text.charCodeAt(at - 1) === ZERO && code !== LOWER_E) return NOT_CANONICAL
    digits += at - fraction
    isSmall = isZero && text.startsWith(SMALL, fraction)
  } else if (isZero && first > from) {
    // -0 is printed as 0
    return NOT_CANONICAL
  }
  if (code === UPPER_E) return NOT_CANONICAL
  if (code !== LOWER_E) return digits <= EXACT_DIGITS && !isSmall ? at : endIfSame(text, from, at)
  code = text.charCodeAt(++at)
  if (code === MINUS || code === 43) at++
  while (text.charCodeAt(at) >= ZERO && text.charCodeAt(at) <= NINE) at++
  return endIfSame(text, from, at)
}

function endIfSame(text: string, from: number, end: number): number {
  const number = text.slice(from, end)
  return String(Number(number)) === number ? end : NOT_CANONICAL
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const ZERO = 0x30
const MINUS = 0x2d
const DOT = 0x2e
/** Numbers with more digits may not fit a double exactly. */
const MOST_DIGITS = 15

const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, i) => 10 ** i)

/* Functions on the bytes of valid JSON. Offsets in and out; the input is not validated. */

export function endOfSpace(bytes: Uint8Array, start: number): number {
  let at = start
  for (let byte = bytes[at] ?? 0; byte === 0x20 || (byte >= 0x09 && byte <= 0x0d); byte = bytes[at] ?? 0) at++
  return at
}

/** Returns the offset of the closing quote or first backslash of a string whose content starts at `start`. */
export function endOfPlainString(bytes: Uint8Array, start: number): number {
  let at = start
  while (bytes[at] !== QUOTE && bytes[at] !== BACKSLASH && at < bytes.length) at++
  return at
}

function endOfString(bytes: Uint8Array, start: number): number {
  let at = endOfPlainString(bytes, start)
  while (bytes[at] === BACKSLASH) at = endOfPlainString(bytes, at + 2)
  return at + 1
}

/** Returns the end offset of the value at `start`. */
export function endOfValue(bytes: Uint8Array, start: number): number {
  let depth = 0
  let at = start
  while (at < bytes.length) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1)
      if (depth === 0) return at
      continue
    }
    if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (byte === 0x2c || byte <= 0x20)) return at
    at++
  }
  return at
}

/** Returns the end offset of the number at `start`, or `start` if there is none or it has an exponent. */
export function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start
  for (let byte = bytes[at] ?? 0; (byte >= ZERO && byte <= 0x39) || byte === DOT || byte === MINUS; ) {
    byte = bytes[++at] ?? 0
  }
  return bytes[at] === 0x65 || bytes[at] === 0x45 ? start : at
}

/** Parses the number. Undefined if it has too many digits to be computed with a single rounding. */
export function numberIn(bytes: Uint8Array, start: number, end: number): number | undefined {
  const negative = bytes[start] === MINUS
  let digits = 0
  let point = -1
  let whole = 0
  for (let at = negative ? start + 1 : start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte === DOT) {
      point = at
      continue
    }
    whole = whole * 10 + (byte - ZERO)
    digits++
  }
  if (digits > MOST_DIGITS) return undefined
  // Both operands are exact, so the single division rounds correctly.
  const size = point < 0 ? whole : whole / (POWERS[end - point - 1] ?? 1)
  return negative ? -size : size
}

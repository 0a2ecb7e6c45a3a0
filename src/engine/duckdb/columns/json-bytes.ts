const QUOTE = 0x22
const BACKSLASH = 0x5c
const ZERO = 0x30
const MINUS = 0x2d
const DOT = 0x2e
/** More digits may not fit a double. */
const MOST_DIGITS = 15

const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, i) => 10 ** i)

/*
 * Places in bytes that are known to be valid JSON.
 */

export function endOfSpace(bytes: Uint8Array, start: number): number {
  let at = start
  for (let byte = bytes[at] ?? 0; byte === 0x20 || (byte >= 0x09 && byte <= 0x0d); byte = bytes[at] ?? 0) at++
  return at
}

/** The closing quote, or the first backslash of a string, whose content begins at `start`. */
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

/** The place behind the value at `start`. */
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

/** The place behind the number at `start`; `start` when there is none or it has an exponent. */
export function endOfNumber(bytes: Uint8Array, start: number): number {
  let at = start
  for (let byte = bytes[at] ?? 0; (byte >= ZERO && byte <= 0x39) || byte === DOT || byte === MINUS; ) {
    byte = bytes[++at] ?? 0
  }
  return bytes[at] === 0x65 || bytes[at] === 0x45 ? start : at
}

/** The number written there, when it is one that can be told without rounding twice. */
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
  // Both are exact, so the one division rounds correctly.
  const size = point < 0 ? whole : whole / (POWERS[end - point - 1] ?? 1)
  return negative ? -size : size
}

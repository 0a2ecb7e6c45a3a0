const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const MINUS = 0x2d
const DOT = 0x2e
const ZERO = 0x30
const U = 0x75

/** Maximum depth checked here. Deeper documents are left to the parser, which has its own limit and error message. */
const DEEPEST = 50

const FAULT = -1

/** Bytes that need no escape in a string. */
const plain = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte < 0x20 || byte === QUOTE || byte === BACKSLASH ? 0 : 1,
)
const escapes = new Set(Buffer.from('"\\/bfnrt'))
const words = ['true', 'false', 'null'].map((word) => Buffer.from(word))

/**
 * True if the UTF-8 bytes in [start, end) are one JSON object (RFC 8259). Much faster than parsing, since no object is
 * built. May be false for valid deep objects: on false the caller runs the parser, which also returns the reason.
 */
export function isJsonObjectAt(bytes: Uint8Array, start: number, end: number): boolean {
  return bytes[start] === OPEN_OBJECT && endOfObject(bytes, start + 1, end, 1) === end
}

/** This and the functions below return the offset after the value that begins at `start`, or FAULT. */
function endOfObject(bytes: Uint8Array, start: number, end: number, depth: number): number {
  let at = afterSpace(bytes, start, end)
  if (bytes[at] === CLOSE_OBJECT && at < end) return at + 1
  while (at < end) {
    if (bytes[at] !== QUOTE) return FAULT
    at = endOfString(bytes, at + 1, end)
    if (at === FAULT) return FAULT
    at = afterSpace(bytes, at, end)
    if (bytes[at] !== COLON || at >= end) return FAULT
    at = endOfValue(bytes, afterSpace(bytes, at + 1, end), end, depth)
    if (at === FAULT) return FAULT
    at = afterSpace(bytes, at, end)
    if (at >= end) return FAULT
    if (bytes[at] === CLOSE_OBJECT) return at + 1
    if (bytes[at] !== COMMA) return FAULT
    at = afterSpace(bytes, at + 1, end)
  }
  return FAULT
}

function endOfList(bytes: Uint8Array, start: number, end: number, depth: number): number {
  let at = afterSpace(bytes, start, end)
  if (bytes[at] === CLOSE_LIST && at < end) return at + 1
  while (at < end) {
    at = endOfValue(bytes, at, end, depth)
    if (at === FAULT) return FAULT
    at = afterSpace(bytes, at, end)
    if (at >= end) return FAULT
    if (bytes[at] === CLOSE_LIST) return at + 1
    if (bytes[at] !== COMMA) return FAULT
    at = afterSpace(bytes, at + 1, end)
  }
  return FAULT
}

function endOfValue(bytes: Uint8Array, at: number, end: number, depth: number): number {
  if (at >= end) return FAULT
  const first = bytes[at] ?? 0
  if (first === QUOTE) return endOfString(bytes, at + 1, end)
  if (first === MINUS || isDigit(first)) return endOfNumber(bytes, at, end)
  if (first === OPEN_OBJECT || first === OPEN_LIST) {
    if (depth === DEEPEST) return FAULT
    return first === OPEN_OBJECT ? endOfObject(bytes, at + 1, end, depth + 1) : endOfList(bytes, at + 1, end, depth + 1)
  }
  for (const word of words) if (isAt(bytes, at, end, word)) return at + word.length
  return FAULT
}

function endOfString(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at++) {
    if (plain[bytes[at] ?? 0] === 1) continue
    if (bytes[at] === QUOTE) return at + 1
    if (bytes[at] !== BACKSLASH) return FAULT
    at++
    if (bytes[at] === U) {
      for (let i = 1; i <= 4; i++) if (at + i >= end || !isHexadecimal(bytes[at + i] ?? 0)) return FAULT
      at += 4
    } else if (!escapes.has(bytes[at] ?? 0)) return FAULT
  }
  return FAULT
}

function endOfNumber(bytes: Uint8Array, start: number, end: number): number {
  let at = bytes[start] === MINUS ? start + 1 : start
  if (at >= end) return FAULT
  at = bytes[at] === ZERO ? at + 1 : endOfDigits(bytes, at, end)
  if (at === FAULT) return FAULT
  if (at < end && bytes[at] === DOT) at = endOfDigits(bytes, at + 1, end)
  if (at === FAULT || at >= end || (bytes[at] !== 0x65 && bytes[at] !== 0x45)) return at
  const sign = bytes[at + 1] === MINUS || bytes[at + 1] === 0x2b
  return endOfDigits(bytes, sign ? at + 2 : at + 1, end)
}

/** Requires at least one digit. */
function endOfDigits(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isDigit(bytes[at] ?? 0)) at++
  return at === start ? FAULT : at
}

const isDigit = (byte: number): boolean => byte >= ZERO && byte <= 0x39
const isHexadecimal = (byte: number): boolean => isDigit(byte) || ((byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x66)

function isAt(bytes: Uint8Array, at: number, end: number, word: Uint8Array): boolean {
  if (at + word.length > end) return false
  for (let i = 0; i < word.length; i++) if (bytes[at + i] !== word[i]) return false
  return true
}

function afterSpace(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  while (at < end && isJsonSpace(bytes[at] ?? 0)) at++
  return at
}

/** White space in JSON. */
export const isJsonSpace = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09

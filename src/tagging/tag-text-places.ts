/*
 * Places in a text that is known to be valid JSON.
 */

/** From `start` up to, but not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c

function endOfSpace(text: string, start: number): number {
  let at = start
  for (let code = text.charCodeAt(at); code <= 0x20; code = text.charCodeAt(at)) at++
  return at
}

/** The place behind a string that begins at `start`, with its quote. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  for (; ; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end + 1
  }
}

/** The place behind the value at `start`. */
function endOfValue(text: string, start: number): number {
  let depth = 0
  for (let at = start; at < text.length; ) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      at = endOfString(text, at)
      if (depth === 0) return at
      continue
    }
    if (code === 0x7b || code === 0x5b) depth++
    else if (code === 0x7d || code === 0x5d) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (code === COMMA || code <= 0x20)) return at
    at++
  }
  return text.length
}

/**
 * The members of the object at `start` whose keys `path` can go on with: itself whole, or its first segment. Of several
 * with one key the last, which is the one a parser takes. `last`: behind the value of the last member, if there is any.
 */
export function membersOf(text: string, start: number, path: string): { found: Map<string, Span>; last?: number } {
  const found = new Map<string, Span>()
  const dot = path.indexOf('.')
  const head = dot < 0 ? path : path.slice(0, dot)
  let last: number | undefined
  for (let at = endOfSpace(text, start + 1); text.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfString(text, at)
    const key = keyBetween(text, at, keyEnd)
    const valueStart = endOfSpace(text, endOfSpace(text, keyEnd) + 1)
    last = endOfValue(text, valueStart)
    if (key === path || key === head) found.set(key, { start: valueStart, end: last })
    at = endOfSpace(text, last)
    if (text.charCodeAt(at) !== COMMA) break
    at = endOfSpace(text, at + 1)
  }
  return last === undefined ? { found } : { found, last }
}

function keyBetween(text: string, start: number, end: number): string {
  const written = text.slice(start + 1, end - 1)
  return written.includes('\\') ? JSON.parse(text.slice(start, end)) : written
}

/** The elements of the array at `start`. */
export function elementsOf(text: string, start: number): readonly Span[] {
  const elements: Span[] = []
  for (let at = endOfSpace(text, start + 1); text[at] !== ']'; ) {
    const end = endOfValue(text, at)
    elements.push({ start: at, end })
    at = endOfSpace(text, end)
    if (text.charCodeAt(at) !== COMMA) break
    at = endOfSpace(text, at + 1)
  }
  return elements
}

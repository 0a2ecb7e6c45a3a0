/* Offsets of values in a text that is known to be valid JSON. */

/** Offsets; `end` is exclusive. */
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

/** Returns the offset after the string that begins with the quote at `start`. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  for (; ; end = text.indexOf('"', end + 1)) {
    let slashes = 0
    while (text.charCodeAt(end - 1 - slashes) === BACKSLASH) slashes++
    if (slashes % 2 === 0) return end + 1
  }
}

/** Returns the offset after the value at `start`. */
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

/** The members of an object that a path may continue with. */
interface Members {
  /** By key: the whole path, or its first segment. Of duplicate keys the last one, as in a parser. */
  readonly found: ReadonlyMap<string, Span>
  /** Offset after the value of the last member; undefined for an empty object. */
  readonly last: number | undefined
  /** True if another key begins with the first segment of the path and a dot. */
  readonly others: boolean
}

export function membersOf(text: string, start: number, path: string): Members {
  const found = new Map<string, Span>()
  const dot = path.indexOf('.')
  const head = dot < 0 ? path : path.slice(0, dot)
  const begun = dot < 0 ? undefined : path.slice(0, dot + 1)
  let last: number | undefined
  let others = false
  for (let at = endOfSpace(text, start + 1); text.charCodeAt(at) === QUOTE; ) {
    const keyEnd = endOfString(text, at)
    const key = hasEscape(text, at, keyEnd) ? String(JSON.parse(text.slice(at, keyEnd))) : undefined
    const isKey = (name: string): boolean =>
      key === undefined ? keyEnd - at === name.length + 2 && text.startsWith(name, at + 1) : key === name
    const valueStart = endOfSpace(text, endOfSpace(text, keyEnd) + 1)
    last = endOfValue(text, valueStart)
    if (isKey(head)) found.set(head, { start: valueStart, end: last })
    else if (begun !== undefined) {
      if (isKey(path)) found.set(path, { start: valueStart, end: last })
      else if (key === undefined ? text.startsWith(begun, at + 1) : key.startsWith(begun)) others = true
    }
    at = endOfSpace(text, last)
    if (text.charCodeAt(at) !== COMMA) break
    at = endOfSpace(text, at + 1)
  }
  return { found, last, others }
}

function hasEscape(text: string, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === BACKSLASH) return true
  return false
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

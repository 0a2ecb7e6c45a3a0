/** Maximum depth. Deeper JSON is never valid here, and could overflow the stack of recursive code. */
const DEEPEST = 100

/** Maximum keys of one object. Wide objects are much slower to build and copy than lists of the same length. */
const MOST_KEYS = 10_000

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const BACKSLASH = 0x5c
const OPEN_ARRAY = 0x5b
const CLOSE_ARRAY = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Reason why a JSON text is too large, as a clause of a message. */
interface JsonExcess {
  readonly reason: string
  readonly setting?: string
}

/**
 * Checks the depth, the keys per object and the number of values and keys in one pass over the bytes, before parsing: a
 * body of 2 MiB can hold a million empty arrays, which take a hundred times as much memory. Nodes are counted by
 * commas, colons and brackets, so a list in a list counts twice. Invalid JSON may pass; the parser refuses it.
 */
export function findJsonExcess(bytes: Uint8Array, mostNodes: number): JsonExcess | undefined {
  let depth = 0
  let nodes = 1
  /** Number of keys of each open object, by depth. */
  const keys = new Uint32Array(DEEPEST + 1)
  for (let i = 0; i < bytes.length; i++) {
    switch (bytes[i]) {
      case QUOTE:
        i = endOfText(bytes, i)
        break
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        depth++
        nodes++
        if (depth > DEEPEST) return { reason: `must not be nested deeper than ${DEEPEST} levels` }
        keys[depth] = 0
        break
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        depth--
        break
      case COMMA:
        nodes++
        break
      case COLON:
        nodes++
        if (countKey(keys, depth) > MOST_KEYS) {
          return { reason: `must not have an object with more than ${MOST_KEYS} keys` }
        }
        break
      default:
    }
    if (nodes > mostNodes) {
      return { reason: `must not have more than ${mostNodes} values and keys`, setting: 'limits.jsonNodes' }
    }
  }
  return undefined
}

/** `depth` is negative if invalid JSON closes more than it opened. */
function countKey(keys: Uint32Array, depth: number): number {
  const count = (keys[depth] ?? 0) + 1
  if (depth >= 0) keys[depth] = count
  return count
}

/** Returns the offset of the closing quote of the string at `start`. The native search skips bytes quickly. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(QUOTE, start + 1); end >= 0; end = bytes.indexOf(QUOTE, end + 1)) {
    let backslashes = 0
    while (bytes[end - 1 - backslashes] === BACKSLASH) backslashes++
    if (backslashes % 2 === 0) return end
  }
  return bytes.length
}

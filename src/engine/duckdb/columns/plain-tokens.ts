import { CONNECTOR, DIGIT, LETTER, OTHER, wordBreakClasses } from '../../../query/text/word-break.ts'
import type { StringHeap } from './string-heap.ts'

const BLANK = 0x20
const LONGEST_TOKEN = 255

/**
 * Adds the token string of the ASCII text from `start` to `end` to the heap without creating strings. Returns false,
 * without adding anything, if splitting at characters without a word class is not enough.
 */
export function addPlainTokens(text: Uint8Array, start: number, end: number, heap: StringHeap): boolean {
  heap.reserve(2 * (end - start) + 2)
  const { bytes } = heap
  let out = heap.end
  bytes[out++] = BLANK
  let at = start
  while (at < end) {
    const kind = classOf(text[at])
    if (kind === OTHER) {
      at++
      continue
    }
    if (kind !== LETTER && kind !== DIGIT) return false
    const from = at
    for (let next = kind; next === LETTER || next === DIGIT || next === CONNECTOR; next = classOf(text[at])) {
      const unit = text[at++] ?? 0
      bytes[out++] = unit >= 0x41 && unit <= 0x5a ? unit + 0x20 : unit
      if (at === end) break
    }
    if (at - from > LONGEST_TOKEN || (at < end && classOf(text[at]) !== OTHER)) return false
    bytes[out++] = BLANK
  }
  heap.claim(out)
  return true
}

/** Bytes beyond ASCII get a class that is not OTHER, so that they are never skipped. */
const classOf = (byte = 0): number => (byte > 127 ? -1 : (wordBreakClasses[byte] ?? OTHER))

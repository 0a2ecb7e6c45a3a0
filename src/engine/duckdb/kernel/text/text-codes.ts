import { isWithinEdits } from '../../../../query/text/edit-distance.ts'
import type { Dictionary } from '../../segment/dictionary.ts'

/** Searches kept per dictionary: those of one dashboard. */
const MOST_SEARCHES = 16

interface Search {
  /** Ascending. */
  readonly codes: readonly number[]
  /** Terms up to this code were compared: the dictionary of a tail grows. */
  readonly size: number
}

const searches = new WeakMap<Dictionary, Map<string, Search>>()

/** Returns the codes of the tokens within some edits of a word, ascending. */
export const codesNear = (dictionary: Dictionary, word: string, edits: number): readonly number[] =>
  search(dictionary, `${edits} ${word}`, (term) => isWithinEdits(term, word, edits))

/** Returns the codes of the tokens with a prefix, ascending. */
export function codesFrom(dictionary: Dictionary, prefix: string): ArrayLike<number> {
  if (!dictionary.sorted) return search(dictionary, `^${prefix}`, (term) => term.startsWith(prefix))
  const first = dictionary.firstFrom(prefix)
  let last = first
  // Terms with the prefix follow each other.
  for (let end = dictionary.size + 1; last < end; ) {
    const middle = (last + end) >>> 1
    if (dictionary.term(middle).startsWith(prefix)) last = middle + 1
    else end = middle
  }
  return Uint32Array.from({ length: last - first }, (_, i) => first + i)
}

function search(dictionary: Dictionary, key: string, matches: (term: string) => boolean): readonly number[] {
  const known = searches.get(dictionary) ?? new Map<string, Search>()
  searches.set(dictionary, known)
  const { size } = dictionary
  const done = known.get(key)
  if (done && done.size >= size) return done.codes
  const found: number[] = []
  for (let code = (done?.size ?? 0) + 1; code <= size; code++) if (matches(dictionary.term(code))) found.push(code)
  const codes = done ? [...done.codes, ...found] : found
  known.delete(key)
  known.set(key, { codes, size })
  for (const oldest of known.keys()) {
    if (known.size <= MOST_SEARCHES) break
    known.delete(oldest)
  }
  return codes
}

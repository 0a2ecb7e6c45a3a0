import type { FieldType } from '../../../../model/field-type.ts'
import { beginsWord } from '../../../../query/text/word-starts.ts'
import type { Turn } from '../../../../turn.ts'
import type { Dictionary, DictionaryData } from '../../segment/dictionary.ts'
import { SortedDictionary } from '../../segment/sorted-dictionary.ts'

/** Terms between two looks at the clock. */
const TURN_TERMS = 2048

/** Code points up to this one; it is not part of any token. */
const LAST = '\u{10ffff}'

/** Lists kept of a dictionary, and the length of the longest. */
const MOST_KEPT = 4
const LONGEST_KEPT = 2 ** 16

/** By prefix. Only of sorted dictionaries, which do not change. */
const kept = new WeakMap<Dictionary, Map<string, Uint32Array>>()

/**
 * Returns the codes of the terms with a word that begins with a prefix, ascending. `prefix` is in lower case, as tokens
 * are.
 */
export async function matchingCodes(
  dictionary: Dictionary,
  type: FieldType,
  prefix: string,
  turn: Turn,
): Promise<Uint32Array> {
  const { size, sorted } = dictionary
  if (prefix === '') return codesFrom(1, size + 1)
  if (type === 'TEXT' && sorted) return codesFrom(dictionary.firstFrom(prefix), dictionary.firstFrom(prefix + LAST))
  const known = kept.get(dictionary)?.get(prefix)
  if (known) return known
  const codes = await findCodes(size, testOf(dictionary, type, prefix), turn)
  if (sorted && codes.length <= LONGEST_KEPT) keep(dictionary, prefix, codes)
  return codes
}

const codesFrom = (first: number, end: number): Uint32Array =>
  new Uint32Array(Math.max(0, end - first)).map((_, i) => first + i)

function keep(dictionary: Dictionary, prefix: string, codes: Uint32Array): void {
  const lists = kept.get(dictionary) ?? new Map<string, Uint32Array>()
  kept.set(dictionary, lists.set(prefix, codes))
  for (const oldest of lists.keys()) {
    if (lists.size <= MOST_KEPT) return
    lists.delete(oldest)
  }
}

async function findCodes(size: number, matches: (code: number) => boolean, turn: Turn): Promise<Uint32Array> {
  let codes = new Uint32Array(256)
  let count = 0
  for (let from = 1; from <= size; from += TURN_TERMS) {
    const end = Math.min(size + 1, from + TURN_TERMS)
    for (let code = from; code < end; code++) {
      if (!matches(code)) continue
      if (count === codes.length) {
        const larger = new Uint32Array(2 * count)
        larger.set(codes)
        codes = larger
      }
      codes[count++] = code
    }
    if (turn.isOver) await turn.next()
  }
  return codes.slice(0, count)
}

function testOf(dictionary: Dictionary, type: FieldType, prefix: string): (code: number) => boolean {
  // A token is a single word.
  if (type === 'TEXT') return (code) => dictionary.term(code).startsWith(prefix)
  const exact = (code: number): boolean => beginsWord(dictionary.term(code), prefix)
  if (!(dictionary instanceof SortedDictionary) || !/^\p{ASCII}+$/u.test(prefix)) return exact
  return asciiTest(dictionary.data, prefix, exact)
}

const IS_WORD = new Uint8Array(256)
for (const character of '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz') {
  IS_WORD[character.charCodeAt(0)] = 1
}

/** Longer tokens are cut, so that one may start between two letters. */
const LONGEST_TOKEN = 255

/**
 * Word boundaries and the lower case of other characters are expensive, and need only be looked at if a term is not
 * ASCII, or has the prefix after its start.
 */
function asciiTest(
  { bytes, starts }: DictionaryData,
  prefix: string,
  exact: (code: number) => boolean,
): (code: number) => boolean {
  const lower = new Uint8Array(256).map((_, byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte))
  const sought = Uint8Array.from(prefix, (character) => character.charCodeAt(0))
  const first = sought[0] ?? 0
  const length = sought.length
  const isAt = (at: number): boolean => {
    for (let i = 1; i < length; i++) if (lower[bytes[at + i] ?? 0] !== sought[i]) return false
    return true
  }
  return (code) => {
    const from = starts[code - 1] ?? 0
    const to = starts[code] ?? 0
    // No token starts after a letter, digit or _, unless a long one was cut.
    const mayCut = to - from > LONGEST_TOKEN
    let previous = 0
    for (let at = from; at < to; at++) {
      const byte = bytes[at] ?? 0
      if (byte > 127) return exact(code)
      if (lower[byte] === first && at + length <= to && (mayCut || IS_WORD[previous] === 0) && isAt(at)) {
        return at === from || exact(code)
      }
      previous = byte
    }
    return false
  }
}

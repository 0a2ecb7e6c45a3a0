import { LRUCache } from 'lru-cache'
import type { Turn } from '../../../../../turn.ts'
import type { Dictionary, DictionaryData } from '../../../segment/dictionary.ts'
import { compareBytes } from '../../../segment/sorted-dictionary.ts'

/**
 * Where the terms of a dictionary are in another one. By code: the code in the other. If the other lacks the term: 0, or
 * if it is sorted, minus the number of its terms that come before.
 */
export interface Translation {
  codes: Int32Array
  /** Codes up to this one are translated. A dictionary of a tail grows. */
  known: number
}

/** Maximum memory of all translations that are kept. */
const MOST_BYTES = 2 ** 26
/** Memory of a translation besides its codes. */
const OVERHEAD = 256

const kept = new LRUCache<string, Translation>({
  maxSize: MOST_BYTES,
  sizeCalculation: ({ codes }) => OVERHEAD + codes.byteLength,
})

const names = new WeakMap<object, number>()
let named = 0

/** Returns a number that no other dictionary has. */
function nameOf({ origin }: Dictionary): number {
  const known = names.get(origin)
  if (known !== undefined) return known
  names.set(origin, ++named)
  return named
}

/** Terms that are translated between two looks at the clock. */
const CHUNK = 1024

/** Returns the translation of all terms. It is computed once for two dictionaries, as long as it is kept. */
export async function translateTerms(source: Dictionary, target: Dictionary, turn: Turn): Promise<Translation> {
  // An unsorted target grows, so that terms it lacked may be in it later.
  const name = `${nameOf(source)}/${nameOf(target)}/${target.size}`
  const { codes, known } = kept.get(name) ?? { codes: new Int32Array(0), known: 0 }
  if (known >= source.size) return { codes, known }
  const longer = new Int32Array(source.size + 1)
  longer.set(codes.subarray(0, known + 1))
  const translate = translator(source, target)
  for (let first = known + 1; first <= source.size; first += CHUNK) {
    translate(first, Math.min(source.size + 1, first + CHUNK), longer)
    if (turn.isOver) await turn.next()
  }
  const translation = { codes: longer, known: source.size }
  kept.set(name, translation)
  return translation
}

/** Translates the codes from `first` to `end` (excluded). Called for ascending codes. */
type Translator = (first: number, end: number, codes: Int32Array) => void

function translator(source: Dictionary, target: Dictionary): Translator {
  const from = source.data
  const to = target.data
  if (!from || !to || !target.sorted) {
    return (first, end, codes) => {
      for (let code = first; code < end; code++) codes[code] = placeOf(source.term(code), target)
    }
  }
  const find = source.sorted ? ascendingFinder(from, to) : finder(from, to)
  return (first, end, codes) => {
    for (let code = first; code < end; code++) {
      const found = find(code)
      codes[code] = compareTerms(to, found, from, code) === 0 ? found : 1 - found
    }
  }
}

function placeOf(term: string, target: Dictionary): number {
  const code = target.codeOf(term)
  return code > 0 || !target.sorted ? code : 1 - target.firstFrom(term)
}

/** Returns the first code whose term is not less than that of a code of the other dictionary; size + 1 if none. */
type Finder = (code: number) => number

const finder =
  (from: DictionaryData, to: DictionaryData): Finder =>
  (code) =>
    firstFrom(from, code, to, 1, to.starts.length)

/** For terms that ascend: the search begins where the last one ended, with steps that double. */
function ascendingFinder(from: DictionaryData, to: DictionaryData): Finder {
  const end = to.starts.length
  let at = 1
  return (code) => {
    let step = 1
    let low = at
    while (low + step < end && compareTerms(to, low + step - 1, from, code) < 0) {
      low += step
      step *= 2
    }
    at = firstFrom(from, code, to, low, Math.min(end, low + step))
    return at
  }
}

function firstFrom(from: DictionaryData, code: number, to: DictionaryData, first: number, end: number): number {
  let low = first
  let high = end
  while (low < high) {
    const middle = (low + high) >>> 1
    if (compareTerms(to, middle, from, code) < 0) low = middle + 1
    else high = middle
  }
  return low
}

/** A code beyond the last comes after all terms. */
function compareTerms(a: DictionaryData, aCode: number, b: DictionaryData, bCode: number): number {
  if (aCode >= a.starts.length) return 1
  const [aFrom, aTo] = [a.starts[aCode - 1] ?? 0, a.starts[aCode] ?? 0]
  return compareBytes(a.bytes, aFrom, aTo, b.bytes, b.starts[bCode - 1] ?? 0, b.starts[bCode] ?? 0)
}

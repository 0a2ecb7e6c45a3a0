import type { Dictionary, DictionaryData } from './dictionary.ts'

/** Terms that are decoded together when they are read in turn. */
const RUN = 256

/** The dictionary of a column of a segment. The order of UTF-8 bytes is that of code points. */
export class SortedDictionary implements Dictionary {
  readonly data: DictionaryData
  readonly size: number
  readonly sorted = true
  readonly #buffer: Buffer
  /** The code asked for last. */
  #last = 0
  /** Text of the terms from `#runFrom` to `#runTo` (excluded). Undefined if not all of them are ASCII. */
  #run: string | undefined
  #runFrom = 0
  #runTo = 0

  get origin(): object {
    return this.data
  }

  constructor(data: DictionaryData) {
    this.data = data
    this.size = data.starts.length - 1
    this.#buffer = Buffer.from(data.bytes.buffer, data.bytes.byteOffset, data.bytes.byteLength)
  }

  term(code: number): string {
    const isNext = code === this.#last + 1
    this.#last = code
    if (isNext && !this.#isInRun(code)) this.#readRun(code)
    const { starts } = this.data
    const from = starts[code - 1] ?? 0
    const to = starts[code] ?? 0
    if (this.#run === undefined || !this.#isInRun(code)) return this.#buffer.toString('utf8', from, to)
    const base = starts[this.#runFrom - 1] ?? 0
    return this.#run.slice(from - base, to - base)
  }

  #isInRun(code: number): boolean {
    return code >= this.#runFrom && code < this.#runTo
  }

  /** Decoding many terms at once is several times faster. */
  #readRun(code: number): void {
    const { starts } = this.data
    this.#runFrom = code
    this.#runTo = Math.min(this.size + 1, code + RUN)
    const from = starts[code - 1] ?? 0
    const to = starts[this.#runTo - 1] ?? from
    const text = this.#buffer.toString('utf8', from, to)
    this.#run = text.length === to - from ? text : undefined
  }

  codeOf(term: string): number {
    const sought = Buffer.from(term)
    const code = this.#firstFrom(sought)
    return code <= this.size && this.#compare(code, sought) === 0 ? code : 0
  }

  firstFrom(term: string): number {
    return this.#firstFrom(Buffer.from(term))
  }

  #firstFrom(sought: Uint8Array): number {
    let low = 1
    let high = this.size + 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.#compare(middle, sought) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #compare(code: number, sought: Uint8Array): number {
    const { bytes, starts } = this.data
    return compareBytes(bytes, starts[code - 1] ?? 0, starts[code] ?? 0, sought, 0, sought.length)
  }
}

export function compareBytes(
  a: Uint8Array,
  aFrom: number,
  aTo: number,
  b: Uint8Array,
  bFrom: number,
  bTo: number,
): number {
  const length = Math.min(aTo - aFrom, bTo - bFrom)
  for (let i = 0; i < length; i++) {
    const difference = (a[aFrom + i] ?? 0) - (b[bFrom + i] ?? 0)
    if (difference !== 0) return difference
  }
  return aTo - aFrom - (bTo - bFrom)
}

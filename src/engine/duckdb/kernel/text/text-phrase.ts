import { type Codes, type TextColumn, VALUE_START } from '../../segment/column.ts'

/** Above this many tokens, a native copy is faster than a loop. */
const MANY = 256

/** A phrase in the codes of one dictionary. */
export interface CodedPhrase {
  /** Codes of the tokens; the last one does not count if `last` is set. */
  readonly codes: readonly number[]
  /** 1 for the codes that the last token may have. */
  readonly last?: Uint8Array
  readonly slop: number
}

/** Reads the tokens of rows through one buffer, so that the loops see a single type of array. */
export class PhraseReader {
  readonly #tokens: Codes
  readonly #starts: Uint32Array
  readonly #codes: Uint32Array
  readonly #last: Uint8Array | undefined
  readonly #slop: number
  #buffer: Uint32Array = new Uint32Array(4096)
  /** Position of `#buffer[0]` in the tokens. */
  #offset = 0
  #end = 0

  constructor({ tokens, starts }: TextColumn, { codes, last, slop }: CodedPhrase) {
    this.#tokens = tokens
    this.#starts = starts
    this.#codes = Uint32Array.from(codes)
    this.#last = last
    this.#slop = slop
  }

  /** Loads the tokens of the rows from `from` to `to`. */
  load(from: number, to: number): void {
    const start = this.#starts[from] ?? 0
    const end = this.#starts[to] ?? start
    if (end - start > this.#buffer.length) this.#buffer = new Uint32Array(2 * (end - start))
    if (end - start > MANY) this.#buffer.set(this.#tokens.subarray(start, end))
    else copyFew(this.#tokens, start, end, this.#buffer)
    this.#offset = start
    this.#end = end
  }

  /** True if a value of a loaded row contains the phrase. */
  holds(row: number): boolean {
    const from = (this.#starts[row] ?? 0) - this.#offset
    const to = (this.#starts[row + 1] ?? 0) - this.#offset
    const last = this.#last
    if (this.#codes.length > 1) return holdsPhrase(this.#buffer, from, to, this.#codes, last, this.#slop)
    return last ? holdsAny(this.#buffer, from, to, last) : holdsOne(this.#buffer, from, to, this.#codes[0] ?? 0)
  }

  /** Drops a buffer that a long text has grown. */
  release(): void {
    if (this.#end - this.#offset > 2 ** 20) this.#buffer = new Uint32Array(4096)
  }
}

function copyFew(tokens: Codes, start: number, end: number, buffer: Uint32Array): void {
  for (let at = start; at < end; at++) buffer[at - start] = tokens[at] ?? 0
}

function holdsOne(tokens: Uint32Array, from: number, to: number, code: number): boolean {
  for (let at = from; at < to; at++) if (tokens[at] === code) return true
  return false
}

function holdsAny(tokens: Uint32Array, from: number, to: number, codes: Uint8Array): boolean {
  for (let at = from; at < to; at++) if (codes[tokens[at] ?? 0] === 1) return true
  return false
}

/** As `holdsPhrase` of query/evaluate: from each first token on, the nearest next ones are the best. */
function holdsPhrase(
  tokens: Uint32Array,
  from: number,
  to: number,
  codes: Uint32Array,
  last: Uint8Array | undefined,
  slop: number,
): boolean {
  const first = codes[0] ?? 0
  for (let start = from; start < to; start++) {
    if (tokens[start] === first && startsAt(tokens, start, to, codes, last, slop)) return true
  }
  return false
}

function startsAt(
  tokens: Uint32Array,
  start: number,
  to: number,
  codes: Uint32Array,
  last: Uint8Array | undefined,
  slop: number,
): boolean {
  const count = codes.length
  let next = 1
  for (let at = start + 1; at < to && at - start - next <= slop; at++) {
    const token = tokens[at] ?? VALUE_START
    if (token === VALUE_START) return false
    const fits = last !== undefined && next === count - 1 ? last[token] === 1 : token === codes[next]
    if (fits && ++next === count) return true
  }
  return false
}

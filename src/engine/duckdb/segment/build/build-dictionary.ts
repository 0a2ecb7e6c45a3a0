import { compareCodePoints } from '../../../../query/value/code-point-order.ts'
import type { Dictionary, DictionaryData } from '../dictionary.ts'
import { sharedUint8s, sharedUint32s } from '../shared-arrays.ts'
import { compareBytes, SortedDictionary } from '../sorted-dictionary.ts'

/** A dictionary of which only some codes are used. */
interface UsedTerms {
  readonly dictionary: Dictionary
  /** By code: 1 if it is used. */
  readonly isUsed: Uint8Array
}

interface MergedTerms {
  readonly data: DictionaryData
  /** For each dictionary, the new code by code. 0 stays 0. */
  readonly codes: readonly Uint32Array[]
}

/** Merges the used terms of dictionaries into a sorted one. */
export function mergeTerms(used: readonly UsedTerms[]): MergedTerms {
  const runs = used.map(sortedRun)
  const terms = runs.reduce((sum, run) => sum + run.codes.length, 0)
  const codes = used.map(({ dictionary }) => new Uint32Array(dictionary.size + 1))
  // Upper bounds: terms of several dictionaries are counted several times.
  const bytes = new Uint8Array(runs.reduce((sum, run) => sum + run.length, 0))
  const starts = new Uint32Array(terms + 1)
  let size = 0
  let end = 0
  let lastFrom = 0
  const heap = new RunHeap(runs)
  for (let run = heap.first; run !== undefined; run = heap.first) {
    const code = run.codes[run.at] ?? 0
    const from = run.starts[code - 1] ?? 0
    const to = run.starts[code] ?? 0
    if (size === 0 || compareBytes(bytes, lastFrom, end, run.bytes, from, to) !== 0) {
      lastFrom = end
      for (let i = from; i < to; i++) bytes[end++] = run.bytes[i] ?? 0
      starts[++size] = end
    }
    const mapped = codes[run.number]
    if (mapped) mapped[run.realCodes?.[code] ?? code] = size
    heap.advance()
  }
  const data = { bytes: sharedUint8s(end), starts: sharedUint32s(size + 1) }
  data.bytes.set(bytes.subarray(0, end))
  data.starts.set(starts.subarray(0, size + 1))
  return { data, codes }
}

/** Used terms of a dictionary, ascending. */
interface Run extends DictionaryData {
  readonly number: number
  /** Used codes, ascending. */
  readonly codes: Uint32Array
  /** The codes in an unsorted dictionary. */
  readonly realCodes?: Uint32Array
  /** Bytes of the used terms. */
  readonly length: number
  at: number
}

function sortedRun({ dictionary, isUsed }: UsedTerms, number: number): Run {
  if (!(dictionary instanceof SortedDictionary)) return encodedRun({ dictionary, isUsed }, number)
  const { starts } = dictionary.data
  const codes = usedCodes(isUsed)
  let length = 0
  for (let i = 0; i < codes.length; i++) length += (starts[codes[i] ?? 0] ?? 0) - (starts[(codes[i] ?? 0) - 1] ?? 0)
  return { ...dictionary.data, number, codes, length, at: 0 }
}

function usedCodes(isUsed: Uint8Array): Uint32Array {
  let count = 0
  for (let code = 1; code < isUsed.length; code++) count += isUsed[code] ?? 0
  const codes = new Uint32Array(count)
  let end = 0
  for (let code = 1; code < isUsed.length; code++) if (isUsed[code] === 1) codes[end++] = code
  return codes
}

function encodedRun({ dictionary, isUsed }: UsedTerms, number: number): Run {
  const used = usedCodes(isUsed)
  const terms: { readonly term: string; readonly code: number }[] = []
  for (const code of used) terms.push({ term: dictionary.term(code).toWellFormed(), code })
  terms.sort((a, b) => compareCodePoints(a.term, b.term))
  const starts = new Uint32Array(terms.length + 1)
  const realCodes = new Uint32Array(terms.length + 1)
  for (const [i, { term, code }] of terms.entries()) {
    starts[i + 1] = (starts[i] ?? 0) + Buffer.byteLength(term)
    realCodes[i + 1] = code
  }
  const bytes = Buffer.alloc(starts[terms.length] ?? 0)
  for (const [i, { term }] of terms.entries()) bytes.write(term, starts[i] ?? 0)
  const codes = Uint32Array.from(terms, (_, i) => i + 1)
  return { bytes, starts, number, codes, realCodes, length: bytes.length, at: 0 }
}

/** A heap of runs that still have terms, by their next term. */
class RunHeap {
  readonly #runs: Run[] = []

  constructor(runs: readonly Run[]) {
    for (const run of runs) if (run.codes.length > 0) this.#runs.push(run)
    for (let i = this.#runs.length >> 1; i >= 0; i--) this.#sink(i)
  }

  get first(): Run | undefined {
    return this.#runs[0]
  }

  /** Moves the first run to its next term. */
  advance(): void {
    const [run] = this.#runs
    if (run === undefined) return
    run.at++
    if (run.at === run.codes.length) {
      const last = this.#runs.pop()
      if (last === undefined || last === run) return
      this.#runs[0] = last
    }
    this.#sink(0)
  }

  #sink(from: number): void {
    const runs = this.#runs
    for (let at = from; ; ) {
      const run = runs[at]
      const left = runs[2 * at + 1]
      const right = runs[2 * at + 2]
      if (run === undefined || left === undefined) return
      const isRight = right !== undefined && compareNext(right, left) < 0
      const least = isRight ? right : left
      if (compareNext(run, least) <= 0) return
      const next = 2 * at + (isRight ? 2 : 1)
      runs[at] = least
      runs[next] = run
      at = next
    }
  }
}

function compareNext(a: Run, b: Run): number {
  const x = a.codes[a.at] ?? 0
  const y = b.codes[b.at] ?? 0
  return compareBytes(a.bytes, a.starts[x - 1] ?? 0, a.starts[x] ?? 0, b.bytes, b.starts[y - 1] ?? 0, b.starts[y] ?? 0)
}

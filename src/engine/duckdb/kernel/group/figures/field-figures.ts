import { BLOCK, type NumberBlocks, type NumberColumn } from '../../../segment/column.ts'
import type { Accumulator, Buckets } from '../arrays/accumulator.ts'
import { readCodes, readNumbers } from '../arrays/block-reader.ts'
import { type FigureKinds, Figures } from './figures.ts'
import { PackedFigures } from './packed-figures.ts'
import { spreadValues } from './spread-values.ts'

/** Numbers of the rows of a part: a column, or the coordinates of one. */
export interface NumberSource extends Pick<NumberColumn, 'values' | 'packing'> {
  readonly starts?: Uint32Array | undefined
  readonly blocks?: NumberBlocks | undefined
}

let scratch = new Float64Array(BLOCK)
let codeScratch = new Uint32Array(BLOCK)

/** The figures of all values of a field. */
export class FieldFigures implements Accumulator {
  readonly figures: Figures
  readonly #packed: PackedFigures
  readonly #sources: readonly (NumberSource | undefined)[]
  #source: NumberSource | undefined
  /** Figures of the current part, if its buckets are no groups yet. */
  #own: Figures

  constructor(sources: readonly (NumberSource | undefined)[], kinds: FigureKinds) {
    this.#sources = sources
    this.figures = new Figures(kinds)
    this.#own = this.figures
    this.#packed = new PackedFigures(kinds)
  }

  /** `isApart`: buckets of the part are turned into groups at its end. */
  begin(part: number, isApart = false): void {
    this.#source = this.#sources[part]
    const countsMissing = isApart && this.#source?.starts === undefined
    this.#packed.countsMissing = countsMissing
    this.#own = isApart ? new Figures(this.figures.kinds, countsMissing) : this.figures
  }

  add(rows: Uint32Array | undefined, from: number, buckets: Buckets, count: number, size: number): void {
    const source = this.#source
    if (source === undefined) return
    if (source.starts !== undefined) {
      const spread = spreadValues(source.starts, rows, from, buckets, count)
      this.#addRead(source, spread.positions, 0, spread.buckets, spread.count, size)
      return
    }
    if (typeof buckets === 'number' && this.figures.areExtremes && isWholeBlock(rows, from, count)) {
      const { min, max } = source.blocks ?? {}
      if (min && max) {
        this.#own.addExtremes(buckets, min[from / BLOCK] ?? 0, max[from / BLOCK] ?? 0)
        return
      }
    }
    this.#addRead(source, rows, from, buckets, count, size)
  }

  #addRead(
    source: NumberSource,
    positions: Uint32Array | undefined,
    from: number,
    buckets: Buckets,
    count: number,
    size: number,
  ): void {
    if (source.packing !== undefined && !(source.values instanceof Float64Array)) {
      if (positions === undefined && source.values instanceof Uint32Array) {
        this.#packed.add(source.values.subarray(from, from + count), buckets, count, size)
        return
      }
      if (count > codeScratch.length) codeScratch = new Uint32Array(2 * count)
      readCodes(source.values, positions, from, count, codeScratch)
      this.#packed.add(codeScratch, buckets, count, size)
      return
    }
    if (positions === undefined && source.values instanceof Float64Array) {
      this.#own.add(source.values.subarray(from, from + count), buckets, count, size)
      return
    }
    if (count > scratch.length) scratch = new Float64Array(2 * count)
    readNumbers(source, positions, from, count, scratch)
    this.#own.add(scratch, buckets, count, size)
  }

  /** If buckets are no groups, `groups` are the group of each bucket, or a negative number, and `rows` their rows. */
  end(groups?: Int32Array, rows: Uint32Array = new Uint32Array()): void {
    const source = this.#source
    const packing = source?.packing
    if (packing) this.#packed.moveTo(this.figures, packing, groups, rows)
    else if (groups && source) this.#own.moveTo(this.figures, groups, rows)
    this.#own = this.figures
    this.#source = undefined
  }
}

const isWholeBlock = (rows: Uint32Array | undefined, from: number, count: number): boolean =>
  rows === undefined && count === BLOCK && from % BLOCK === 0

import type { Field } from '../../../../../query/schema/field.ts'
import type { Turn } from '../../../../../turn.ts'
import { type Accumulator, type Buckets, grownCounts } from '../arrays/accumulator.ts'
import { PairSet } from '../arrays/pair-set.ts'
import type { ScannedPart } from '../arrays/scan.ts'
import { Entries, KeyMapper } from '../keys/key-mapper.ts'
import type { KeySpace } from '../keys/key-space.ts'
import { levelKeys } from '../keys/level-keys.ts'

/** Counts the distinct values of a field in each bucket, exactly. */
export class DistinctValues implements Accumulator {
  readonly #space: KeySpace
  readonly #mappers: readonly (KeyMapper | undefined)[]
  readonly #pairs = new PairSet()
  readonly #entries = new Entries()
  #counts: Uint32Array = new Uint32Array()
  #mapper: KeyMapper | undefined
  #size = 0

  constructor(field: Field, parts: readonly ScannedPart[]) {
    const { columns, space } = levelKeys({ kind: 'term', field }, parts, 0)
    this.#space = space
    this.#mappers = columns.map((column) => column && new KeyMapper(column))
  }

  async prepare(turn: Turn): Promise<void> {
    await this.#space.prepare?.(turn)
  }

  begin(part: number): void {
    this.#mapper = this.#mappers[part]
  }

  add(rows: Uint32Array | undefined, from: number, buckets: Buckets, count: number, size: number): void {
    this.#size = size
    this.#counts = grownCounts(this.#counts, size)
    const { ids } = this.#entries
    const found = typeof buckets === 'number' ? this.#mapper?.mapIds(rows, from, count, ids) : undefined
    if (typeof buckets === 'number' && found !== undefined) {
      this.#pairs.addTogether(buckets, ids, found, size, this.#space.size, this.#counts)
      return
    }
    this.#mapper?.map(rows, from, buckets, count, this.#entries, this.#countNew)
  }

  readonly #countNew = (): void => {
    const { outer, ids, count } = this.#entries
    this.#pairs.addAll(outer, ids, count, this.#size, this.#space.size, this.#counts)
  }

  end(): void {
    this.#mapper = undefined
  }

  count(bucket: number): number {
    return this.#counts[bucket] ?? 0
  }
}

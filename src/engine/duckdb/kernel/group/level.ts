import type { MetricValue } from '../../../../query/aggregation/bucket.ts'
import type { AggregationLevel } from '../../../../query/plan/aggregation-plan.ts'
import type { Turn } from '../../../../turn.ts'
import type { RowRef } from '../numbered-part.ts'
import { type Accumulator, type Buckets, grownCounts } from './arrays/accumulator.ts'
import { PairNumbers } from './arrays/pair-numbers.ts'
import type { ScannedPart } from './arrays/scan.ts'
import { selectGroups } from './bucket-selection.ts'
import { DistinctValues } from './figures/distinct-values.ts'
import { FieldFigures } from './figures/field-figures.ts'
import { gatherFigures, isFigure } from './figures/level-metrics.ts'
import { TopLists } from './figures/top-lists.ts'
import { Entries, KeyMapper } from './keys/key-mapper.ts'
import { RunFinder } from './keys/key-runs.ts'
import type { KeySpace } from './keys/key-space.ts'
import { type LevelKeys, levelKeys } from './keys/level-keys.ts'
import { SlotCounts } from './slot-counts.ts'
import { NO_GROUP, type SlotLevel, SlotPass } from './slot-pass.ts'

/** `group`: number of a bucket before the cut. `place`: its index among the kept buckets. */
type BucketValue<T> = (group: number, place: number) => T

/**
 * A level of an aggregation while its buckets are found. Groups are buckets before the level is cut to its size,
 * numbered by appearance. After the cut, `keep` selects those that remain.
 */
export class Level {
  readonly plan: AggregationLevel
  readonly depth: number
  /** Groups of the level, which exist if their count is not 0. */
  counts: Uint32Array = new Uint32Array()
  /** Groups that remain: by parent, in order. Undefined before the cut. */
  kept: Uint32Array | undefined
  /** Sum of the counts of the groups that were cut, by place of the parent. */
  others: readonly number[] = []
  /** Number of the first kept group of each parent, by place; one more at the end. */
  keptStarts: readonly number[] = []
  metrics: BucketValue<MetricValue>[] = []
  tops: BucketValue<readonly RowRef[]>[] = []
  above: Level | undefined
  /** The level nested in this one. */
  below: Level | undefined
  /** The same, if the current pass visits it. */
  next: Level | undefined
  /** True if the next level was not found in the same pass: it numbers its groups by the places of this level. */
  endsPhase = false
  readonly #keys: LevelKeys
  readonly #mappers: readonly (KeyMapper | undefined)[]
  /** By group: parent and id of the key. In the first level, groups are ids. */
  readonly #pairs: PairNumbers | undefined
  readonly #entries = new Entries()
  readonly #parts: readonly ScannedPart[]
  #accumulators: Accumulator[] = []
  #slotCounts: SlotCounts | undefined
  #runFinder: RunFinder | undefined
  /** Groups the rows of the current part, for this level and those nested in it. In the first level only. */
  #slotPass: SlotPass | undefined
  #mapper: KeyMapper | undefined
  /** By group: place among the kept ones, or -1. */
  #places: Int32Array = new Int32Array()
  #onPlaces = new Uint32Array(0)

  constructor(plan: AggregationLevel, depth: number, parts: readonly ScannedPart[], mostCells: number) {
    this.plan = plan
    this.depth = depth
    this.#parts = parts
    this.#keys = levelKeys(plan.grouping, parts, mostCells)
    this.#mappers = this.#keys.columns.map((column) => column && new KeyMapper(column))
    this.#pairs = depth === 0 ? undefined : new PairNumbers()
  }

  get space(): KeySpace {
    return this.#keys.space
  }

  /** Upper bound of the number of keys. */
  get mostKeys(): number {
    const most = this.#keys.columns.map((column) =>
      column === undefined ? 0 : column.bounded ? column.slots : Number.POSITIVE_INFINITY,
    )
    return most.reduce((sum, n) => sum + n, 0)
  }

  /** Lower bound of the number of groups so far. */
  get found(): number {
    if (this.#pairs) return this.#pairs.count
    return this.space.isFound && !this.#slotCounts ? this.space.size : 0
  }

  /** Upper bound of the numbers of groups so far. */
  get size(): number {
    return this.#pairs?.count ?? this.space.size
  }

  keyOf(group: number): number {
    return this.#pairs?.second(group) ?? group
  }

  parentOf(group: number): number {
    return this.#pairs?.first(group) ?? 0
  }

  /** Chooses what the pass that finds the groups gathers. `isWhole`: no group will be cut. */
  gatherEarly(isWhole: boolean): void {
    const { metrics, tops, order } = this.plan
    const parts = this.#parts
    const figures = metrics.filter(isFigure)
    const { accumulators, values } = gatherFigures(figures, parts)
    this.#accumulators = [...accumulators]
    for (const [i, metric] of metrics.entries()) {
      if (isFigure(metric)) {
        const value = values[figures.indexOf(metric)]
        this.metrics[i] = (group) => value?.(group) ?? null
      } else if (isWhole || (order.by === 'metric' && order.metric === i)) {
        const distinct = new DistinctValues(metric.field, parts)
        this.#accumulators.push(distinct)
        this.metrics[i] = (group) => distinct.count(group)
      }
    }
    for (const [i, top] of tops.entries()) {
      if (top.size !== 1) continue
      const lists = new TopLists(top, this.#parts)
      this.#accumulators.push(lists)
      this.tops[i] = (group) => lists.refs(group)
    }
  }

  /** In a pass that finds groups of inner levels. */
  gatherNothing(): void {
    this.#accumulators = []
  }

  /** Chooses what a later pass gathers about the kept groups only. Returns false if nothing is missing. */
  gatherLate(): boolean {
    const { metrics, tops } = this.plan
    this.#accumulators = []
    for (const [i, { field }] of metrics.entries()) {
      if (this.metrics[i]) continue
      const distinct = new DistinctValues(field, this.#parts)
      this.#accumulators.push(distinct)
      this.metrics[i] = (_, place) => distinct.count(place)
    }
    for (const [i, top] of tops.entries()) {
      if (this.tops[i]) continue
      const lists = new TopLists(top, this.#parts)
      this.#accumulators.push(lists)
      this.tops[i] = (_, place) => lists.refs(place)
    }
    return this.#accumulators.length > 0
  }

  /** Prepares this level and those of the same pass. */
  async prepare(turn: Turn): Promise<void> {
    await this.space.prepare?.(turn)
    for (const accumulator of this.#accumulators) await accumulator.prepare?.(turn)
    await this.next?.prepare(turn)
  }

  begin(part: number): void {
    this.#slotPass = this.depth === 0 ? this.#slotPassOf(part) : undefined
    if (this.#slotPass) return
    this.#mapper = this.#mappers[part]
    for (const accumulator of this.#accumulators) accumulator.begin(part)
    const column = this.#mapper?.column
    const countsOnly = !this.kept && !this.next && this.#accumulators.length === 0
    this.#slotCounts = countsOnly && column ? SlotCounts.of(column, this.#parents) : undefined
    const runs = column?.kind === 'filled' && this.depth === 0 ? column.runs : undefined
    this.#runFinder = runs && new RunFinder(runs)
    this.next?.begin(part)
  }

  #slotPassOf(part: number): SlotPass | undefined {
    const scanned = this.#parts[part]
    if (scanned === undefined) return undefined
    const levels: SlotLevel[] = []
    for (let level: Level | undefined = this; level; level = level.next) {
      const own = level.#slotLevel(part)
      if (own === undefined) return undefined
      levels.push(own)
    }
    const pass = SlotPass.of(levels, scanned)
    if (pass) for (const { figures } of levels) for (const each of figures) each.begin(part, true)
    return pass
  }

  #slotLevel(part: number): SlotLevel | undefined {
    const mapper = this.#mappers[part]
    const figures = this.#accumulators.filter((accumulator) => accumulator instanceof FieldFigures)
    if (this.kept || mapper === undefined || figures.length < this.#accumulators.length) return undefined
    return {
      column: mapper.column,
      figures,
      numberGroups: (parents, slots, count, out) => this.#numberGroups(mapper, parents, slots, count, out),
      addCount: (group, count) => {
        if (group >= this.counts.length) this.counts = grownCounts(this.counts, this.size)
        this.counts[group] = (this.counts[group] ?? 0) + count
      },
    }
  }

  #numberGroups(mapper: KeyMapper, parents: Int32Array, slots: Uint32Array, count: number, out: Int32Array): void {
    const outer = new Uint32Array(count)
    const ids = new Uint32Array(count)
    const places = new Uint32Array(count)
    let n = 0
    for (let i = 0; i < count; i++) {
      const id = mapper.idOf(slots[i] ?? 0)
      if (id < 0) continue
      outer[n] = parents[i] ?? 0
      ids[n] = id
      places[n++] = i
    }
    this.#pairs?.numberAll(outer, ids, n, ids)
    out.fill(NO_GROUP, 0, count)
    for (let i = 0; i < n; i++) out[places[i] ?? 0] = ids[i] ?? 0
  }

  /** Number of groups of the level above so far, if this level uses them as parents. */
  get #parents(): number {
    return this.above === undefined ? 1 : this.above.endsPhase ? (this.above.kept?.length ?? 0) : this.above.size
  }

  end(): void {
    if (this.#slotPass) {
      this.#slotPass.end()
      this.#slotPass = undefined
      return
    }
    for (const accumulator of this.#accumulators) accumulator.end()
    this.#addSlotCounts()
    this.next?.end()
  }

  #addSlotCounts(): void {
    const mapper = this.#mapper
    const [parents, ids] = [new Uint32Array(1), new Uint32Array(1)]
    this.#slotCounts?.each((parent, slot, count) => {
      const id = mapper?.idOf(slot) ?? -1
      if (id < 0) return
      parents[0] = parent
      ids[0] = id
      this.#pairs?.numberAll(parents, ids, 1, ids)
      const group = ids[0]
      if (group >= this.counts.length) this.counts = grownCounts(this.counts, this.size)
      this.counts[group] = (this.counts[group] ?? 0) + count
    })
    this.#slotCounts = undefined
  }

  /** True if the level takes all live rows of the part and subtracts those that the filter excepts. */
  get takesAll(): boolean {
    return this.#slotPass?.takesAll ?? false
  }

  /** Adds all live rows of the part if their number by key is known. */
  addKnown(): boolean {
    return this.#slotPass?.addKnown() ?? false
  }

  /** Adds rows: `rows`, ascending, or those from `from` on. `parents`: their groups in the level above. */
  add(rows: Uint32Array | undefined, from: number, parents: Buckets, count: number): void {
    if (this.#slotPass) {
      this.#slotPass.add(rows, from, count)
      return
    }
    if (this.#runFinder) {
      const isSplit = this.#runFinder.split(rows, from, count, (slot, first, end) => {
        const own = rows?.subarray(first, end)
        this.#addRun(slot, own, own?.[0] ?? from + first, end - first)
      })
      if (isSplit) return
    }
    if (this.#slotCounts && !this.#slotCounts.fits(this.#parents)) this.#addSlotCounts()
    if (this.#slotCounts) this.#slotCounts.add(rows, from, parents, count)
    else this.#mapper?.map(rows, from, parents, count, this.#entries, this.#addEntries)
  }

  /** Adds rows with the same key. In the first level only. */
  #addRun(slot: number, rows: Uint32Array | undefined, from: number, count: number): void {
    if (this.#slotCounts) {
      this.#slotCounts.addRun(slot, count)
      return
    }
    const group = this.#mapper?.idOf(slot) ?? -1
    if (group < 0) return
    if (this.kept) {
      const place = this.#places[group] ?? -1
      if (place < 0) return
      for (const accumulator of this.#accumulators) accumulator.add(rows, from, place, count, this.kept.length)
      this.next?.add(rows, from, this.endsPhase ? place : group, count)
      return
    }
    const { size } = this
    this.counts = grownCounts(this.counts, size)
    this.counts[group] = (this.counts[group] ?? 0) + count
    for (const accumulator of this.#accumulators) accumulator.add(rows, from, group, count, size)
    this.next?.add(rows, from, group, count)
  }

  readonly #addEntries = (): void => {
    const { ids, outer, rows, count, areConsecutive } = this.#entries
    this.#pairs?.numberAll(outer, ids, count, ids)
    if (this.kept) {
      this.#addKept(rows, ids, count)
      return
    }
    const size = this.size
    this.counts = grownCounts(this.counts, size)
    countAll(this.counts, ids, count)
    const own = areConsecutive ? undefined : rows
    const from = rows[0] ?? 0
    for (const accumulator of this.#accumulators) accumulator.add(own, from, ids, count, size)
    this.next?.add(own, from, ids, count)
  }

  #addKept(rows: Uint32Array, groups: Uint32Array, count: number): void {
    if (this.#onPlaces.length < groups.length) this.#onPlaces = new Uint32Array(groups.length)
    const onPlaces = this.#onPlaces
    const places = this.#places
    let n = 0
    for (let i = 0; i < count; i++) {
      const group = groups[i] ?? 0
      const place = places[group] ?? -1
      if (place < 0) continue
      rows[n] = rows[i] ?? 0
      groups[n] = group
      onPlaces[n++] = place
    }
    if (n === 0) return
    const size = this.kept?.length ?? 0
    for (const accumulator of this.#accumulators) accumulator.add(rows, 0, onPlaces, n, size)
    this.next?.add(rows, 0, this.endsPhase ? onPlaces : groups, n)
  }

  /** Sorts the groups of each kept parent and cuts them to size. `parents`: the groups of the level above to keep. */
  keep(parents: Uint32Array): void {
    const { kept, starts, others } = selectGroups(this, parents)
    this.kept = kept
    this.keptStarts = starts
    this.others = others
    this.#places = new Int32Array(this.size).fill(-1)
    for (const [place, group] of kept.entries()) this.#places[group] = place
  }
}

function countAll(counts: Uint32Array, groups: Uint32Array, count: number): void {
  for (let i = 0; i < count; i++) {
    const group = groups[i] ?? 0
    counts[group] = (counts[group] ?? 0) + 1
  }
}

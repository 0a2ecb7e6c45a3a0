import type { Query } from '../../../cluster-client/cluster-client.ts'
import type { Scalar } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { limitFailure } from '../../tag-failures.ts'
import { type Failure, KEPT_FAILURES } from '../../tag-store.ts'
import type { TagTask } from '../../tag-task.ts'
import { readFieldHomes } from '../condition/field-homes.ts'
import { compileEquals } from '../condition/value-query.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { compileSelection } from '../selection/selection-query.ts'
import type { WorkEntry } from './tag-plan.ts'
import { type SnapshotHit, TagSnapshot } from './tag-snapshot.ts'
import {
  countByValue,
  distinctValues,
  filtered,
  readValue,
  VALUES_AT_ONCE,
  type ValueSource,
  valueRequest,
} from './tag-values.ts'
import type { WorkListWriter } from './tag-work-list.ts'

/** Maximum number of documents of units that are read together and then grouped by unit. */
const GROUP_DOCUMENTS = 10_000
/** Maximum number of dates per query, since each date becomes a clause. */
const GROUP_DATES = 200

/** Summary of a plan; its entries are in the work list. */
interface Planned {
  readonly propagated: number
  /** Number of units over the limit. */
  readonly failed: number
  readonly failures: readonly Failure[]
}

/** Determines the units of a task and writes their documents to a work list, all from one snapshot. */
export async function makePlan(
  context: ClusterContext,
  task: TagTask,
  list: WorkListWriter,
  signal: AbortSignal,
): Promise<Planned> {
  const { indices, target, propagation } = task
  const targetQuery = await compileSelection(context, { indices, predicate: target }, signal)
  if (propagation === undefined) {
    return withSnapshot(context, indices, signal, (snapshot) => planOne(snapshot, task, targetQuery, list, signal))
  }
  const { field, selection } = propagation
  const selectionQuery = await compileSelection(context, { indices, predicate: selection }, signal)
  const homes = await homesOf(context, indices, field, signal)
  return withSnapshot(context, indices, signal, (snapshot) => {
    const source = { snapshot, field, indices: [...homes.keys()] }
    const values = distinctValues({ ...source, query: selectionQuery }, signal)
    return new UnitPlanner(task, { ...source, query: targetQuery }, homes, list, signal).plan(values)
  })
}

async function withSnapshot<T>(
  context: ClusterContext,
  indices: readonly string[],
  signal: AbortSignal,
  work: (snapshot: TagSnapshot) => Promise<T>,
): Promise<T> {
  const snapshot = await TagSnapshot.open(context, indices, signal)
  try {
    return await work(snapshot)
  } finally {
    await snapshot.close()
  }
}

/** Returns the indices where a field has its type, and whether it is a date_nanos there. */
async function homesOf(
  context: ClusterContext,
  indices: readonly string[],
  field: Field,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, boolean>> {
  const found = (await readFieldHomes(context, { indices, predicate: { kind: 'exists', field } }, signal)).get(
    field.path,
  )
  if (found === undefined) return new Map(indices.map((index) => [index, false]))
  return new Map(
    indices.flatMap((index) => {
      const home = found.find((one) => one.indices === undefined || one.indices.includes(index))
      return home === undefined ? [] : [[index, home.nanos] as const]
    }),
  )
}

/** Plans a task without propagation, which has one unit. */
async function planOne(
  snapshot: TagSnapshot,
  task: TagTask,
  query: Query,
  list: WorkListWriter,
  signal: AbortSignal,
): Promise<Planned> {
  let documents = 0
  for (const index of snapshot.indices) {
    const body = { size: 0, track_total_hits: true, query: filtered(query) }
    documents += (await snapshot.search(index, body, signal)).hits.total?.value ?? 0
  }
  if (documents > task.maxHits) return { propagated: 1, failed: 1, failures: [limitFailure(task, documents)] }
  await list.begin(0, documents)
  for (const index of snapshot.indices) {
    const body = { _source: false, query: filtered(query) }
    for await (const hits of snapshot.pages(index, body, signal)) {
      for (const hit of hits) await list.add(toEntry(hit))
    }
  }
  return { propagated: 1, failed: 0, failures: [] }
}

interface Unit {
  readonly number: number
  readonly value: Scalar
  readonly documents: number
}

/** Plans the units of a propagation, value by value. */
class UnitPlanner {
  readonly #task: TagTask
  readonly #source: ValueSource
  readonly #homes: ReadonlyMap<string, boolean>
  readonly #list: WorkListWriter
  readonly #signal: AbortSignal
  readonly #failures: Failure[] = []
  #failed = 0
  #units = 0
  /** Consecutive units waiting to be read together. */
  #group: Unit[] = []
  #groupDocuments = 0

  constructor(
    task: TagTask,
    source: ValueSource,
    homes: ReadonlyMap<string, boolean>,
    list: WorkListWriter,
    signal: AbortSignal,
  ) {
    this.#task = task
    this.#source = source
    this.#homes = homes
    this.#list = list
    this.#signal = signal
  }

  async plan(values: AsyncIterable<Scalar>): Promise<Planned> {
    let batch: Scalar[] = []
    for await (const value of values) {
      if (batch.push(value) < VALUES_AT_ONCE) continue
      await this.#take(batch)
      batch = []
    }
    await this.#take(batch)
    return { propagated: this.#units, failed: this.#failed, failures: this.#failures }
  }

  async #take(values: readonly Scalar[]): Promise<void> {
    if (values.length === 0) return
    const counts = await countByValue(this.#source, values, this.#signal)
    for (const value of values) {
      const documents = counts.get(value) ?? 0
      const unit = { number: this.#units++, value, documents }
      if (documents > this.#task.maxHits) this.#fail(unit)
      else if (documents > 0) await this.#gather(unit)
    }
    await this.#readGroup()
  }

  async #gather(unit: Unit): Promise<void> {
    const isFull = this.#source.field.type === 'DATE' && this.#group.length >= GROUP_DATES
    if (isFull || this.#groupDocuments + unit.documents > GROUP_DOCUMENTS) await this.#readGroup()
    this.#group.push(unit)
    this.#groupDocuments += unit.documents
  }

  #fail({ value, documents }: Unit): void {
    this.#failed++
    if (this.#failures.length === KEPT_FAILURES) return
    this.#failures.push(limitFailure(this.#task, documents, { field: this.#source.field, value }))
  }

  async #readGroup(): Promise<void> {
    const group = this.#group
    this.#group = []
    this.#groupDocuments = 0
    const [only] = group
    if (only === undefined) return
    if (group.length === 1) await this.#readOne(only)
    else await this.#readSeveral(group)
  }

  /** Streams the documents of one unit, so that it may be arbitrarily large. */
  async #readOne({ number, value, documents }: Unit): Promise<void> {
    await this.#list.begin(number, documents)
    for await (const hits of this.#documentsWith([value])) {
      for (const hit of hits) await this.#list.add(toEntry(hit))
    }
  }

  async #readSeveral(group: readonly Unit[]): Promise<void> {
    const { field } = this.#source
    const entries = new Map<Scalar, WorkEntry[]>(group.map(({ value }) => [value, []]))
    for await (const hits of this.#documentsWith(group.map(({ value }) => value))) {
      for (const hit of hits) {
        const values = new Set((hit.fields?.[field.path] ?? []).map((raw) => readValue(raw, field.type)))
        for (const value of values) entries.get(value)?.push(toEntry(hit))
      }
    }
    for (const { number, value } of group) {
      const found = entries.get(value) ?? []
      if (found.length === 0) continue
      await this.#list.begin(number, found.length)
      for (const entry of found) await this.#list.add(entry)
    }
  }

  async *#documentsWith(values: readonly Scalar[]): AsyncIterable<readonly SnapshotHit[]> {
    const { snapshot, field, query } = this.#source
    for (const [index, nanos] of this.#homes) {
      const has = compileEquals({ kind: 'equals', field, values }, nanos)
      const body = { _source: false, query: filtered(query, has), ...(values.length === 1 ? {} : valueRequest(field)) }
      yield* snapshot.pages(index, body, this.#signal)
    }
  }
}

function toEntry({ _index: index, _id: id, _routing: routing }: SnapshotHit): WorkEntry {
  return { index, id, ...(routing === undefined ? {} : { routing }) }
}

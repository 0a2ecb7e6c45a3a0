/**
 * A JavaScript model of tagging: documents in a map, records in an array, executed in order. A client cannot know how
 * many pending records were executed before a replay started, so the model continues with all possibilities.
 */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
export type Document = { [key: string]: Json }
export type Value = string | number | boolean

export interface Condition {
  readonly field: 'kind' | 'n' | 'tags'
  readonly op: 'eq' | 'ne' | 'gte'
  readonly values: readonly string[]
}

export interface Submission {
  readonly kind: 'submit'
  readonly collection: string
  readonly path: string
  /** Absent for an untag: REMOVEALL. */
  readonly value?: Value
  readonly untag: boolean
  readonly search?: Condition
  readonly filter?: Condition
  readonly propagation?: { readonly field: 'kind' | 'n' | 'group'; readonly filter?: Condition }
  /** Replay sent when the next record is chosen: this one, unless others are pending. */
  readonly replay?: Replay
}

export interface Replay {
  readonly kind: 'replay'
  readonly collection: string
  /** Number of log records after its offset. */
  readonly back: number
  /** Number of status requests before it; absent: after all records are finished. */
  readonly looks?: number
}

export type Command =
  | Submission
  | { readonly kind: 'load'; readonly documents: readonly Document[]; readonly deleted: readonly string[] }
  | Replay
  | { readonly kind: 'restart' }
  | { readonly kind: 'arrange' }

export interface Outcome {
  readonly propagated: number
  readonly nbRequest: number
  readonly updated: number
  readonly failed: number
}

/** Differences between the collections of the model, which share one index. */
export interface ModelCollection {
  readonly filter?: Condition
  readonly maxHits?: number
}

/** One possible state of a history. */
export interface World {
  readonly documents: ReadonlyMap<string, Document>
  /** By record; undefined until it is executed. */
  readonly outcomes: readonly (Outcome | undefined)[]
  /** Pending records, in the order of the log. */
  readonly waiting: readonly number[]
}

export class TaggingModel {
  readonly #collections: Readonly<Record<string, ModelCollection>>
  readonly #records: Submission[] = []
  #worlds: readonly World[] = [{ documents: new Map(), outcomes: [], waiting: [] }]

  constructor(collections: Readonly<Record<string, ModelCollection>>) {
    this.#collections = collections
  }

  get worlds(): readonly World[] {
    return this.#worlds
  }

  /** True if the document exists. Tags neither create nor remove documents. */
  has(id: string): boolean {
    return this.#worlds[0]?.documents.has(id) === true
  }

  submit(submission: Submission): void {
    const record = this.#records.push(submission) - 1
    this.#worlds = this.#worlds.map((world) => ({ ...world, waiting: [...world.waiting, record] }))
  }

  replay(collection: string, from: number): void {
    const again = [...this.#records.keys()].filter((n) => n >= from && this.#records[n]?.collection === collection)
    this.#worlds = distinct(
      this.#worlds.flatMap((world) =>
        [...this.#goingOn(world)].map((then) => ({
          ...then,
          waiting: [...new Set([...then.waiting, ...again])].sort((a, b) => a - b),
        })),
      ),
    )
  }

  /** Executes all pending records. */
  settle(): void {
    this.#worlds = distinct(this.#worlds.flatMap((world) => [...this.#goingOn(world)].slice(-1)))
  }

  /** Requires settled worlds. */
  load(documents: readonly Document[], deleted: readonly string[]): void {
    this.#worlds = this.#worlds.map((world) => {
      const after = new Map(world.documents)
      for (const document of documents) after.set(String(document.id), structuredClone(document))
      for (const id of deleted) after.delete(id)
      return { ...world, documents: after }
    })
  }

  /** Discards all other worlds after an observation. */
  keep(world: World): void {
    this.#worlds = [world]
  }

  /** Yields the world as it is, after its first pending record, after the second, and so on. */
  *#goingOn(world: World): Generator<World> {
    yield world
    const documents = structuredClone(world.documents) as Map<string, Document>
    const outcomes = [...world.outcomes]
    for (const [done, record] of world.waiting.entries()) {
      const submission = this.#records[record]
      if (submission === undefined) throw new Error('a pending record was not submitted')
      outcomes[record] = this.#execute(submission, documents)
      yield {
        documents: structuredClone(documents),
        outcomes: [...outcomes],
        waiting: world.waiting.slice(done + 1),
      }
    }
  }

  #execute(submission: Submission, documents: ReadonlyMap<string, Document>): Outcome {
    const { filter: own, maxHits = Number.POSITIVE_INFINITY } = this.#collections[submission.collection] ?? {}
    const all = [...documents.values()].filter((document) => passes(document, own))
    const selected = all.filter((d) => passes(d, submission.search) && passes(d, submission.filter))
    const { propagation } = submission
    const units =
      propagation === undefined
        ? [selected]
        : [...new Set(selected.flatMap((d) => valuesOf(d, propagation.field)))].map((value) =>
            all.filter((d) => valuesOf(d, propagation.field).includes(value) && passes(d, propagation.filter)),
          )
    // The work list is made before anything changes.
    let updated = 0
    let failed = 0
    for (const unit of units) {
      if (unit.length > maxHits) failed++
      else
        for (const document of unit) {
          if (change(document, submission)) updated++
          else failed++
        }
    }
    return { propagated: units.length, nbRequest: units.length, updated, failed }
  }
}

function distinct(worlds: readonly World[]): readonly World[] {
  const keyOf = ({ documents, ...rest }: World): string => JSON.stringify([[...documents], rest])
  return [...new Map(worlds.map((world) => [keyOf(world), world])).values()]
}

/** Values as seen by the mapped type: keywords as strings. */
function valuesOf(document: Document, field: string): readonly string[] {
  const raw = document[field] ?? []
  return [...new Set((Array.isArray(raw) ? raw : [raw]).flatMap((v) => (v === null ? [] : [String(v)])))]
}

export function passes(document: Document, condition: Condition | undefined): boolean {
  if (condition === undefined) return true
  const values = valuesOf(document, condition.field)
  switch (condition.op) {
    case 'eq':
      return values.some((value) => condition.values.includes(value))
    case 'ne':
      return !values.some((value) => condition.values.includes(value))
    case 'gte':
      return values.some((value) => Number(value) >= Number(condition.values[0]))
  }
}

const isObject = (value: Json | undefined): value is Document =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Brings one document to the requested state. Returns false if its structure does not match the path. */
function change(document: Document, { path, value, untag }: Submission): boolean {
  let parent = document
  let rest = path
  for (;;) {
    if (Object.hasOwn(parent, rest)) break
    const dot = rest.indexOf('.')
    if (dot < 0) break
    const first = rest.slice(0, dot)
    const next = parent[first]
    if (next === undefined || next === null) {
      if (untag) return true
      const made: Document = {}
      parent[first] = made
      parent = made
    } else if (isObject(next)) parent = next
    else return false
    rest = rest.slice(dot + 1)
  }
  const before = parent[rest]
  if (isObject(before)) return false
  if (!untag) {
    if (value === undefined) throw new Error('the tag has no value')
    const list = before === undefined || before === null ? [] : Array.isArray(before) ? before : [before]
    parent[rest] = list.includes(value) ? list : [...list, value]
  } else if (before === undefined || before === null) return true
  else if (value === undefined) parent[rest] = null
  else if (Array.isArray(before)) parent[rest] = before.filter((one) => one !== value)
  else if (before === value) parent[rest] = []
  return true
}

import fc from 'fast-check'

/** A JavaScript model of tagging: documents in a map, records in an array, everything executed at once and in order. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
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
  /** Absent: REMOVEALL when it is an untag. */
  readonly value?: Value
  readonly untag: boolean
  readonly search?: Condition
  readonly filter?: Condition
  readonly propagation?: { readonly field: 'kind' | 'n' | 'group'; readonly filter?: Condition }
}

export type Command =
  | Submission
  | { readonly kind: 'load'; readonly documents: readonly Document[]; readonly deleted: readonly string[] }
  | { readonly kind: 'replay'; readonly collection: string; readonly back: number }
  | { readonly kind: 'restart' }
  | { readonly kind: 'arrange' }

export interface Outcome {
  readonly propagated: number
  readonly nbRequest: number
  readonly updated: number
  readonly failed: number
}

/** What the collections of the model differ in; all are on one index. */
export interface ModelCollection {
  readonly filter?: Condition
  readonly maxHits?: number
}

export class TaggingModel {
  readonly documents = new Map<string, Document>()
  readonly records: { readonly submission: Submission; outcome: Outcome }[] = []
  readonly #collections: Readonly<Record<string, ModelCollection>>

  constructor(collections: Readonly<Record<string, ModelCollection>>) {
    this.#collections = collections
  }

  load(documents: readonly Document[], deleted: readonly string[]): void {
    for (const document of documents) this.documents.set(String(document.id), structuredClone(document))
    for (const id of deleted) this.documents.delete(id)
  }

  submit(submission: Submission): void {
    this.records.push({ submission, outcome: this.#execute(submission) })
  }

  replay(collection: string, from: number): void {
    for (const [offset, record] of this.records.entries()) {
      if (offset < from || record.submission.collection !== collection) continue
      record.outcome = this.#execute(record.submission)
    }
  }

  #execute(submission: Submission): Outcome {
    const { filter: own, maxHits = Number.POSITIVE_INFINITY } = this.#collections[submission.collection] ?? {}
    const all = [...this.documents.values()].filter((document) => passes(document, own))
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

/** Values as the mapped type sees them: keywords as texts. */
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

/** Brings one document to the wanted state; false when its structure does not fit the path. */
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
    if (value === undefined) throw new Error('a tag has a value')
    const list = before === undefined || before === null ? [] : Array.isArray(before) ? before : [before]
    parent[rest] = list.includes(value) ? list : [...list, value]
  } else if (before === undefined || before === null) return true
  else if (value === undefined) parent[rest] = null
  else if (Array.isArray(before)) parent[rest] = before.filter((one) => one !== value)
  else if (before === value) parent[rest] = []
  return true
}

const value: fc.Arbitrary<Value> = fc.constantFrom('x', 'y', "it's", '7', 7, 7.5, true, 'true', 'a,b:[c]')
const kinds = ['a', 'b', 'c', 'd,e']

const tags: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constant(undefined),
  fc.constant(null),
  value,
  fc.uniqueArray(value, { maxLength: 3 }) as fc.Arbitrary<Json[]>,
  fc.constant<Json>(['x', 'x', 'y']),
)

const free: fc.Arbitrary<Json | undefined> = fc.oneof(
  fc.constantFrom<Json | undefined>(undefined, null, 'text', 5, ['list']),
  fc.record({ labels: tags.map((t) => t ?? null), other: fc.constant('kept') }) as fc.Arbitrary<Document>,
  fc.constant({ labels: { deep: 1 } }),
)

const documentOf = (id: fc.Arbitrary<string>): fc.Arbitrary<Document> =>
  fc
    .record({
      id,
      kind: fc.constantFrom(...kinds),
      n: fc.integer({ min: 0, max: 5 }),
      group: fc.uniqueArray(fc.constantFrom('g1', 'g2', 'g,3'), { maxLength: 2 }),
      tags,
      free,
      literal: fc.boolean(),
      place: fc.record({ lon: fc.integer({ min: -180, max: 180 }), lat: fc.integer({ min: -85, max: 85 }) }),
      big: fc.constant('0'),
    })
    .map(({ literal, tags: own, free: inner, ...rest }) => ({
      ...rest,
      ...(own === undefined ? {} : { tags: own }),
      ...(inner === undefined ? {} : { free: inner }),
      ...(literal ? { 'free.labels': ['x'] } : {}),
    }))

const ids = fc.integer({ min: 0, max: 24 }).map(String)

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc.record({
    field: fc.constant('kind' as const),
    op: fc.constantFrom('eq' as const, 'ne' as const),
    values: fc.uniqueArray(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 2 }),
  }),
  fc.record({
    field: fc.constant('n' as const),
    op: fc.constant('gte' as const),
    values: fc.integer({ min: 0, max: 6 }).map((n) => [String(n)]),
  }),
  fc.record({
    field: fc.constant('tags' as const),
    op: fc.constantFrom('eq' as const, 'ne' as const),
    values: fc.constantFrom('x', 'y', '7', 'true').map((v) => [v]),
  }),
)

const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(arbitrary, { nil: undefined })

/** Members that are undefined are left out. */
const present = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, member]) => member !== undefined)) as T

const submission = (collections: readonly string[]): fc.Arbitrary<Submission> =>
  fc
    .record({
      kind: fc.constant('submit' as const),
      collection: fc.constantFrom(...collections),
      path: fc.constantFrom('tags', 'tags', 'free.labels', 'fresh.tags'),
      value,
      untag: fc.constantFrom('add', 'add', 'add', 'remove', 'all'),
      search: maybe(condition),
      filter: maybe(condition),
      propagation: maybe(
        fc.record({
          field: fc.constantFrom('kind' as const, 'n' as const, 'group' as const),
          filter: maybe(condition),
        }),
      ),
    })
    .map(({ untag, value: given, propagation, ...rest }) =>
      present({
        ...rest,
        untag: untag !== 'add',
        ...(untag === 'all' ? {} : { value: given }),
        ...(propagation === undefined ? {} : { propagation: present(propagation) }),
      }),
    ) as fc.Arbitrary<Submission>

/** A history: what users and operators do, one after the other. */
export const commands = (collections: readonly string[]): fc.Arbitrary<readonly Command[]> =>
  fc.array(
    fc.oneof(
      { weight: 6, arbitrary: submission(collections) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant('load' as const),
          documents: fc.uniqueArray(documentOf(ids), { maxLength: 8, selector: (d) => d.id }),
          deleted: fc.uniqueArray(ids, { maxLength: 2 }),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          kind: fc.constant('replay' as const),
          collection: fc.constantFrom(...collections),
          back: fc.integer({ min: 0, max: 6 }),
        }),
      },
      { weight: 1, arbitrary: fc.constant({ kind: 'restart' as const }) },
      { weight: 1, arbitrary: fc.constant({ kind: 'arrange' as const }) },
    ),
    { minLength: 4, maxLength: 16 },
  )

/** Documents to begin with. */
export const firstDocuments = (count: number): fc.Arbitrary<readonly Document[]> =>
  fc.uniqueArray(documentOf(ids), { minLength: count, maxLength: count, selector: (d) => d.id })

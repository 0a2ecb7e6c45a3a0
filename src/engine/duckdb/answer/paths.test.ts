import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { AggregationLevel, Grouping, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { FieldSortKey, SortKey } from '../../../query/plan/plan.ts'
import { and, everything, not, or, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { Engine, WriteOperation } from '../../engine.ts'
import { openDuckdbEngine } from '../engine.ts'
import type { Path } from './planner.ts'

const mapping: Mapping = {
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    tags: { type: 'keyword' },
    at: { type: 'date' },
    n: { type: 'integer' },
    x: { type: 'double' },
    open: { type: 'boolean' },
    place: { type: 'geo_point' },
    area: { type: 'geo_shape' },
    note: { type: 'text' },
  },
}

const schema = schemaOf([{ name: 'things', mapping }])

function field(path: string): Field {
  const found = schema.lookup(path)
  if (!found) throw new Error(`no field ${path}`)
  return found
}

const words = ['alpha', 'beta', 'gamma', 'alphabet', 'Übung', '\u{1F600}']
const word = fc.constantFrom(...words)
const point = fc.record({ lon: fc.integer({ min: -18, max: 18 }), lat: fc.integer({ min: -8, max: 8 }) })
const position = point.map(({ lon, lat }) => ({ lon: lon * 10, lat: lat * 10 }))
const square = position.map(({ lon, lat }) => ({
  type: 'Polygon' as const,
  coordinates: [
    [
      [lon * 0.9, lat],
      [lon * 0.9 + 5, lat],
      [lon * 0.9 + 5, lat + 5],
      [lon * 0.9, lat + 5],
      [lon * 0.9, lat],
    ],
  ],
}))
const document = fc.record(
  {
    kind: word,
    tags: fc.oneof(word, fc.array(word, { maxLength: 3 })),
    at: fc.integer({ min: 0, max: 400 }).map((day) => 1_600_000_000_000 + day * 43_200_000),
    n: fc.oneof(fc.integer({ min: -5, max: 5 }), fc.array(fc.integer({ min: -5, max: 5 }), { maxLength: 3 })),
    x: fc.double({ min: -1e6, max: 1e6, noNaN: true }),
    open: fc.boolean(),
    place: fc.oneof(position, fc.array(position, { maxLength: 2 })),
    area: square,
    note: fc.array(word, { maxLength: 5 }).map((list) => list.join(' ')),
  },
  { requiredKeys: [] },
)

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('put' as const),
      documents: fc.array(document, { minLength: 1, maxLength: 30 }),
      from: fc.nat(60),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('delete' as const),
      ids: fc.array(fc.nat(60), { minLength: 1, maxLength: 8 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constantFrom('seal' as const, 'restart' as const, 'damage' as const) }),
  },
)

const predicates: readonly Predicate[] = [
  everything,
  { kind: 'exists', field: field('n') },
  { kind: 'equals', field: field('kind'), values: ['alpha', 'beta'] },
  { kind: 'equals', field: field('tags'), values: ['gamma'] },
  { kind: 'prefix', field: field('kind'), prefix: 'alpha' },
  { kind: 'range', field: field('at'), lower: { value: 1_605_000_000_000, inclusive: true } },
  { kind: 'range', field: field('n'), lower: { value: -1n, inclusive: false }, upper: { value: 3n, inclusive: true } },
  { kind: 'phrase', field: field('note'), tokens: ['alpha', 'beta'], lastIsPrefix: true, slop: 1 },
  { kind: 'phrase', field: field('note'), tokens: ['gamma'], lastIsPrefix: false, slop: 0 },
  { kind: 'fuzzy', field: field('note'), word: 'alpba', edits: 1 },
  { kind: 'cell', field: field('place'), cell: { kind: 'tile', z: 1, x: 1, y: 0 }, by: 'point' },
  { kind: 'cell', field: field('area'), cell: { kind: 'tile', z: 2, x: 2, y: 1 }, by: 'shape' },
]

const predicate = fc.oneof(
  fc.constantFrom(...predicates),
  fc.array(fc.constantFrom(...predicates), { minLength: 2, maxLength: 3 }).map(and),
  fc.array(fc.constantFrom(...predicates), { minLength: 2, maxLength: 3 }).map(or),
  fc.constantFrom(...predicates).map(not),
)

const groupings: readonly Grouping[] = [
  { kind: 'term', field: field('kind') },
  { kind: 'term', field: field('tags') },
  { kind: 'term', field: field('n') },
  { kind: 'term', field: field('open') },
  { kind: 'histogram', field: field('x'), interval: 1000 },
  { kind: 'datehistogram', field: field('at'), interval: { kind: 'calendar', unit: 'month' } },
  { kind: 'datehistogram', field: field('at'), interval: { kind: 'fixed', length: 86_400_000 } },
  { kind: 'geotile', field: field('place'), level: 3 },
  { kind: 'geohash', field: field('place'), level: 2 },
  { kind: 'geohex', field: field('place'), level: 1 },
  { kind: 'geotile', field: field('area'), level: 4 },
]
const metrics: readonly MetricPlan[] = [
  { kind: 'avg', field: field('n') },
  { kind: 'sum', field: field('x') },
  { kind: 'max', field: field('at') },
  { kind: 'cardinality', field: field('tags') },
  { kind: 'bounds', field: field('place') },
  { kind: 'centroid', field: field('area') },
]
const newest: readonly FieldSortKey[] = [
  { kind: 'field', field: field('at'), descending: true },
  { kind: 'field', field: field('id'), descending: false },
]
const level = fc.record({
  grouping: fc.constantFrom(...groupings),
  metrics: fc.subarray([...metrics]),
  order: fc.oneof(fc.record({ by: fc.constantFrom('key' as const, 'count' as const), descending: fc.boolean() })),
  size: fc.option(fc.integer({ min: 1, max: 4 }), { nil: undefined }),
  tops: fc.constantFrom([], [{ size: 2, sort: newest }]),
})

const question = fc.record({
  predicate,
  levels: fc.array(level, { minLength: 1, maxLength: 2 }),
  sort: fc.constantFrom<readonly SortKey[]>(newest, [
    { kind: 'field', field: field('n'), descending: false },
    { kind: 'field', field: field('id'), descending: true },
  ]),
  from: fc.nat(5),
})

const opened: ComparedEngine[] = []
afterEach(async () => {
  for (const { engine, directory } of opened.splice(0)) {
    await engine.close()
    rmSync(directory, { recursive: true })
  }
})

/** Numbers may differ in the last digits, because they are added in another order. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Number(value.toPrecision(10)) + 0
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]))
}

class ComparedEngine {
  readonly directory = mkdtempSync(join(tmpdir(), 'periplus-paths-'))
  path: Path | undefined
  engine!: Engine

  async open(): Promise<void> {
    const options = { directory: this.directory, memoryMiB: 256, threads: 2, concurrency: 4 }
    this.engine = await openDuckdbEngine({ ...options, path: () => this.path })
  }

  async scanned(predicate: Predicate): Promise<readonly string[]> {
    const found: string[] = []
    for await (const batch of this.engine.scan({ indices: ['things'], predicate })) {
      for (const { id, text } of batch) found.push(`${id} ${text}`)
    }
    return found.sort()
  }

  async answers(asked: readonly (typeof question extends fc.Arbitrary<infer Q> ? Q : never)[]): Promise<unknown[]> {
    const found: unknown[] = []
    for (const { predicate: selected, levels, sort, from } of asked) {
      const selection = { indices: ['things'], predicate: selected }
      const plan = { ...selection, sort, size: 7, from, wantsTotal: true }
      found.push(await this.engine.count(selection))
      found.push(await this.engine.search(plan))
      found.push(await this.scanned(selected))
      const cut = levels.map(({ size, ...rest }): AggregationLevel => (size === undefined ? rest : { ...rest, size }))
      const limits = { buckets: 10_000, bucketHits: 10_000 }
      found.push(await this.engine.aggregate({ ...selection, levels: cut, limits }))
      found.push(await this.engine.measure({ ...selection, metrics }))
      found.push(
        await this.engine.suggest({ ...selection, fields: [field('tags'), field('note')], prefix: 'al', size: 4 }),
      )
    }
    return found
  }
}

test('kernels and statements answer the same after any history of writes, merges, restarts and damaged files', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 12 }),
      fc.array(question, { minLength: 1, maxLength: 3 }),
      async (steps, asked) => {
        const compared = new ComparedEngine()
        await compared.open()
        opened.push(compared)
        await compared.engine.createIndex('things', mapping)
        const stored = new Set<string>()
        for (const change of steps) {
          if (change.kind === 'put') {
            const operations = change.documents.map((source, i): WriteOperation => {
              const id = `d${change.from + i}`
              stored.add(id)
              return { kind: 'index', id, source: { id, ...source } as JsonObject }
            })
            await compared.engine.write('things', operations)
          } else if (change.kind === 'delete') {
            const ids = change.ids.map((n) => `d${n}`)
            for (const id of ids) stored.delete(id)
            await compared.engine.write(
              'things',
              ids.map((id) => ({ kind: 'delete', id })),
            )
          } else if (change.kind === 'seal') await compared.engine.arrange('things')
          else {
            await compared.engine.close()
            if (change.kind === 'damage') damage(join(compared.directory, 'segments'))
            await compared.open()
          }
        }
        compared.path = 'sql'
        const expected = await compared.answers(asked)
        compared.path = 'kernel'
        expect(rounded(await compared.answers(asked))).toEqual(rounded(expected))
        expect(await compared.engine.count({ indices: ['things'], predicate: everything })).toBe(stored.size)
        for (const id of ['d0', 'd7', 'd60']) {
          expect((await compared.engine.document('things', id))?.id).toBe(stored.has(id) ? id : undefined)
        }
      },
    ),
    { numRuns: 15, endOnFailure: true },
  )
})

/** Overwrites some bytes of each file. */
function damage(directory: string): void {
  for (const name of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, name))
    randomBytes(8).copy(bytes, Math.floor(bytes.length / 2))
    writeFileSync(join(directory, name), bytes)
  }
}

import { randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { triesOf } from '../../../../test/support/thorough.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { AggregationLevel, Grouping, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import type { FieldSortKey, SortKey } from '../../../query/plan/plan.ts'
import { and, everything, not, or, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { Engine, WriteOperation } from '../../engine.ts'
import type { DuckdbEngineOptions } from '../open-engine.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'
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
    // Multiples of a power of two: their sum is the same in any order, also where they nearly cancel out.
    x: fc.integer({ min: -(2 ** 30), max: 2 ** 30 }).map((n) => n / 1024),
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
    arbitrary: fc.record({
      kind: fc.constantFrom('seal' as const, 'restart' as const, 'damage' as const, 'decay' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('tag' as const), action: fc.constantFrom('ADD', 'REMOVE'), value: word }),
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

const opened: TaggedEngine[] = []
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close()
})

/** Numbers may differ in the last digits, because they are added in another order. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'number') return Number(value.toPrecision(10)) + 0
  if (Array.isArray(value)) return value.map(rounded)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rounded(member)]))
}

type Question = typeof question extends fc.Arbitrary<infer Q> ? Q : never

class ComparedEngine {
  path: Path | undefined
  readonly tagged: TaggedEngine

  private constructor(tagged: TaggedEngine) {
    this.tagged = tagged
  }

  static async open(options: Partial<DuckdbEngineOptions>): Promise<ComparedEngine> {
    const tagged = await TaggedEngine.open({ ...options, path: () => compared.path })
    opened.push(tagged)
    const compared = new ComparedEngine(tagged)
    return compared
  }

  get engine(): Engine {
    return this.tagged.engine
  }

  async scanned(predicate: Predicate): Promise<readonly string[]> {
    const found: string[] = []
    for await (const batch of this.engine.scan({ indices: ['things'], predicate })) {
      for (const { id, text } of batch) found.push(`${id} ${text}`)
    }
    return found.sort()
  }

  async answers(asked: readonly Question[]): Promise<unknown[]> {
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

  async change(step: Step, stored: Set<string>): Promise<void> {
    const { engine, tagged } = this
    switch (step.kind) {
      case 'put': {
        const operations = step.documents.map((source, i): WriteOperation => {
          const id = `d${step.from + i}`
          stored.add(id)
          return { kind: 'index', id, source: { id, ...source } as JsonObject }
        })
        await engine.write('things', operations)
        return
      }
      case 'delete': {
        const ids = step.ids.map((n) => `d${n}`)
        for (const id of ids) stored.delete(id)
        await engine.write(
          'things',
          ids.map((id) => ({ kind: 'delete', id })),
        )
        return
      }
      case 'tag':
        await tagged.tag(step.action, step.value)
        return
      case 'seal':
        await engine.arrange('things')
        return
      case 'decay':
        damage(join(tagged.directory, 'segments'))
        return
      case 'restart':
        await tagged.restart()
        return
      case 'damage':
        await tagged.restart(async () => damage(join(tagged.directory, 'segments')))
    }
  }
}

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never

test.each([
  { memory: 'a part of the memory', options: {} },
  { memory: 'no memory beyond each read', options: { segmentBytes: 0 } },
])(
  'kernels and statements answer the same after any history of writes, tags, merges, restarts and damaged files, with $memory',
  async ({ options }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.array(question, { minLength: 1, maxLength: 3 }),
        async (steps, asked) => {
          const compared = await ComparedEngine.open(options)
          const { engine } = compared
          await engine.createIndex('things', mapping)
          const stored = new Set<string>()
          for (const change of steps) await compared.change(change, stored)
          const background = beside(compared, asked)
          compared.path = 'sql'
          const expected = rounded(await compared.answers(asked))
          compared.path = undefined
          expect(rounded(await compared.answers(asked))).toEqual(expected)
          for (const answer of await background) expect(answer).toEqual(expected)
          const all = { indices: ['things'], predicate: everything }
          expect(await compared.engine.count(all)).toBe(stored.size)
          for (const id of ['d0', 'd7', 'd60']) {
            expect((await compared.engine.document('things', id))?.id).toBe(stored.has(id) ? id : undefined)
          }
          const { paths, memory } = compared.engine.statistics?.() ?? {}
          expect(['forced', 'damaged segments']).toEqual(expect.arrayContaining([...(paths?.sql.keys() ?? [])]))
          if (options.segmentBytes === 0) expect(memory?.bytes).toBe(0)
        },
      ),
      { numRuns: triesOf(15, 1 / 3), endOnFailure: true },
    )
  },
)

/** The same questions by several callers at once, and while segments are built. */
async function beside(compared: ComparedEngine, asked: readonly Question[]): Promise<readonly unknown[]> {
  const [first, second] = await Promise.all([
    compared.answers(asked),
    compared.answers(asked),
    compared.engine.arrange('things'),
  ])
  return [rounded(first), rounded(second)]
}

/** Overwrites some bytes of each file. */
function damage(directory: string): void {
  for (const name of readdirSync(directory)) {
    const bytes = readFileSync(join(directory, name))
    randomBytes(8).copy(bytes, Math.floor(bytes.length / 2))
    writeFileSync(join(directory, name), bytes)
  }
}

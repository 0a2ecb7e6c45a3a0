import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { AggregationLevel, AggregationPlan, Grouping, MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { AggregationResult, BucketList, Engine } from '../../engine.ts'
import { openDuckdbEngine } from '../open-engine.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    tags: { type: 'keyword' },
    code: { type: 'long' },
    size: { type: 'double' },
    seen: { type: 'date' },
    where: { type: 'geo_point' },
  },
}

const KINDS = ['buoy', 'ferry', 'tanker', 'été', 'yacht']
const DAY = 86_400_000

/** The last kinds only occur in late documents. */
const documents: readonly JsonObject[] = Array.from({ length: 400 }, (_, i) => ({
  id: `d${String(i).padStart(3, '0')}`,
  ...(i % 11 === 0 ? {} : { kind: KINDS[(i * i + (i >> 3)) % (i < 300 ? 3 : 5)] ?? '' }),
  ...(i % 3 === 0 ? { tags: i % 2 === 0 ? ['a', 'b', 'a'] : 'b' } : {}),
  code: (i * 7) % 20,
  ...(i % 5 === 0 ? {} : { size: i / 4 }),
  seen: (i - 100) * DAY * 3 + 5,
  where: { lon: ((i * 37) % 360) - 180, lat: ((i * 17) % 170) - 85 },
}))

const layouts = ['fresh', 'written later', 'two indices'] as const
const directories: string[] = []
const engines = new Map<string, Engine>()

async function load(layout: string): Promise<Engine> {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-aggregator-'))
  directories.push(directory)
  const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })
  await engine.createIndex('a', mapping)
  if (layout === 'two indices') await engine.createIndex('b', mapping)
  const parts = layout === 'fresh' ? [documents] : [documents.slice(0, 300), documents.slice(300)]
  for (const [i, part] of parts.entries()) {
    const index = layout === 'two indices' && i === 1 ? 'b' : 'a'
    await engine.write(
      index,
      part.map((source) => ({ kind: 'index', id: String(source.id), source })),
    )
    if (layout === 'written later' && i === 0) await engine.arrange('*')
  }
  return engine
}

beforeAll(async () => {
  for (const layout of layouts) engines.set(layout, await load(layout))
})

afterAll(async () => {
  for (const engine of engines.values()) await engine.close()
  for (const directory of directories) rmSync(directory, { recursive: true })
})

async function ask(layout: string, make: (field: (path: string) => Field) => PlanParts): Promise<AggregationResult> {
  const engine = engines.get(layout)
  if (!engine) throw new Error(layout)
  const infos = await engine.indices('*')
  const schema = schemaOf(infos)
  const {
    levels,
    predicate = everything,
    buckets = 65_535,
  } = make((path) => {
    const field = schema.lookup(path)
    if (!field) throw new Error(path)
    return field
  })
  const plan: AggregationPlan = {
    indices: infos.map((i) => i.name),
    predicate,
    levels,
    limits: { buckets, bucketHits: 100_000 },
  }
  return engine.aggregate(plan)
}

interface PlanParts {
  readonly levels: readonly AggregationLevel[]
  readonly predicate?: Predicate
  readonly buckets?: number
}

const level = (grouping: Grouping, more: Partial<AggregationLevel> = {}): AggregationLevel => ({
  grouping,
  order: { by: 'count', descending: true },
  metrics: [],
  tops: [],
  ...more,
})

/** Keys and counts, nested ones in brackets. */
function show({ buckets, others }: BucketList): string {
  const shown = buckets.map((b) => {
    const key = typeof b.key === 'object' ? `${b.key.x}/${b.key.y}` : String(b.key)
    return `${key} ${b.count}${b.children ? ` [${show(b.children)}]` : ''}`
  })
  return [...shown, ...(others > 0 ? [`others ${others}`] : [])].join(', ')
}

/** Counts buckets directly from the documents. */
function countBy(key: (d: JsonObject) => unknown): Map<unknown, number> {
  const counts = new Map<unknown, number>()
  for (const document of documents) {
    const value = key(document)
    for (const v of new Set(Array.isArray(value) ? value : [value])) {
      if (v !== undefined) counts.set(v, (counts.get(v) ?? 0) + 1)
    }
  }
  return counts
}

const asMap = ({ buckets }: BucketList): Map<unknown, number> => new Map(buckets.map((b) => [b.key, b.count]))

describe.each(layouts)('on storage that is %s', (layout) => {
  it('counts terms', async () => {
    const result = await ask(layout, (f) => ({ levels: [level({ kind: 'term', field: f('kind') }, { size: 10 })] }))
    expect(result.total).toBe(400)
    expect(asMap(result)).toEqual(countBy((d) => d.kind))
    expect(result.buckets.map((b) => b.count)).toEqual(result.buckets.map((b) => b.count).toSorted((a, b) => b - a))
  })

  it('cuts terms, and tells what was cut', async () => {
    const all = await ask(layout, (f) => ({ levels: [level({ kind: 'term', field: f('kind') }, { size: 10 })] }))
    const cut = await ask(layout, (f) => ({ levels: [level({ kind: 'term', field: f('kind') }, { size: 2 })] }))
    expect(cut.buckets).toEqual(all.buckets.slice(0, 2))
    expect(cut.others).toBe(all.buckets.slice(2).reduce((sum, b) => sum + b.count, 0))
    expect(cut.total).toBe(400)
  })

  it('counts a document with several values once for each', async () => {
    const result = await ask(layout, (f) => ({ levels: [level({ kind: 'term', field: f('tags') }, { size: 10 })] }))
    expect(result.total).toBe(400)
    expect(asMap(result)).toEqual(countBy((d) => d.tags))
  })

  it('takes only the terms included', async () => {
    const result = await ask(layout, (f) => ({
      levels: [
        level(
          { kind: 'term', field: f('kind'), include: { kind: 'values', values: ['buoy', 'yacht', 'none'] } },
          { size: 1 },
        ),
      ],
    }))
    const counts = countBy((d) => d.kind)
    expect(asMap(result)).toEqual(new Map([['buoy', counts.get('buoy')]]))
    expect(result.others).toBe(counts.get('yacht'))
    expect(result.total).toBe(400)
    const pattern = await ask(layout, (f) => ({
      levels: [
        level(
          {
            kind: 'term',
            field: f('kind'),
            include: {
              kind: 'pattern',
              pattern: {
                anchoredStart: true,
                anchoredEnd: true,
                node: {
                  kind: 'sequence',
                  members: [
                    { kind: 'any' },
                    { kind: 'repeat', member: { kind: 'any' }, min: 0 },
                    { kind: 'literal', text: 'y' },
                  ],
                },
              },
            },
          },
          { size: 10 },
        ),
      ],
    }))
    expect(asMap(pattern)).toEqual(new Map([...counts].filter(([k]) => String(k).endsWith('y'))))
  })

  it('makes histograms, also of times before 1970', async () => {
    const weeks = await ask(layout, (f) => ({
      levels: [level({ kind: 'datehistogram', field: f('seen'), interval: { kind: 'calendar', unit: 'week' } })],
    }))
    const week = (t: number): number => Math.floor((t + 3 * DAY) / (7 * DAY)) * 7 * DAY - 3 * DAY
    expect(asMap(weeks)).toEqual(countBy((d) => week(Number(d.seen))))
    const months = await ask(layout, (f) => ({
      levels: [level({ kind: 'datehistogram', field: f('seen'), interval: { kind: 'calendar', unit: 'month' } })],
    }))
    const month = (t: number): number => Date.UTC(new Date(t).getUTCFullYear(), new Date(t).getUTCMonth())
    expect(asMap(months)).toEqual(countBy((d) => month(Number(d.seen))))
    const sizes = await ask(layout, (f) => ({
      levels: [level({ kind: 'histogram', field: f('size'), interval: 0.3 })],
    }))
    const bin = (v: unknown): number | undefined => (typeof v === 'number' ? Math.floor(v / 0.3) * 0.3 : undefined)
    expect(asMap(sizes)).toEqual(countBy((d) => bin(d.size)))
    expect(sizes.total).toBe(400)
  })

  it('nests, with metrics on every level', async () => {
    const metrics = (f: (path: string) => Field): readonly MetricPlan[] => [
      { kind: 'avg', field: f('size') },
      { kind: 'cardinality', field: f('tags') },
      { kind: 'cardinality', field: f('kind') },
      { kind: 'max', field: f('seen') },
    ]
    const result = await ask(layout, (f) => ({
      levels: [
        level({ kind: 'term', field: f('kind') }, { size: 3, metrics: metrics(f) }),
        level(
          { kind: 'datehistogram', field: f('seen'), interval: { kind: 'calendar', unit: 'year' } },
          { metrics: metrics(f), order: { by: 'key', descending: false } },
        ),
        level(
          { kind: 'term', field: f('code') },
          { size: 2, metrics: metrics(f), order: { by: 'metric', metric: 1, descending: true } },
        ),
      ],
    }))
    for (const kind of result.buckets) {
      const inKind = documents.filter((d) => d.kind === kind.key)
      expect(kind.count).toBe(inKind.length)
      expect(kind.metrics).toEqual(metricsOf(inKind))
      for (const year of kind.children?.buckets ?? []) {
        const inYear = inKind.filter((d) => Date.UTC(new Date(Number(d.seen)).getUTCFullYear()) === year.key)
        expect(year.count).toBe(inYear.length)
        expect(year.metrics).toEqual(metricsOf(inYear))
        const codes = [...new Set(inYear.map((d) => Number(d.code)))]
          .map((code) => ({ code, docs: inYear.filter((d) => d.code === code) }))
          .sort((a, b) => Number(metricsOf(b.docs)[1]) - Number(metricsOf(a.docs)[1]) || a.code - b.code)
        expect(year.children?.buckets.map((b) => [Number(b.key), b.count])).toEqual(
          codes.slice(0, 2).map((c) => [c.code, c.docs.length]),
        )
        expect(year.children?.others).toBe(codes.slice(2).reduce((sum, c) => sum + c.docs.length, 0))
      }
    }
  })

  it('picks the first documents of every bucket', async () => {
    const result = await ask(layout, (f) => ({
      levels: [
        level(
          { kind: 'term', field: f('kind') },
          {
            size: 5,
            tops: [
              { size: 1, sort: [{ kind: 'field', field: f('seen'), descending: true }, byId(f)] },
              { size: 3, sort: [{ kind: 'field', field: f('size'), descending: false }, byId(f)], having: f('where') },
              { size: 2, sort: [byId(f)] },
            ],
          },
        ),
        level({ kind: 'term', field: f('tags') }, { size: 5, tops: [{ size: 1, sort: [byId(f)] }] }),
      ],
    }))
    expect(result.buckets.length).toBe(5)
    for (const bucket of result.buckets) {
      const own = documents.filter((d) => d.kind === bucket.key)
      const bySize = own.toSorted((a, b) => Number(a.size ?? Infinity) - Number(b.size ?? Infinity) || 0)
      const ids = bucket.tops.map((top) => top.map((d) => d.source.id))
      expect(ids).toEqual([[own.at(-1)?.id], bySize.slice(0, 3).map((d) => d.id), own.slice(0, 2).map((d) => d.id)])
      for (const tag of bucket.children?.buckets ?? []) {
        const first = own.find((d) => (Array.isArray(d.tags) ? d.tags : [d.tags]).includes(tag.key))
        expect(tag.tops.map((top) => top.map((d) => d.source.id))).toEqual([[first?.id]])
      }
    }
  })

  it('refuses more buckets than allowed', async () => {
    const many = ask(layout, (f) => ({
      levels: [level({ kind: 'histogram', field: f('seen'), interval: 1 })],
      buckets: 399,
    }))
    await expect(many).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('limits.buckets'),
    })
    const nested = ask(layout, (f) => ({
      levels: [
        level({ kind: 'term', field: f('kind') }, { size: 5 }),
        level({ kind: 'term', field: f('code') }, { size: 20 }),
      ],
      buckets: 60,
    }))
    await expect(nested).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
    const enough = await ask(layout, (f) => ({
      levels: [level({ kind: 'histogram', field: f('seen'), interval: 1 })],
      buckets: 400,
    }))
    expect(enough.buckets.length).toBe(400)
  })

  it('answers the same as on fresh storage', async () => {
    const make = (f: (path: string) => Field): PlanParts => ({
      predicate: { kind: 'range', field: f('code'), lower: { value: 3n, inclusive: true } },
      levels: [
        level({ kind: 'term', field: f('tags') }, { size: 5, order: { by: 'key', descending: true } }),
        level(
          { kind: 'term', field: f('kind') },
          {
            size: 2,
            order: { by: 'metric', metric: 0, descending: false },
            metrics: [{ kind: 'min', field: f('size') }],
          },
        ),
        level({ kind: 'histogram', field: f('code'), interval: 7 }, { order: { by: 'count', descending: false } }),
      ],
    })
    const [own, fresh] = [await ask(layout, make), await ask('fresh', make)]
    expect(own.buckets.length).toBe(2)
    expect(show(own)).toBe(show(fresh))
    expect(own.total).toBe(documents.filter((d) => Number(d.code) >= 3).length)
  })
})

const byId = (f: (path: string) => Field) => ({ kind: 'field', field: f('id'), descending: false }) as const

function metricsOf(docs: readonly JsonObject[]): readonly (number | null)[] {
  const sizes = docs.flatMap((d) => (typeof d.size === 'number' ? [d.size] : []))
  const sum = sizes.reduce((a, b) => a + b, 0)
  const tags = new Set(docs.flatMap((d) => d.tags ?? []))
  const kinds = new Set(docs.flatMap((d) => d.kind ?? []))
  return [
    sizes.length === 0 ? null : sum / sizes.length,
    tags.size,
    kinds.size,
    Math.max(...docs.map((d) => Number(d.seen))),
  ]
}

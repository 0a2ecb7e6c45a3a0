import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { tileOf } from '../../../geo/grid/tile.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { Grouping } from '../../../query/plan/aggregation-plan.ts'
import { everything } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { Engine } from '../../engine.ts'
import { openDuckdbEngine } from '../engine.ts'

const mapping: Mapping = {
  properties: { kind: { type: 'keyword' }, seen: { type: 'date' }, where: { type: 'geo_point' } },
}
const DAY = 86_400_000

const make = (i: number): JsonObject => ({
  ...(i % 7 === 0 ? {} : { kind: `kind-${i % 5}` }),
  ...(i % 13 === 0 ? {} : { seen: (i - 50) * DAY * 2.5 }),
  ...(i % 17 === 0 ? {} : { where: { lon: ((i * 37) % 360) - 180, lat: ((i * 17) % 170) - 85 } }),
})

let directory: string
let engine: Engine
let documents: Map<string, JsonObject>

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-counts-'))
  engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })
  await engine.createIndex('things', mapping)
  documents = new Map()
  await put(0, 300)
  await engine.arrange('*')
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

async function put(from: number, to: number): Promise<void> {
  const added = Array.from({ length: to - from }, (_, i) => [`d${from + i}`, make(from + i)] as const)
  for (const [id, source] of added) documents.set(id, source)
  await engine.write(
    'things',
    added.map(([id, source]) => ({ kind: 'index', id, source })),
  )
}

async function remove(...ids: readonly string[]): Promise<void> {
  for (const id of ids) documents.delete(id)
  await engine.write(
    'things',
    ids.map((id) => ({ kind: 'delete', id })),
  )
}

type Key = (document: JsonObject) => unknown

const month = (ms: number): number => Date.UTC(new Date(ms).getUTCFullYear(), new Date(ms).getUTCMonth())
const tile =
  (z: number): Key =>
  ({ where }) => {
    const place = where as { lon: number; lat: number } | undefined
    return place && JSON.stringify(tileOf(place.lon, place.lat, z))
  }

const questions: readonly { name: string; group: (f: (path: string) => Field) => Grouping; key: Key }[] = [
  { name: 'terms', group: (f) => ({ kind: 'term', field: f('kind') }), key: (d) => d.kind },
  {
    name: 'days',
    group: (f) => ({ kind: 'datehistogram', field: f('seen'), interval: { kind: 'fixed', length: DAY } }),
    key: (d) => d.seen !== undefined && Math.floor(Number(d.seen) / DAY) * DAY,
  },
  {
    name: 'hours',
    group: (f) => ({ kind: 'datehistogram', field: f('seen'), interval: { kind: 'fixed', length: DAY / 2 } }),
    key: (d) => d.seen !== undefined && Math.floor(Number(d.seen) / (DAY / 2)) * (DAY / 2),
  },
  {
    name: 'months',
    group: (f) => ({ kind: 'datehistogram', field: f('seen'), interval: { kind: 'calendar', unit: 'month' } }),
    key: (d) => d.seen !== undefined && month(Number(d.seen)),
  },
  ...[0, 3, 8, 9].map((z) => ({
    name: `tiles of zoom ${z}`,
    group: (f: (path: string) => Field): Grouping => ({ kind: 'geotile', field: f('where'), level: z }),
    key: tile(z),
  })),
]

async function expectBucketsRight(): Promise<void> {
  const schema = schemaOf(await engine.indices('things'))
  const field = (path: string): Field => {
    const found = schema.lookup(path)
    if (!found) throw new Error(path)
    return found
  }
  for (const { name, group, key } of questions) {
    const { buckets, total } = await engine.aggregate({
      indices: ['things'],
      predicate: everything,
      levels: [{ grouping: group(field), order: { by: 'key', descending: false }, metrics: [], tops: [] }],
      limits: { buckets: 10_000, bucketHits: 1 },
    })
    const counts = new Map<unknown, number>()
    for (const document of documents.values()) {
      const k = key(document)
      if (k !== undefined && k !== false) counts.set(k, (counts.get(k) ?? 0) + 1)
    }
    const found = new Map(buckets.map((b) => [typeof b.key === 'object' ? JSON.stringify(b.key) : b.key, b.count]))
    expect(found, name).toEqual(counts)
    expect(total, name).toBe(documents.size)
  }
}

const terms: readonly (readonly string[])[] = [
  ['kind-1'],
  ['kind-1', 'kind-4', 'kind-1'],
  ['kind-2', 'unknown'],
  ['unknown'],
]

async function expectTermsRight(): Promise<void> {
  const field = schemaOf(await engine.indices('things')).lookup('kind')
  if (!field) throw new Error('kind')
  for (const values of terms) {
    const selection = { indices: ['things'], predicate: { kind: 'equals', field, values } as const }
    const matches = [...documents].filter(([, { kind }]) => values.includes(String(kind))).map(([id]) => id)
    expect(await engine.count(selection), values.join()).toBe(matches.length)
    const page = { sort: [{ kind: 'field', field, descending: true }] as const, size: 3, from: 0, wantsTotal: true }
    const { total, hits } = await engine.search({ ...selection, ...page })
    expect(total, values.join()).toBe(matches.length)
    expect(hits, values.join()).toHaveLength(Math.min(3, matches.length))
  }
}

async function expectRight(): Promise<void> {
  await expectBucketsRight()
  await expectTermsRight()
}

it('tells what all documents have, before and after documents come and go', async () => {
  await expectRight()
  await put(300, 340)
  await expectRight()
  await remove('d3', 'd310')
  await expectRight()
  await put(5, 8)
  await expectRight()
  await engine.arrange('*')
  await expectRight()
  await remove('d100')
  await expectRight()
})

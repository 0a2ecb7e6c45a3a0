import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import type { MetricValue } from '../../../query/aggregation/bucket.ts'
import type { MetricPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything } from '../../../query/plan/predicate.ts'
import type { MeasureResult } from '../../engine.ts'
import { listOf } from '../storage-states.fixture.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'

const mapping: Mapping = {
  properties: {
    count: { type: 'long' },
    n: { type: 'integer' },
    seen: { type: 'date' },
    place: { type: 'geo_point' },
    never: { type: 'double' },
  },
}

const make = (i: number): JsonObject => ({
  count: i,
  n: -i,
  seen: i * 1000,
  place: { lon: i / 10, lat: -i / 20 },
})

let tagged: TaggedEngine
let documents: Map<string, JsonObject>

beforeEach(async () => {
  tagged = await TaggedEngine.open({})
  await tagged.engine.createIndex('things', mapping)
  documents = new Map()
  await put(...Array.from({ length: 100 }, (_, i) => i + 100))
  await tagged.engine.arrange('things')
})

afterEach(() => tagged.close())

async function put(...numbers: readonly number[]): Promise<void> {
  const added = numbers.map((i) => [`d${i}`, make(i)] as const)
  for (const [id, document] of added) documents.set(id, document)
  await tagged.put('things', Object.fromEntries(added))
}

const asked: readonly (readonly [path: string, ...kinds: MetricPlan['kind'][]])[] = [
  ['count', 'min', 'max'],
  ['n', 'min'],
  ['place', 'bounds'],
  ['seen', 'min', 'max'],
  ['never', 'max'],
]

/** Measures all documents, then those that have each field. */
async function measured(): Promise<readonly MeasureResult[]> {
  const fields = await Promise.all(asked.map(async ([path, ...kinds]) => ({ field: await tagged.field(path), kinds })))
  const plans = fields.map(({ field, kinds }) => ({ field, metrics: kinds.map((kind) => ({ kind, field })) }))
  const indices = ['things']
  const all = { indices, predicate: everything, metrics: plans.flatMap(({ metrics }) => metrics) }
  const having = plans.map(({ field, metrics }) => ({
    indices,
    predicate: { kind: 'exists', field } as const,
    metrics,
  }))
  return Promise.all([all, ...having].map((plan) => tagged.engine.measure(plan)))
}

function expected(): readonly MeasureResult[] {
  const found = asked.map(([path, ...kinds]) => {
    const lists = [...documents.values()].map((document) => listOf(document[path])).filter((list) => list.length > 0)
    return { total: lists.length, values: kinds.map((kind) => figure(kind, lists.flat())) }
  })
  return [{ total: documents.size, values: found.flatMap(({ values }) => values) }, ...found]
}

function figure(kind: MetricPlan['kind'], values: readonly unknown[]): MetricValue {
  if (values.length === 0) return null
  if (kind !== 'bounds') return (kind === 'min' ? Math.min : Math.max)(...(values as number[]))
  const places = values as { lon: number; lat: number }[]
  const [lons, lats] = [places.map(({ lon }) => lon), places.map(({ lat }) => lat)]
  return { west: Math.min(...lons), south: Math.min(...lats), east: Math.max(...lons), north: Math.max(...lats) }
}

describe('the ends of values', () => {
  it('are those of all documents, also after a restart', async () => {
    expect(await measured()).toEqual(expected())
    await tagged.restart()
    expect(await measured()).toEqual(expected())
  })

  it('may be beyond 64 bits', async () => {
    const written = [
      { id: 'great', text: '{"count":9223372036854775807,"never":1e300}' },
      { id: 'small', text: '{"count":-9223372036854775808,"never":-18446744073709551616}' },
    ].map(({ id, text }) => ({ kind: 'index' as const, id, source: JSON.parse(text) as JsonObject, text }))
    for (const { id, source } of written) documents.set(id, source)
    expect(await tagged.engine.write('things', written)).toMatchObject([{ ok: true }, { ok: true }])
    expect(await measured()).toEqual(expected())
    await tagged.engine.arrange('things')
    expect(await measured()).toEqual(expected())
  })

  it('include documents that came later', async () => {
    await put(5, 900)
    expect(await measured()).toEqual(expected())
    await tagged.engine.arrange('things')
    expect(await measured()).toEqual(expected())
  })

  it('are not those of documents that went', async () => {
    await tagged.engine.write('things', [
      { kind: 'delete', id: 'd100' },
      { kind: 'delete', id: 'd199' },
    ])
    documents.delete('d100')
    documents.delete('d199')
    expect(await measured()).toEqual(expected())
    await tagged.engine.arrange('things')
    expect(await measured()).toEqual(expected())
  })

  it('are not those of documents that were replaced', async () => {
    documents.set('d100', make(150))
    await tagged.put('things', { d100: make(150) })
    expect(await measured()).toEqual(expected())
  })

  it.each(['n', 'seen', 'count'])('are those of what %s was edited to', async (path) => {
    await tagged.tag('ADD', -7000, { path })
    for (const [id, document] of documents) documents.set(id, { ...document, [path]: [document[path] ?? null, -7000] })
    expect(await measured()).toEqual(expected())
    await tagged.engine.arrange('things')
    expect(await measured()).toEqual(expected())
    await tagged.tag('REMOVEALL', undefined, { path })
    for (const [id, document] of documents) documents.set(id, { ...document, [path]: null })
    expect(await measured()).toEqual(expected())
  })

  it('of nothing are none', async () => {
    await tagged.engine.write(
      'things',
      [...documents.keys()].map((id) => ({ kind: 'delete', id })),
    )
    await tagged.engine.arrange('things')
    documents.clear()
    expect(await measured()).toEqual(expected())
  })
})

import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { MetricPlan } from '../../query/aggregation-plan.ts'
import { everything } from '../../query/predicate.ts'
import { listOf } from './storage-states.fixture.ts'
import { TaggedEngine } from './tagged-engine.fixture.ts'

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

async function measured() {
  const metric = async (kind: MetricPlan['kind'], path: string): Promise<MetricPlan> => ({
    kind,
    field: await tagged.field(path),
  })
  const metrics = await Promise.all([
    metric('min', 'count'),
    metric('max', 'count'),
    metric('min', 'n'),
    metric('bounds', 'place'),
    metric('min', 'seen'),
    metric('max', 'seen'),
    metric('max', 'never'),
  ])
  return tagged.engine.measure({ indices: ['things'], predicate: everything, metrics })
}

function expected() {
  const values = (path: string): readonly number[] =>
    [...documents.values()].flatMap((document) => listOf(document[path]) as readonly number[])
  const least = (numbers: readonly number[]): number | null => (numbers.length === 0 ? null : Math.min(...numbers))
  const greatest = (numbers: readonly number[]): number | null => (numbers.length === 0 ? null : Math.max(...numbers))
  const places = [...documents.values()].map(({ place }) => place as { lon: number; lat: number })
  const [lons, lats] = [places.map(({ lon }) => lon), places.map(({ lat }) => lat)]
  return {
    total: documents.size,
    values: [
      least(values('count')),
      greatest(values('count')),
      least(values('n')),
      { west: least(lons), south: least(lats), east: greatest(lons), north: greatest(lats) },
      least(values('seen')),
      greatest(values('seen')),
      null,
    ],
  }
}

describe('the ends of values', () => {
  it('are those of all documents, also after a restart', async () => {
    expect(await measured()).toEqual(expected())
    await tagged.restart()
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
    expect(await measured()).toEqual({ total: 0, values: Array.from({ length: 7 }, () => null) })
  })
})

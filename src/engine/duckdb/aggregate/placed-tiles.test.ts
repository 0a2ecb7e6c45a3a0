import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { AggregationLevel, AggregationPlan, GridGrouping } from '../../../query/plan/aggregation-plan.ts'
import { Reader } from '../database/reader.ts'
import {
  all,
  found,
  kinds,
  octagon,
  openThings,
  type Question,
  questions,
  type Thing,
  type ThingFields,
  tile,
  tileName,
} from '../shortcut/placed-things.fixture.ts'
import type { TaggedEngine } from '../tagged-engine.fixture.ts'
import { awkwardDocuments, awkwardMapping } from './awkward-places.fixture.ts'

let tagged: TaggedEngine
let fields: ThingFields

beforeAll(async () => {
  const opened = await openThings()
  tagged = opened.tagged
  fields = opened.fields
})

afterAll(() => tagged.close())
afterEach(() => vi.restoreAllMocks())

/** Expected number of documents per tile, highest count first, then by tile coordinates. */
function tilesOf(things: readonly Thing[], zoom: number): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const { where } of things) {
    if (!where) continue
    const name = tileName(where, zoom)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return [...counts].toSorted(([a, n], [b, m]) => m - n || byNumbers(a, b))
}

function byNumbers(a: string, b: string): number {
  const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [a, b].map((name) => name.split('/').map(Number)) as [number[], number[]]
  return ax - bx || ay - by
}

const LIMITS = { buckets: 65_535, bucketHits: 100 }

function planOf(
  { predicate }: Question,
  zoom: number,
  level: Partial<AggregationLevel> = {},
  limits: AggregationPlan['limits'] = LIMITS,
): AggregationPlan {
  const grouping: GridGrouping = { kind: 'geotile', field: fields.where, level: zoom }
  const tiles: AggregationLevel = {
    grouping,
    order: { by: 'count', descending: true },
    metrics: [],
    tops: [],
    ...level,
  }
  return { indices: ['things'], predicate: predicate(fields), levels: [tiles], limits }
}

async function ask(plan: AggregationPlan) {
  const { total, others, buckets } = await tagged.engine.aggregate(plan)
  const tiles = buckets.map(({ key, count }) => {
    if (typeof key !== 'object') throw new Error(`${key} is no tile`)
    return [`${key.x}/${key.y}`, count] as const
  })
  return { total, others, tiles }
}

const everywhere: Question = { predicate: () => ({ kind: 'everything' }), holds: () => true }

const watchStatements = () => vi.spyOn(Reader.prototype, 'columns')

describe('tiles of documents in a place', () => {
  const placesOnly = questions.filter(([name]) => !/kind|moment|without/.test(name))

  it.each(placesOnly)('are counted at every zoom: %s', async (_, question) => {
    const statements = watchStatements()
    const things = found(question)
    for (const zoom of [0, 1, 4, 6, 9, 13, 20, 29]) {
      const expected = { total: things.length, others: 0, tiles: tilesOf(things, zoom) }
      expect(await ask(planOf(question, zoom)), `zoom ${zoom}`).toEqual(expected)
    }
    expect(statements).not.toHaveBeenCalled()
  })

  it('are as many as are asked for, and the others are told', async () => {
    const statements = watchStatements()
    const tiles = tilesOf(found(octagon), 13)
    expect(tiles.length).toBeGreaterThan(10)
    const { total, others, tiles: kept } = await ask(planOf(octagon, 13, { size: 7 }))
    expect(kept).toEqual(tiles.slice(0, 7))
    expect(others).toBe(tiles.slice(7).reduce((sum, [, count]) => sum + count, 0))
    expect(total).toBe(found(octagon).length)
    expect(statements).not.toHaveBeenCalled()
  })

  it('can be had by name', async () => {
    const { tiles } = await ask(planOf(octagon, 9, { order: { by: 'key', descending: false } }))
    expect(tiles).toEqual(tilesOf(found(octagon), 9).toSorted(([a], [b]) => byNumbers(a, b)))
  })

  it('may be too many', async () => {
    const tiles = tilesOf(found(octagon), 13).length
    const limited = (buckets: number) => ask(planOf(octagon, 13, {}, { ...LIMITS, buckets }))
    expect((await limited(tiles)).tiles).toHaveLength(tiles)
    await expect(limited(tiles - 1)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' })
  })
})

describe('the database is asked', () => {
  const latest = (): Partial<AggregationLevel> => ({ metrics: [{ kind: 'max', field: fields.seen }] })
  const others: readonly [string, Question, () => Partial<AggregationLevel>][] = [
    ['for tiles of a kind', all(octagon, kinds('kind 1')), () => ({})],
    ['for figures of tiles', octagon, latest],
    ['for tiles of all documents', everywhere, () => ({})],
  ]

  it.each(others)('%s', async (_, question, level) => {
    const statements = watchStatements()
    expect((await ask(planOf(question, 9, level()))).tiles).toEqual(tilesOf(found(question), 9))
    expect(statements).toHaveBeenCalled()
  })

  it('for tiles of another place', async () => {
    const grouping: GridGrouping = { kind: 'geotile', field: fields.other, level: 9 }
    const elsewhere = found(octagon).map((thing) => ({ ...thing, where: thing.other as readonly [number, number] }))
    expect((await ask(planOf(octagon, 9, { grouping }))).tiles).toEqual(tilesOf(elsewhere, 9))
  })

  it('while documents came or went since', async () => {
    const added: Thing = { id: 'new', where: [1, 1] }
    await tagged.put('things', { added })
    expect((await ask(planOf(octagon, 9))).tiles).toEqual(tilesOf([...found(octagon), added], 9))
    await tagged.engine.write('things', [{ kind: 'delete', id: 'added' }])
    expect((await ask(planOf(octagon, 9))).tiles).toEqual(tilesOf(found(octagon), 9))
  })
})

it('places on and beside the edges of tiles are counted as the database does', async () => {
  await tagged.engine.createIndex('awkward', awkwardMapping)
  const single = awkwardDocuments().filter(({ where }) => !Array.isArray(where) || typeof where[0] === 'number')
  await tagged.put('awkward', Object.fromEntries(single.map((document, i) => [`d${i}`, document])))
  const zooms = Array.from({ length: 30 }, (_, zoom) => zoom)
  const askAll = async () => {
    const answers = []
    for (const zoom of zooms) answers.push(await ask({ ...planOf(tile(0, 0, 0), zoom), indices: ['awkward'] }))
    return answers
  }
  const statements = watchStatements()
  const before = await askAll()
  expect(statements).toHaveBeenCalledTimes(zooms.length)
  expect(before[20]?.tiles.length).toBeGreaterThan(100)
  await tagged.engine.arrange('awkward')
  statements.mockClear()
  expect(await askAll()).toEqual(before)
  expect(statements).not.toHaveBeenCalled()
})

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import { everything } from '../../../query/plan/predicate.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, fieldOf, makeTestIndex } from '../test-index.fixture.ts'
import { search } from './searcher.ts'

const context = clusterUnderTest(100)
let index = ''

const square = (x: number, y: number): object => ({
  type: 'Polygon',
  coordinates: [
    [
      [x - 1, y - 1],
      [x + 1, y - 1],
      [x + 1, y + 1],
      [x - 1, y + 1],
      [x - 1, y - 1],
    ],
  ],
})

/** Along the equator, so that the distance from 0 grows with the longitude. */
const documents = [
  { id: 'c', kind: 'x', shape: square(30, 0), data: 1 },
  { id: 'a', kind: 'y', shape: 'LINESTRING (9 0, 11 0)', data: 2 },
  { id: 'e', kind: ['x', 'y'], data: 3 },
  {
    id: 'b',
    kind: 'x',
    shape: { type: 'GeometryCollection', geometries: [square(-20, 0), { type: 'Point', coordinates: [90, 0] }] },
    data: 4,
  },
  { id: 'd', data: 5 },
  { id: 'f', kind: 'y', shape: 'POINT (30 0)', data: 6 },
]
const properties = { id: { type: 'keyword' }, kind: { type: 'keyword' }, shape: { type: 'geo_shape' } }

beforeAll(async () => {
  index = await makeTestIndex(context, 'shape-distance', properties, documents as never, 2)
})
afterAll(() => dropTestIndices(context, [index]))

const id: SortKey = { kind: 'field', field: fieldOf('id', 'KEYWORD'), descending: false }
const kind = (descending: boolean): SortKey => ({ kind: 'field', field: fieldOf('kind', 'KEYWORD'), descending })
const distance = (descending: boolean): SortKey => ({
  kind: 'distance',
  field: fieldOf('shape', 'GEO_SHAPE'),
  lon: 0,
  lat: 0,
  descending,
})

async function idsOf(sort: readonly SortKey[], rest: Partial<SearchPlan> = {}): Promise<string> {
  const plan = { indices: [index], predicate: everything, sort, size: 10, from: 0, wantsTotal: true, ...rest }
  const { hits, total } = await search(context, plan)
  expect(total).toBe(documents.length)
  for (const { source } of hits) expect(source).toEqual(documents.find((document) => document.id === source.id))
  return hits.map(({ source }) => source.id).join('')
}

describe('a search sorted by the distance of shapes', () => {
  it('measures from the centroid, puts documents without shape last and equal ones by id', async () => {
    expect(await idsOf([distance(false), id])).toBe('abcfde')
    expect(await idsOf([distance(true), id])).toBe('cfbade')
  })

  it('answers pages', async () => {
    expect(await idsOf([distance(false), id], { from: 1, size: 2 })).toBe('bc')
    expect(await idsOf([distance(false), id], { from: 5, size: 2 })).toBe('e')
    expect(await idsOf([distance(false), id], { from: 9 })).toBe('')
    expect(await idsOf([distance(false), id], { size: 0 })).toBe('')
  })

  it('takes other keys into account, of several values the smallest or the largest', async () => {
    expect(await idsOf([kind(false), distance(false), id])).toBe('bceafd')
    expect(await idsOf([kind(true), distance(true), id])).toBe('faecbd')
  })

  it('is refused beyond the limit', async () => {
    const plan = { indices: [index], predicate: everything, sort: [distance(false), id], size: 1, from: 0 }
    const narrow = { ...context, limits: { scan: 5 } }
    await expect(search(narrow, { ...plan, wantsTotal: false })).rejects.toMatchObject({ code: 'NOT_IMPLEMENTED' })
  })
})

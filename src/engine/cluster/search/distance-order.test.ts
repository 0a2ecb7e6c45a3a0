import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { WireObject } from '../../../cluster-client/cluster-client.ts'
import type { SearchPlan, SortKey } from '../../../query/plan/plan.ts'
import { everything, type Scalar } from '../../../query/plan/predicate.ts'
import type { SearchResult } from '../../engine.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, fieldOf, makeTestIndex } from '../test-index.fixture.ts'
import { search } from './searcher.ts'
import {
  all,
  bareDocuments,
  by,
  documents,
  idsOf,
  properties,
  sortPlainly,
  sortValue,
} from './sortable-documents.fixture.ts'

const context = clusterUnderTest()
let full = ''
let bare = ''

beforeAll(async () => {
  full = await makeTestIndex(context, 'distance-order', properties, documents, 3)
  bare = await makeTestIndex(context, 'distance-order', { id: { type: 'keyword' } }, bareDocuments)
})
afterAll(() => dropTestIndices(context, [full, bare]))

const hitIds = ({ hits }: SearchResult): readonly unknown[] => idsOf(hits.map(({ source }) => source))

const plan = (sort: readonly SortKey[], rest: Partial<SearchPlan> = {}): SearchPlan => ({
  indices: [full, bare],
  predicate: everything,
  sort,
  size: 10,
  from: 0,
  wantsTotal: true,
  ...rest,
})

describe('a search sorted by distance', () => {
  const [lon, lat] = [5, -3]
  const key = (descending: boolean): SortKey => ({
    kind: 'distance',
    field: fieldOf('place', 'GEO_POINT'),
    lon,
    lat,
    descending,
  })
  const points = (source: WireObject): readonly (readonly [number, number])[] => {
    const { place } = source
    if (place === undefined || place === null) return []
    if (Array.isArray(place)) return place as readonly [number, number][]
    const point = place as { readonly lat: number; readonly lon: number }
    return [[point.lon, point.lat]]
  }
  /** Computed from the angle between two vectors, independently of the formula in the code. */
  const metres = ([x, y]: readonly [number, number]): number => {
    const direction = (a: number, b: number): readonly [number, number, number] => {
      const [l, p] = [(a * Math.PI) / 180, (b * Math.PI) / 180]
      return [Math.cos(p) * Math.cos(l), Math.cos(p) * Math.sin(l), Math.sin(p)]
    }
    const [u, v] = [direction(x, y), direction(lon, lat)]
    return 6371008.7714 * Math.acos(u[0] * v[0] + u[1] * v[1] + u[2] * v[2])
  }
  const expected = (descending: boolean): readonly unknown[] => {
    const far = (source: WireObject): number => {
      const distances = points(source).map(metres)
      return descending ? Math.max(...distances) : Math.min(...distances)
    }
    const sign = descending ? -1 : 1
    const placed = all.filter((source) => points(source).length > 0).sort((a, b) => sign * (far(a) - far(b)))
    const others = all.filter((source) => points(source).length === 0)
    return idsOf([...placed, ...sortPlainly(others, [by('id')])])
  }

  it.each([false, true])('answers the whole, documents without place last (descending: %s)', async (descending) => {
    const result = await search(context, plan([key(descending), by('id')], { size: 100 }))
    expect(hitIds(result)).toEqual(expected(descending))
    expect(result.total).toBe(all.length)
  })

  it.each([false, true])('goes on from page to page (descending: %s)', async (descending) => {
    const ids: unknown[] = []
    for (let from = 0; from < all.length; from += 9) {
      ids.push(...hitIds(await search(context, plan([key(descending), by('id')], { from, size: 9 }))))
    }
    expect(ids).toEqual(expected(descending))
  })

  it('puts documents without place last among those equal in the keys before', async () => {
    const ids = hitIds(await search(context, plan([by('flag'), key(true), by('id')], { size: 100 })))
    const group = (flag: Scalar | null): readonly unknown[] => {
      const members = idsOf(all.filter((source) => sortValue(source, by('flag')) === flag))
      return expected(true).filter((id) => members.includes(id))
    }
    expect(ids).toEqual([...group(false), ...group(true), ...group(null)])
  })
})

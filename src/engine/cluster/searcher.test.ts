import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { compareCodePoints } from '../../query/code-point-order.ts'
import { parseIp } from '../../query/ip-address.ts'
import type { Cursor, SearchPlan, SortKey } from '../../query/plan.ts'
import { everything, type Scalar } from '../../query/predicate.ts'
import type { SearchResult } from '../engine.ts'
import type { WireJson, WireObject } from './cluster-client.ts'
import { clusterUnderTest } from './cluster-under-test.fixture.ts'
import { count, document, search } from './searcher.ts'
import { dropTestIndices, fieldOf, makeTestIndex } from './test-index.fixture.ts'

const LONGEST = 2n ** 63n - 1n
const context = clusterUnderTest()
let full = ''
let bare = ''

const properties = {
  id: { type: 'keyword' },
  word: { type: 'keyword' },
  long: { type: 'long' },
  integer: { type: 'integer' },
  short: { type: 'short' },
  byte: { type: 'byte' },
  double: { type: 'double' },
  float: { type: 'float' },
  half: { type: 'half_float' },
  scaled: { type: 'scaled_float', scaling_factor: 100 },
  day: { type: 'date', format: 'yyyy/MM/dd' },
  nanos: { type: 'date_nanos' },
  flag: { type: 'boolean' },
  address: { type: 'ip' },
  place: { type: 'geo_point' },
}

const words = ['a', 'a,b', 'a\\,b', '', 'é', 'z', '\u{1F600}', '\uFFEE', 'Z', '"']
const instants = ['2020-01-02T03:04:05.123456789Z', '2020-01-02T03:04:05.123Z', '2020-01-02T03:04:05.124Z']
const addresses = ['10.0.0.9', '9.255.0.1', '::1', '2001:db8::1', '::ffff:10.0.0.9']

/** Ties, missing values, several values and the extremes of every type. */
const documents: readonly WireObject[] = Array.from({ length: 40 }, (_, i) => {
  const has = (step: number): boolean => i % step !== 0
  return {
    id: `id ${String((i * 7) % 40).padStart(2, '0')}`,
    ...(has(4) ? { word: i % 9 === 1 ? [pick(words, i), pick(words, i + 3)] : pick(words, i) } : { word: null }),
    ...(has(3)
      ? {
          long:
            i % 5 === 1 ? [BigInt(i), LONGEST - 1n] : pick([LONGEST, -LONGEST - 1n, 5n, 2n ** 60n + 1n, 2n ** 60n], i),
        }
      : {}),
    ...(has(3) ? { integer: pick([2147483647, -2147483648, 0, 7], i) } : { integer: [] }),
    ...(has(5) ? { short: pick([32767, -32768, 3], i) } : {}),
    ...(has(5) ? { byte: [pick([127, -128, 3], i), 3] } : {}),
    ...(has(6) ? { double: pick([1.7e308, -1.7e308, 0.1, -0.5], i) } : {}),
    ...(has(6) ? { float: pick([3.4e38, 1.1, -1.1, 0.3], i), half: pick([1.5, -2.25], i) } : {}),
    ...(has(7) ? { scaled: pick([1.25, -2.5, 0.01], i) } : {}),
    ...(has(4) ? { day: pick(['1960/02/29', '2024/02/29', '9999/12/31'], i), nanos: pick(instants, i) } : {}),
    ...(has(3) ? { flag: i % 8 === 1 ? [true, false] : i % 2 === 0 } : {}),
    ...(has(4) ? { address: pick(addresses, i) } : {}),
    ...(has(3)
      ? {
          place:
            i % 5 === 2
              ? [
                  [i, 1],
                  [-i, -40],
                ]
              : { lat: i - 20, lon: 3 * i },
        }
      : {}),
  } as WireObject
})
const bareDocuments: readonly WireObject[] = [{ id: 'id 00b' }, { id: 'id 20b' }, { id: 'zz' }]

function pick<T>(values: readonly T[], i: number): T {
  return values[i % values.length] as T
}

beforeAll(async () => {
  full = await makeTestIndex(context, 'searcher', properties, documents, 3)
  bare = await makeTestIndex(context, 'searcher', { id: { type: 'keyword' } }, bareDocuments)
})
afterAll(() => dropTestIndices(context, [full, bare]))

const fields = {
  id: fieldOf('id', 'KEYWORD'),
  word: fieldOf('word', 'KEYWORD'),
  long: fieldOf('long', 'LONG'),
  integer: fieldOf('integer', 'INTEGER'),
  short: fieldOf('short', 'SHORT'),
  byte: fieldOf('byte', 'BYTE'),
  double: fieldOf('double', 'DOUBLE'),
  float: fieldOf('float', 'FLOAT'),
  half: fieldOf('half', 'FLOAT'),
  scaled: fieldOf('scaled', 'DOUBLE'),
  day: fieldOf('day', 'DATE', 'yyyy/MM/dd'),
  nanos: fieldOf('nanos', 'DATE'),
  flag: fieldOf('flag', 'BOOLEAN'),
  address: fieldOf('address', 'IP'),
} as const
type Name = keyof typeof fields

const by = (name: Name, descending = false): SortKey => ({ kind: 'field', field: fields[name], descending })

/** What the field's type makes of a value of the documents above. */
function typed(name: Name, value: WireJson): Scalar {
  if (name === 'address') return parseIp(String(value)) ?? ''
  if (name === 'day') return Date.parse(`${String(value).replaceAll('/', '-')}T00:00:00Z`)
  if (name === 'nanos') return Date.parse(String(value).replace(/(\.\d{3})\d+/, '$1'))
  if (name === 'float') return Math.fround(Number(value))
  if (fields[name].type === 'LONG') return BigInt(value as bigint)
  return value as Scalar
}

function sortValue(source: WireObject, key: SortKey): Scalar | null {
  const name = key.field.path as Name
  const values = [source[name] ?? []].flat().map((value) => typed(name, value as WireJson))
  const [first, ...others] = values.sort(compare)
  return first === undefined ? null : ((key.descending ? others.at(-1) : undefined) ?? first)
}

function compare(a: Scalar, b: Scalar): number {
  if (typeof a === 'string' && typeof b === 'string') return compareCodePoints(a, b)
  return a < b ? -1 : a > b ? 1 : 0
}

function sortPlainly(sources: readonly WireObject[], keys: readonly SortKey[]): readonly WireObject[] {
  return [...sources].sort((a, b) => {
    for (const key of keys) {
      const [x, y] = [sortValue(a, key), sortValue(b, key)]
      if (x === null || y === null) {
        if (x !== y) return x === null ? 1 : -1
      } else {
        const order = compare(x, y)
        if (order !== 0) return key.descending ? -order : order
      }
    }
    return 0
  })
}

const all = [...documents, ...bareDocuments]
const idsOf = (sources: readonly object[]): readonly unknown[] => sources.map((source) => (source as WireObject).id)
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

const orders: readonly (readonly SortKey[])[] = [
  [by('id')],
  [by('id', true)],
  ...(Object.keys(fields) as Name[])
    .filter((name) => name !== 'id')
    .flatMap((name) => [
      [by(name), by('id')],
      [by(name, true), by('id')],
      [by(name, true), by('id', true)],
    ]),
  [by('flag', true), by('word'), by('long', true), by('id')],
  [by('integer'), by('day', true), by('address'), by('id', true)],
]
const nameOf = (keys: readonly SortKey[]): string =>
  keys.map(({ field, descending }) => `${descending ? '-' : ''}${field.path}`).join(',')

describe.each(orders.map((keys) => [nameOf(keys), keys] as const))('a search sorted by %s', (_name, keys) => {
  const expected = sortPlainly(all, keys)
  const cursorAt = (source: WireObject | undefined, direction: Cursor['direction']): Cursor => {
    if (source === undefined) throw new Error('no such document')
    return { direction, values: keys.map((key) => sortValue(source, key)) }
  }

  it('answers the whole in order, and its total', async () => {
    const result = await search(context, plan(keys, { size: 100 }))
    expect(hitIds(result)).toEqual(idsOf(expected))
    expect(result.total).toBe(all.length)
  })

  it('answers the page after any place', async () => {
    for (let at = 0; at < expected.length; at += 7) {
      const result = await search(context, plan(keys, { size: 9, cursor: cursorAt(expected[at], 'after') }))
      expect(hitIds(result)).toEqual(idsOf(expected.slice(at + 1, at + 10)))
      expect(result.total).toBe(all.length)
    }
  })

  it('answers the page before any place, in the order asked for', async () => {
    for (let at = expected.length - 1; at >= 0; at -= 6) {
      const result = await search(context, plan(keys, { size: 8, cursor: cursorAt(expected[at], 'before') }))
      expect(hitIds(result)).toEqual(idsOf(expected.slice(Math.max(0, at - 8), at)))
      expect(result.total).toBe(all.length)
    }
  })
})

describe('a page', () => {
  it('begins at from', async () => {
    const expected = idsOf(sortPlainly(all, [by('word', true), by('id')]))
    for (const from of [0, 10, 38, 43, 9000]) {
      const result = await search(context, plan([by('word', true), by('id')], { from, wantsTotal: false }))
      expect(result).not.toHaveProperty('total')
      expect(hitIds(result)).toEqual(expected.slice(from, from + 10))
    }
  })

  it('of size 0 is a total', async () => {
    expect(await search(context, plan([by('long'), by('id')], { size: 0 }))).toEqual({ total: all.length, hits: [] })
  })

  it('of no index is empty', async () => {
    expect(await search(context, plan([by('id')], { indices: [] }))).toEqual({ total: 0, hits: [] })
  })

  it('without sort keys overlaps no other', async () => {
    const pages = await Promise.all([0, 15, 30].map((from) => search(context, plan([], { from, size: 15 }))))
    expect(pages.flatMap(hitIds).sort()).toEqual([...idsOf(all)].sort())
  })

  it('has the documents as they are stored, large integers exact', async () => {
    const { hits } = await search(context, plan([by('long', true), by('id')], { size: 1 }))
    expect(hits[0]?.index).toBe(full)
    expect(hits[0]?.text).toContain('9223372036854775807')
  })
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
  /** The angle between directions in space, rather than the formula of the code. */
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

describe('count', () => {
  it('counts all documents of the indices', async () => {
    expect(await count(context, { indices: [full, bare], predicate: everything })).toBe(all.length)
    expect(await count(context, { indices: [], predicate: everything })).toBe(0)
  })

  it('refuses an index that does not exist', async () => {
    const selection = { indices: [full, 't-searcher-none'], predicate: everything }
    await expect(count(context, selection)).rejects.toMatchObject({ type: 'index_not_found_exception' })
  })
})

describe('document', () => {
  it('answers a document that no search sees yet', async () => {
    const id = 'a/b?c #é%2F'
    const path = `/${bare}/_doc/${encodeURIComponent(id)}`
    await context.client.send({ method: 'PUT', path, body: { id: 'new', long: LONGEST } })
    const stored = await document(context, bare, id)
    expect(stored).toMatchObject({ index: bare, id, source: { id: 'new' } })
    expect(stored?.text).toBe('{"id":"new","long":9223372036854775807}')
    await context.client.send({ method: 'DELETE', path })
    expect(await document(context, bare, id)).toBeUndefined()
  })

  it.each(['none', '', '..', '.', '_search', '*', 'é'.repeat(3000)])('answers nothing for %j', async (id) => {
    expect(await document(context, bare, id)).toBeUndefined()
  })

  it('refuses an index that does not exist', async () => {
    const fetched = document(context, 't-searcher-none', 'x')
    await expect(fetched).rejects.toMatchObject({ status: 404, type: 'index_not_found_exception' })
  })
})

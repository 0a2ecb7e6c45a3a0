import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import { operators } from '../../model/filter.ts'
import type { Search } from '../../model/search.ts'
import { unrestricted } from '../access/access.ts'
import { parseTriplets } from '../filter/triplets.ts'
import { limits, NOW, sampleView } from './sample-collection.fixture.ts'
import { resolveSearch } from './search-request.ts'

const context = { collection: sampleView, access: unrestricted, limits, now: NOW, origin: 'query' } as const

function codeOf(search: Search): string {
  try {
    resolveSearch(search, context)
    return 'fine'
  } catch (error) {
    if (error instanceof Problem) return error.code
    throw error
  }
}

describe('a search', () => {
  test('the form of everything is checked before any field', () => {
    const lost = { f: [[{ field: 'geo_params.nope', op: 'within', value: '0,0,1,1' }]] }
    expect(codeOf({ filter: lost })).toBe('FIELD_NOT_FOUND')
    expect(codeOf({ filter: lost, page: { size: 0 } })).toBe('INVALID_PARAMETER')
    expect(codeOf({ filter: lost, page: { sort: 'a b' } })).toBe('INVALID_PARAMETER')
    expect(codeOf({ filter: lost, projection: { excludes: 'id' } })).toBe('INVALID_PARAMETER')
    expect(codeOf({ page: { sort: 'params.foo' }, filter: { dateformat: 'foo' } })).toBe('INVALID_FILTER')
    expect(codeOf({ page: { sort: 'params.foo' }, returned_geometries: 'params.age' })).toBe('FIELD_NOT_FOUND')
  })

  test('all at once', () => {
    const search = resolveSearch(
      {
        filter: parseTriplets(['params.job:eq:Actor'], ['ice']),
        page: { sort: '-params.startdate,id', size: 1, after: '5,x' },
        projection: { includes: 'params.job' },
        returned_geometries: 'geo_params.other_geopoint',
      },
      context,
    )
    expect(search.predicate.kind).toBe('and')
    expect(search.page).toMatchObject({ size: 1, continuable: true, cursor: { values: [5, 'x'] } })
    expect(search.projection.returnedGeometries).toHaveLength(1)
  })
})

describe('garbage', () => {
  const paths = sampleView.schema.fields.map((f) => f.path)
  const path = fc.oneof(fc.constantFrom(...paths, '$timestamp', 'nope'), fc.string())
  const junk = fc.oneof(
    fc.string({ maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...'[]<>,\\|-+now/dMsy01.eE ():*~"{}^$POINTLYG'), maxLength: 24 }),
    fc.constantFrom('now||', '1e999', '-0', '9'.repeat(400), '\0', '\ud800', 'POLYGON((', '[now<now]', '0,0,0,0'),
  )

  const never5xx = (search: () => Search): void => {
    try {
      resolveSearch(search(), context)
    } catch (error) {
      expect(error).toBeInstanceOf(Problem)
      if (error instanceof Problem) expect(error.status).toBeLessThan(500)
    }
  }

  test('in f', () => {
    fc.assert(
      fc.property(
        path,
        fc.constantFrom(...operators),
        junk,
        fc.option(junk, { nil: undefined }),
        (field, op, value, df) =>
          never5xx(() => ({
            filter: { f: [[{ field, op, value }]], ...(df === undefined ? {} : { dateformat: df }) },
          })),
      ),
      { numRuns: 3000 },
    )
  })
  test('in GET f and q', () => {
    fc.assert(
      fc.property(junk, junk, (f, q) => never5xx(() => ({ filter: parseTriplets([f], [q]) }))),
      { numRuns: 1000 },
    )
  })
  test('q never fails', () => {
    fc.assert(
      fc.property(path, junk, (field, text) => {
        fc.pre(sampleView.schema.lookup(field)?.indexed !== false)
        resolveSearch({ filter: { q: [[text], [`${field}:${text}`]] } }, context)
      }),
      { numRuns: 1000 },
    )
  })
  test('in sort, after and before', () => {
    const item = fc.oneof(path, junk, fc.constantFrom('-id', 'geodistance:1 1', ' id '))
    fc.assert(
      fc.property(fc.array(item, { maxLength: 3 }), junk, fc.boolean(), (items, cursor, after) => {
        const sort = [...items, 'id'].join(',')
        never5xx(() => ({ page: after ? { sort, after: cursor } : { sort, before: cursor } }))
      }),
      { numRuns: 2000 },
    )
  })
  test('in include, exclude and returned_geometries', () => {
    fc.assert(
      fc.property(junk, junk, path, (includes, excludes, returned_geometries) =>
        never5xx(() => ({ projection: { includes, excludes }, returned_geometries })),
      ),
      { numRuns: 500 },
    )
  })
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { Projection } from '../../model/search.ts'
import { sampleView } from '../request/sample-collection.fixture.ts'
import { projectDocument, resolveProjection } from './projection.ts'

const context = { collection: sampleView, origin: 'query' } as const
const geometry = { type: 'Point', coordinates: [1, 2] }

const source: JsonObject = {
  id: 'x',
  fullname: 'My name',
  text_search: null,
  params: { job: 'Actor', city: 'Paris', startdate: 1, tags: [], weight: null },
  geo_params: { geometry, centroid: '2,1', second_geometry: geometry },
  properties: {},
  extra: { a: { b: 1 }, list: [{ a: 1, b: 2 }, { b: 3 }], gone: { n: null } },
  'dotted.key': { x: 1, y: 2 },
}

const project = (projection: Projection = {}, returned?: string): JsonObject =>
  projectDocument(source, resolveProjection(projection, returned, context))

const mandatory = { id: 'x', params: { startdate: 1 }, geo_params: { geometry, centroid: '2,1' } }

function faultOf(projection: Projection, returned?: string): Problem {
  try {
    resolveProjection(projection, returned, context)
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no fault')
}

describe('projection', () => {
  test('without one: everything but hidden fields and nulls; empty objects stay', () => {
    expect(project()).toEqual({
      id: 'x',
      fullname: 'My name',
      params: { job: 'Actor', startdate: 1, tags: [] },
      geo_params: { geometry, centroid: '2,1', second_geometry: geometry },
      properties: {},
      extra: { a: { b: 1 }, list: [{ a: 1, b: 2 }, { b: 3 }], gone: {} },
      'dotted.key': { x: 1, y: 2 },
    })
  })

  test.each<[string, JsonObject]>([
    ['unexisting', mandatory],
    ['params.job', { ...mandatory, params: { job: 'Actor', startdate: 1 } }],
    ['params', { ...mandatory, params: { job: 'Actor', startdate: 1, tags: [] } }],
    ['par*', { ...mandatory, params: { job: 'Actor', startdate: 1, tags: [] } }],
    ['geo', mandatory],
    ['properties', mandatory],
    ['extra.gone', mandatory],
    ['extra.list.a', { ...mandatory, extra: { list: [{ a: 1 }] } }],
    ['extra.list.c', mandatory],
    ['dotted.key.x', { ...mandatory, 'dotted.key': { x: 1 } }],
    ['dotted', { ...mandatory, 'dotted.key': { x: 1, y: 2 } }],
    ['params.city', mandatory],
    [' fullname , id ', { ...mandatory, fullname: 'My name' }],
  ])('include=%s', (includes, expected) => {
    expect(project({ includes })).toEqual(expected)
  })

  test('include of nothing is no include', () => {
    expect(project({ includes: '' })).toEqual(project())
    expect(project({ includes: ' , ' })).toEqual(project())
  })

  test('exclude takes from what include selects', () => {
    expect(project({ includes: 'params,extra', excludes: 'params.job,extra.a.b,*.list' })).toEqual({
      ...mandatory,
      params: { startdate: 1, tags: [] },
    })
    expect(
      project({ excludes: 'params.job,params.tags,extra.a.b,extra.list.b,dotted.key.x,geo_params.second*' }),
    ).toEqual({
      id: 'x',
      fullname: 'My name',
      params: { startdate: 1 },
      geo_params: { geometry, centroid: '2,1' },
      properties: {},
      extra: { a: {}, list: [{ a: 1 }, {}], gone: {} },
      'dotted.key': { y: 2 },
    })
  })

  test('a geometry stays in one piece', () => {
    expect(project({ excludes: '*type,*coordinates' }).geo_params).toEqual(source.geo_params)
  })

  test.each(['id', 'geo_params', 'geo*', '*', 'params.start*', 'fullname,params'])(
    'exclude=%s is refused',
    (excludes) => {
      const fault = faultOf({ excludes })
      expect(fault.code).toBe('INVALID_PARAMETER')
      expect(fault.message).toMatch(/^exclude /)
    },
  )

  test('nulls stay when asked to, in arrays always', () => {
    const plan = resolveProjection(undefined, undefined, context)
    const kept = projectDocument(source, plan, { keepNulls: true })
    expect(kept).toMatchObject({ text_search: null, params: { weight: null }, extra: { gone: { n: null } } })
    expect(projectDocument({ list: [1, null, { a: null, b: 2 }] }, plan)).toEqual({ list: [1, null, { b: 2 }] })
    expect(projectDocument({ fullname: ['a', null] }, plan)).toEqual({ fullname: ['a', null] })
  })

  test('__proto__ is a key like any other', () => {
    const plan = resolveProjection(undefined, undefined, context)
    const hostile = JSON.parse('{"__proto__":{"polluted":1},"a":{"__proto__":2}}')
    expect(JSON.stringify(projectDocument(hostile, plan))).toBe('{"__proto__":{"polluted":1},"a":{"__proto__":2}}')
  })

  test('the source is left as it was', () => {
    const before = structuredClone(source)
    project({ includes: 'extra', excludes: 'extra.a' })
    expect(source).toEqual(before)
  })

  test('what include and exclude of a pattern keep is the whole', () => {
    const leaf = fc.oneof(fc.integer(), fc.constant(null), fc.constant('x'))
    const tree = fc.letrec<{ node: Json }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.dictionary(fc.constantFrom('a', 'b', 'a.b'), tie('node')),
        fc.array(tie('node'), { maxLength: 3 }),
      ),
    }))
    const document = fc.dictionary(fc.constantFrom('a', 'b', 'c.a'), tree.node)
    fc.assert(
      fc.property(document, fc.constantFrom('a', 'b', 'a.b', '*b', 'c*'), (doc, pattern) => {
        const kept = projectDocument(doc, resolveProjection({ includes: pattern }, undefined, context))
        const rest = projectDocument(doc, resolveProjection({ excludes: pattern }, undefined, context))
        const all = projectDocument(doc, resolveProjection(undefined, undefined, context))
        expect(scalars(kept) + scalars(rest)).toBe(scalars(all))
      }),
    )
  })
})

function scalars(value: Json): number {
  if (typeof value !== 'object') return 1
  return value === null ? 0 : Object.values(value).reduce<number>((n, v) => n + scalars(v), 0)
}

describe('returned geometries', () => {
  test('in the order asked, each once', () => {
    const plan = resolveProjection(
      {},
      'geo_params.second_geometry, geo_params.geometry,geo_params.second_geometry',
      context,
    )
    expect(plan.returnedGeometries?.map((f) => f.path)).toEqual(['geo_params.second_geometry', 'geo_params.geometry'])
    expect(resolveProjection({}, ' ', context).returnedGeometries).toBeUndefined()
  })
  test('they join an include', () => {
    expect(project({ includes: 'params.job' }, 'geo_params.second_geometry').geo_params).toEqual(source.geo_params)
  })
  test.each<[string, string, Projection?]>([
    ['geo_params.foo', 'FIELD_NOT_FOUND'],
    ['params.city', 'FIELD_NOT_FOUND'],
    ['params.age', 'INVALID_PARAMETER'],
    ['geo_params', 'INVALID_PARAMETER'],
    ['geo_params.second_geometry', 'INVALID_PARAMETER', { excludes: 'geo_params.sec*' }],
  ])('%s: %s', (returned, code, projection = {}) => {
    expect(faultOf(projection, returned).code).toBe(code)
  })
})

import { describe, expect, test } from 'vitest'
import { fieldAt } from '../request/sample-collection.fixture.ts'
import { faultOf, resolve, resolveOne, withPaths } from './aggregation.fixture.ts'

describe('unknown fields', () => {
  test('there is no level from the first one on', () => {
    const [job, nope, nested] = resolve([
      'term:params.job',
      'histogram:params.nope:interval-1:collect_field-params.age:collect_fct-avg',
      'term:params.job:fetch_hits-1',
    ])
    expect(job?.level).toBeDefined()
    expect(nope).not.toHaveProperty('level')
    expect(nope).not.toHaveProperty('field')
    expect(nope?.metrics).toEqual([{ fct: 'avg', path: 'params.age', place: 0 }])
    expect(nested).not.toHaveProperty('level')
    expect(nested).toMatchObject({ field: fieldAt('params.job'), hits: { top: 0 } })
    expect(resolveOne('datehistogram:nope:interval-1day').level).toBeUndefined()
  })

  test('nested ones are still checked', () => {
    expect(faultOf(() => resolve(['term:params.nope', 'term:fullname']))).toMatch(
      /^INVALID_AGGREGATION: field of aggregation 2/,
    )
    expect(faultOf(() => resolve(['term:params.nope', 'geohash:nope:interval-1']))).toMatch(/^FIELD_NOT_FOUND: /)
  })

  test.each([
    ['geohash:nope:interval-1', 'nope', 'field'],
    ['geohex:nope:interval-1', 'nope', 'field'],
    ['term:params.job:collect_field-nope:collect_fct-geobbox', 'nope', 'collect_field'],
    ['term:params.job:raw_geometries-nope', 'nope', 'raw_geometries'],
    ['term:params.job:raw_geometries-geo_params.geometry(nope)', 'nope', 'raw_geometries'],
    ['term:params.job:raw_geometries-geo_params.geometry(-params.city)', 'params.city', 'raw_geometries'],
    ['term:params.job:fetch_hits-3(foo,params.age)', 'foo', 'fetch_hits'],
    ['term:params.job:fetch_hits-3(-foo)', 'foo', 'fetch_hits'],
    ['term:params.job:fetch_hits-3(params.city)', 'params.city', 'fetch_hits'],
  ])('must exist: %s', (text, field, part) => {
    const message = `FIELD_NOT_FOUND: Field ${field} does not exist in collection geodata, used by ${part} of aggregation 1`
    expect(faultOf(() => resolve([text]))).toBe(message)
  })

  test('a field hidden from answers can be aggregated', () => {
    expect(resolveOne('term:params.city:collect_field-params.city:collect_fct-cardinality').level).toBeDefined()
  })

  test('a centroid that is not there is missed only where it is used', () => {
    const collection = withPaths({ centroid_path: 'nope' })
    expect(resolveOne('term:params.job', { collection }).level).toBeDefined()
    for (const part of ['aggregated_geometries-bbox', 'collect_fct-geobbox']) {
      expect(() => resolveOne(`term:params.job:${part}`, { collection })).toThrow('Field nope does not exist')
    }
  })

  test('existence comes before types', () => {
    expect(faultOf(() => resolve(['term:fullname', 'geohash:nope:interval-1']))).toMatch(/^FIELD_NOT_FOUND: /)
    expect(faultOf(() => resolve(['geohash:params.job:interval-1:fetch_hits-1(nope)']))).toMatch(/^FIELD_NOT_FOUND: /)
  })
})

describe('field types', () => {
  const terms = 'KEYWORD, IP, BOOLEAN, DATE, LONG, INTEGER, SHORT, BYTE, DOUBLE, FLOAT'
  const numbers = 'LONG, INTEGER, SHORT, BYTE, DOUBLE, FLOAT, DATE'
  test.each([
    ['term:fullname', 'field', 'fullname', 'TEXT', terms],
    ['term:params', 'field', 'params', 'OBJECT', terms],
    ['term:geo_params.centroid', 'field', 'geo_params.centroid', 'GEO_POINT', terms],
    ['term:params.not_indexed', 'field', 'params.not_indexed', 'KEYWORD', 'not indexed'],
    ['term:types.parts.name', 'field', 'types.parts.name', 'KEYWORD', 'NESTED'],
    ['histogram:params.job:interval-10', 'field', 'params.job', 'KEYWORD', numbers],
    ['histogram:types.flag:interval-10', 'field', 'types.flag', 'BOOLEAN', numbers],
    ['datehistogram:params.age:interval-1day', 'field', 'params.age', 'INTEGER', 'DATE'],
    ['geotile:params.job:interval-1', 'field', 'params.job', 'KEYWORD', 'GEO_POINT, GEO_SHAPE'],
    ['term:params.job:collect_field-params.job:collect_fct-avg', 'collect_field', 'params.job', 'KEYWORD', numbers],
    ['term:params.job:collect_field-types.ip:collect_fct-max', 'collect_field', 'types.ip', 'IP', numbers],
    ['term:params.job:collect_field-fullname:collect_fct-cardinality', 'collect_field', 'fullname', 'TEXT', terms],
    [
      'term:params.job:collect_field-params.age:collect_fct-geobbox',
      'collect_field',
      'params.age',
      'INTEGER',
      'GEO_POINT, GEO_SHAPE',
    ],
    ['term:params.job:raw_geometries-params.age', 'raw_geometries', 'params.age', 'INTEGER', 'GEO_POINT, GEO_SHAPE'],
    ['term:params.job:raw_geometries-geo_params.centroid(fullname)', 'raw_geometries', 'fullname', 'TEXT', 'sort'],
    ['term:params.job:fetch_hits-1(-geo_params.centroid)', 'fetch_hits', 'geo_params.centroid', 'GEO_POINT', 'sort'],
    ['term:params.job:fetch_hits-1(+params)', 'fetch_hits', 'params', 'OBJECT', 'sort'],
  ])('%s', (text, part, field, type, allowed) => {
    const fault = faultOf(() => resolve(['term:params.job', text]))
    expect(fault).toMatch(new RegExp(`^INVALID_AGGREGATION: ${part} of aggregation 2 .*, got '${field}'$`))
    expect(fault).toContain(type)
    expect(fault).toContain(allowed)
  })

  test('unsigned fields of any type can be fetched', () => {
    expect(
      resolveOne('term:params.job:fetch_hits-1(fullname,geo_params,params.not_indexed)').hits?.include,
    ).toHaveLength(3)
  })

  test('types that fit', () => {
    for (const path of ['types.ip', 'types.flag', 'types.day', 'types.byte', 'types.float', 'params.job']) {
      expect(resolveOne(`term:${path}:collect_field-${path}:collect_fct-cardinality`).level).toBeDefined()
    }
    for (const fct of ['avg', 'max', 'min', 'sum']) {
      expect(resolveOne(`term:params.job:collect_field-types.day:collect_fct-${fct}`).level?.metrics).toHaveLength(1)
    }
  })
})

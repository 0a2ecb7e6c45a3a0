import { describe, expect, it } from 'vitest'
import { Problem } from '../../errors.ts'
import { projectDocument } from '../../query/page/projection.ts'
import { everything, nothing } from '../../query/plan/predicate.ts'
import { limits, NOW, plainView } from '../../query/request/sample-collection.fixture.ts'
import type { CollectionView } from '../../query/schema/collection-view.ts'
import { compilePatterns } from '../../query/schema/field-pattern.ts'
import { hiddenFields, visibleColumns, visibleSchema } from '../../query/schema/visible-columns.ts'
import { checkHitsDates } from './hits-dates.ts'
import { checkHitsColumns, checkHitsFields, parseHits, resolveHits } from './hits-fragment.ts'

const context = { limits, now: NOW }
const parse = (filter: string, projection?: string) =>
  parseHits(projection === undefined ? { filter } : { filter, projection }, limits)
const predicate = (filter: string, view = plainView) => resolveHits(parse(filter), view, context).filter

/** The view of the collection with this column filter. */
function narrowed(patterns: string): CollectionView {
  const { id_path, geometry_path, centroid_path, timestamp_path } = plainView.reference.params
  const columns = visibleColumns(compilePatterns(patterns), [id_path, geometry_path, centroid_path, timestamp_path])
  const hidden = hiddenFields(plainView.hidden, columns, plainView.schema)
  return { ...plainView, columns, hidden, schema: visibleSchema(plainView.schema, columns) }
}

function faultOf(work: () => unknown): { code: string; message: string } {
  try {
    work()
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, message: error.message }
    throw error
  }
  return { code: 'none', message: '' }
}

describe('fragments of hits', () => {
  it('are decoded like the query of a GET', () => {
    const { f, q } = parse(
      'F=params.city:eq:New%20York,a%26b&f=params.age:gte:18;params.job:eq:a+b&q=x%3Dy&&q=&f',
    ).filter
    expect(f.map((group) => group.map(({ field, op, items }) => [field, op, items]))).toEqual([
      [['params.city', 'eq', ['New York', 'a&b']]],
      [
        ['params.age', 'gte', ['18']],
        ['params.job', 'eq', ['a b']],
      ],
    ])
    expect(q.map((group) => group.map(({ text }) => text))).toEqual([['x=y']])
  })

  it('may be empty', () => {
    expect(parse('', '')).toEqual({ filter: { f: [], q: [] }, projection: {} })
    expect(predicate('')).toEqual(everything)
  })

  it.each([
    ['?f=a:eq:b', '?f'],
    ['params.city:eq:Toulouse', 'params.city:eq:Toulouse'],
    ['size=3', 'size'],
    ['include=a', 'include'],
    ['f=a:eq', 'triplets'],
    ['f=a:foo:b', 'operators'],
    ['f=a:eq:b,,c', 'empty item'],
    ['f=a:range:[1<2', 'one bracket'],
    ['f=a:within:POLYGON((0 0,1 1,2 2))', 'f '],
    ['f=a:eq:%E0', 'percent-encoded'],
    ['dateformat=bbb', 'dateformat'],
    ['dateformat=yyyy&dateformat=MM', 'several values of dateformat'],
    ['righthand=1', 'righthand'],
  ])('filter %s is refused', (filter, part) => {
    const { code, message } = faultOf(() => parse(filter))
    expect(code).toBe('INVALID_HITS')
    expect(message).toContain('subscription.hits.filter ')
    expect(message).toContain(part)
  })

  it('projections have include and exclude alone', () => {
    expect(parse('', 'Include=params.*,id&exclude=a').projection).toEqual({ includes: 'params.*,id', excludes: 'a' })
    expect(faultOf(() => parse('', 'f=a:eq:b')).message).toContain('subscription.hits.projection must contain only')
  })
})

describe('dates of hits.filter', () => {
  const check = (filter: string, anyField: boolean) =>
    faultOf(() => checkHitsDates(parse(filter), { now: NOW, anyField })).code

  it.each(['now-1x', '1970-01-01', '5||', 'now/dd'])('%s on $timestamp is refused', (bound) => {
    expect(check(`f=$timestamp:gte:${encodeURIComponent(bound)}`, false)).toBe('INVALID_HITS')
    expect(check(`f=$timestamp:range:[0<${encodeURIComponent(bound)}]`, false)).toBe('INVALID_HITS')
  })

  it('with a dateformat, other dates will do', () => {
    expect(check('f=$timestamp:gte:1970-01-01&dateformat=yyyy-MM-dd', false)).toBe('none')
    expect(check('f=$timestamp:gte:0&dateformat=yyyy-MM-dd', false)).toBe('INVALID_HITS')
    expect(check('f=$timestamp:lt:now-1d/d&dateformat=yyyy-MM-dd', false)).toBe('none')
  })

  it.each([
    ['now-1x', 'INVALID_HITS'],
    ['now/', 'INVALID_HITS'],
    ['17||', 'INVALID_HITS'],
    ['now-1d', 'none'],
    ['nowhere', 'none'],
    ['Toulouse', 'none'],
  ])('%s on any field, when no collection is named: %s', (bound, code) => {
    expect(check(`f=some.field:lte:${encodeURIComponent(bound)}`, true)).toBe(code)
    expect(check(`f=some.field:range:[0<${encodeURIComponent(bound)}]`, true)).toBe(code)
    expect(check(`f=some.field:lte:${encodeURIComponent(bound)}`, false)).toBe('none')
    expect(check(`f=some.field:eq:${encodeURIComponent(bound)}`, true)).toBe('none')
  })
})

describe('hits against the fields of a collection', () => {
  const check = (filter: string, projection = '', view = plainView) =>
    faultOf(() => checkHitsFields(parse(filter, projection), view, context))

  it.each([
    ['f=params.age:eq:old', ''],
    ['f=fullname:gt:a', ''],
    ['f=params:eq:a', ''],
    ['f=nowhere:within:0,0,1,1', ''],
    ['f=$timestamp:gte:1970-01-01', ''],
    ['', 'exclude=params'],
    ['', 'exclude=geo*'],
  ])('filter %s, projection %s: INVALID_HITS naming the collection', (filter, projection) => {
    const { code, message } = check(filter, projection)
    expect(code).toBe('INVALID_HITS')
    expect(message).toContain('in collection geodata')
  })

  it('unknown fields are fields without values', () => {
    expect(check('f=nowhere:eq:1&q=nowhere:x', 'include=nowhere&exclude=nowhere').code).toBe('none')
  })

  it('names what a writer may not see: 403', () => {
    const view = narrowed('params.job')
    const named = (filter: string, projection = '', keys: readonly string[] = []) =>
      faultOf(() => checkHitsColumns(parse(filter, projection), view, keys))
    expect(named('f=params.job:eq:a&f=$timestamp:gte:0&q=params.job:x', 'include=params.job,pa*&exclude=x').code).toBe(
      'none',
    )
    expect(named('f=params.age:gt:1')).toEqual({
      code: 'COLUMN_NOT_AVAILABLE',
      message: 'Column params.age is not available',
    })
    expect(named('q=Actor').code).toBe('COLUMN_NOT_AVAILABLE')
    expect(named('', 'include=params.age').code).toBe('COLUMN_NOT_AVAILABLE')
    expect(named('', '', ['params.job', 'params.age']).code).toBe('COLUMN_NOT_AVAILABLE')
    expect(faultOf(() => checkHitsColumns(parse('q=Actor'), plainView, ['x'])).code).toBe('none')
  })
})

describe('hits in the collection of an event', () => {
  it('a geo operator on a field it does not have matches nothing, negated or not', () => {
    expect(predicate('f=nowhere:within:0,0,1,1')).toEqual(nothing)
    expect(predicate('f=nowhere:notintersects:0,0,1,1')).toEqual(nothing)
    expect(predicate('f=nowhere:notintersects:0,0,1,1;params.job:eq:Actor')).toEqual(predicate('f=params.job:eq:Actor'))
    expect(predicate('f=nowhere:ne:1')).toEqual(everything)
  })

  it('a value that does not fit is a fault of the filter', () => {
    expect(faultOf(() => predicate('f=params.age:eq:old')).code).toBe('INVALID_FILTER')
  })

  it('what the writer may not see matches nothing', () => {
    const view = narrowed('params.job')
    expect(predicate('f=params.age:ne:1', view)).toEqual(nothing)
    expect(predicate('q=Actor', view)).toEqual(nothing)
    expect(predicate('f=params.job:eq:Actor', view)).toEqual(predicate('f=params.job:eq:Actor'))
  })

  const document = {
    id: 'a',
    params: { job: 'Actor', city: 'Albi', startdate: 1, age: 3 },
    geo_params: { geometry: 'POINT(0 0)', centroid: '0,0', other_geopoint: '1,1' },
  }
  const projected = (projection: string, view = plainView) =>
    projectDocument(document, resolveHits(parse('', projection), view, context).projection)

  it('an exclude leaves the paths of the collection', () => {
    expect(projected('exclude=params,geo_params,id')).toEqual({
      id: 'a',
      params: { startdate: 1 },
      geo_params: { geometry: 'POINT(0 0)', centroid: '0,0' },
    })
    expect(projected('exclude=*')).toEqual(projected('exclude=params,geo_params,id'))
  })

  it('is projected as a search would', () => {
    expect(projected('')).toEqual({ ...document, params: { job: 'Actor', startdate: 1, age: 3 } })
    expect(projected('include=params.job').params).toEqual({ job: 'Actor', startdate: 1 })
    expect(projected('', narrowed('params.age')).params).toEqual({ startdate: 1, age: 3 })
  })
})

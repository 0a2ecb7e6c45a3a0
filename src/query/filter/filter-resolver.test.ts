import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import type { Expression, Filter } from '../../model/filter.ts'
import { expressionBudget } from '../plan/expression-budget.ts'
import type { Predicate } from '../plan/predicate.ts'
import { fieldAt, filterContext, limits, NOW, sampleView } from '../request/sample-collection.fixture.ts'
import { resolveFilter } from './filter-resolver.ts'

const resolve = (filter: Filter): Predicate => resolveFilter(filter, filterContext())
const single = (field: string, op: string, value: string, more: Omit<Filter, 'f'> = {}): Predicate =>
  resolve({ f: [[{ field, op, value }]], ...more })

function faultOf(run: () => unknown): Problem {
  try {
    run()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no fault')
}

describe('shape of a filter', () => {
  test('nothing given restricts nothing', () => {
    for (const filter of [{}, { f: [] }, { f: [[]] }, { q: [] }, { q: [[]] }, { righthand: false }]) {
      expect(resolve(filter)).toEqual({ kind: 'everything' })
    }
  })

  test('outer array AND, inner array OR', () => {
    const e = (field: string, value: string): Expression => ({ field, op: 'eq', value })
    expect(resolve({ f: [[e('id', 'a'), e('params.job', 'b')], [e('id', 'c')]] })).toMatchObject({
      kind: 'and',
      members: [{ kind: 'or', members: [{ values: ['a'] }, { values: ['b'] }] }, { values: ['c'] }],
    })
  })

  test('equalities of one field inside a group are one list', () => {
    const e = (value: string): Expression => ({ field: 'id', op: 'eq', value })
    expect(resolve({ f: [[e('a'), e('b,c'), e('a')]] })).toMatchObject({ kind: 'equals', values: ['a', 'b', 'c'] })
  })

  test.each<[string, Expression]>([
    ['filter.f[0][0].op', { field: 'foobar' }],
    ['filter.f[0][0].value', { field: 'params.job', op: 'eq' }],
    ['filter.f[0][0].field', { op: 'eq', value: 'Actor' }],
    ['filter.f[0][0].value', { field: 'params.job', op: 'eq', value: '' }],
  ])('%s is missing', (path, expression) => {
    const fault = faultOf(() => resolve({ f: [[expression]] }))
    expect(fault.code).toBe('INVALID_FILTER')
    expect(fault.message).toContain(path)
  })

  test('faults name the place, and in a query the piece', () => {
    const filter = { f: [[{ field: 'params.age', op: 'like', value: '1' }]] }
    expect(faultOf(() => resolve(filter)).message).toBe(
      "filter.f[0][0] must not use the operator like on params.age, a field of type INTEGER, got 'params.age:like:1'",
    )
    expect(faultOf(() => resolveFilter(filter, filterContext(sampleView, 'f'))).message).toMatch(
      /^f must not .*INTEGER/,
    )
  })
})

describe('operators by type', () => {
  const forbidden: readonly [string, readonly string[]][] = [
    ['params.job', ['within', 'notwithin', 'intersects', 'notintersects']],
    ['text_search', ['gt', 'gte', 'lt', 'lte', 'range', 'within', 'intersects']],
    ['params.age', ['like', 'within', 'notintersects']],
    ['types.double', ['like', 'within']],
    ['params.startdate', ['like', 'within']],
    ['types.flag', ['like', 'gt', 'gte', 'lt', 'lte', 'range', 'within']],
    ['types.ip', ['like', 'gt', 'gte', 'lt', 'lte', 'range', 'within']],
    ['geo_params.centroid', ['eq', 'ne', 'like', 'gt', 'gte', 'lt', 'lte', 'range']],
    ['geo_params.geometry', ['eq', 'ne', 'like', 'range']],
    ['params', ['eq', 'ne', 'like', 'gt', 'range', 'within']],
    ['types.parts', ['eq', 'within']],
    ['types.parts.name', ['eq', 'ne', 'like', 'range', 'within']],
    ['params.not_indexed', ['eq', 'ne', 'like', 'gt', 'range', 'within']],
  ]
  const valueFor = (op: string): string => (/within|intersects/.test(op) ? '0,0,1,1' : op === 'range' ? '0<1' : '1')
  test.each(forbidden.flatMap(([field, ops]) => ops.map((op) => [field, op] as const)))(
    '%s %s is refused',
    (field, op) => {
      const fault = faultOf(() => single(field, op, valueFor(op)))
      expect(fault.code).toBe('INVALID_FILTER')
      expect(fault.message).toContain(field)
    },
  )

  test('keyword', () => {
    const field = fieldAt('params.job')
    expect(single('params.job', 'eq', 'a,b\\,c,a')).toEqual({ kind: 'equals', field, values: ['a', 'b,c'] })
    expect(single('params.job', 'ne', 'a')).toMatchObject({ kind: 'not', member: { values: ['a'] } })
    expect(single('params.job', 'gt', 'a,b')).toEqual({
      kind: 'range',
      field,
      lower: { value: 'a,b', inclusive: false },
    })
    expect(single('params.job', 'lte', 'é')).toEqual({ kind: 'range', field, upper: { value: 'é', inclusive: true } })
    expect(single('params.job', 'like', '^a')).toMatchObject({ kind: 'pattern', pattern: { anchoredStart: true } })
  })

  test.each([
    ['[a<b]', ['a', true, 'b', true]],
    [']a<b[', ['a', false, 'b', false]],
    [']a<b]', ['a', false, 'b', true]],
    ['[a<b[', ['a', true, 'b', false]],
    ['a<b', ['a', true, 'b', true]],
    ['[<b]', ['', true, 'b', true]],
    ['<', ['', true, '', true]],
    ['[a<b<c]', ['a<b', true, 'c', true]],
    ['[A]<[b]', ['A]', true, '[b', true]],
    ['a[<b]c', ['a[', true, 'b]c', true]],
    ['[a\\,b<c]', ['a,b', true, 'c', true]],
    [' [a<b', [' [a', true, 'b', true]],
    ['[ a < b ]', [' a ', true, ' b ', true]],
  ])('keyword range %s', (value, [min, includesMin, max, includesMax]) => {
    expect(single('params.job', 'range', value)).toMatchObject({
      lower: { value: min, inclusive: includesMin },
      upper: { value: max, inclusive: includesMax },
    })
  })

  test.each(['[a<b', 'a<b]', 'ab', '[ab]', '[', ']', '[]', '[a<b],', ',[a<b]', '[a<b],,[c<d]'])(
    'range %s is refused on any field',
    (value) => {
      for (const field of ['params.job', 'params.age', 'unknown.field']) {
        expect(faultOf(() => single(field, 'range', value)).code).toBe('INVALID_FILTER')
      }
    },
  )

  test('a keyword range from high to low matches nothing', () => {
    expect(single('params.job', 'range', '[b<a]')).toEqual({ kind: 'nothing' })
    expect(single('params.job', 'range', ']a<a]')).toEqual({ kind: 'nothing' })
    // U+1F600 comes after U+FFFD by code point, before it by UTF-16 unit.
    expect(single('params.job', 'range', '[\ufffd<\u{1f600}]').kind).toBe('range')
  })

  test('text', () => {
    const field = fieldAt('text_search')
    const token = (t: string) => ({ kind: 'phrase', field, tokens: [t], lastIsPrefix: false, slop: 0 })
    expect(single('text_search', 'eq', 'Ice cream,ICE')).toEqual({
      kind: 'or',
      members: [token('ice'), token('cream')],
    })
    expect(single('text_search', 'like', 'Ice Cre')).toEqual({
      kind: 'phrase',
      field,
      tokens: ['ice', 'cre'],
      lastIsPrefix: true,
      slop: 0,
    })
    expect(single('text_search', 'eq', '?!')).toEqual({ kind: 'nothing' })
    expect(single('text_search', 'ne', '?!')).toEqual({ kind: 'everything' })
  })

  test('boolean and address', () => {
    expect(single('types.flag', 'eq', 'TRUE,false')).toMatchObject({ kind: 'equals', values: [true, false] })
    expect(faultOf(() => single('types.flag', 'eq', 'yes')).code).toBe('INVALID_FILTER')
    expect(single('types.ip', 'eq', '10.0.0.1')).toMatchObject({ values: ['00000000000000000000ffff0a000001'] })
    expect(faultOf(() => single('types.ip', 'eq', '10.0.0')).code).toBe('INVALID_FILTER')
  })

  test('unknown fields have no values', () => {
    for (const op of ['eq', 'like', 'gt', 'gte', 'lt', 'lte']) expect(single('nope', op, '(').kind).toBe('nothing')
    expect(single('nope', 'ne', 'x').kind).toBe('everything')
    expect(single('params.not_enabled.x', 'ne', 'x').kind).toBe('everything')
    for (const op of ['within', 'notwithin', 'intersects', 'notintersects']) {
      const fault = faultOf(() => single('nope', op, '0,0,1,1'))
      expect(fault.code).toBe('FIELD_NOT_FOUND')
      expect(fault.message).toMatch(/nope.*geodata/)
    }
  })
})

describe('dates', () => {
  const ms = (value: number, inclusive: boolean) => ({ value, inclusive })
  test.each([
    ['gte', '61500||/s', 'lower', ms(61000, true)],
    ['gt', '61500||/s', 'lower', ms(61999, false)],
    ['lt', '61500||/s', 'upper', ms(61000, false)],
    ['lte', '61500||/s', 'upper', ms(61999, true)],
    ['gte', ' now ', 'lower', ms(NOW, true)],
    ['gte', '-5', 'lower', ms(-5, true)],
  ] as const)('%s %s', (op, value, side, bound) => {
    expect(single('params.startdate', op, value)).toMatchObject({ kind: 'range', [side]: bound })
  })

  test('range bounds round by their bracket', () => {
    expect(single('$timestamp', 'range', '[61500||/s<61500||/s]')).toMatchObject({
      lower: ms(61000, true),
      upper: ms(61999, true),
    })
    expect(single('$timestamp', 'range', ']61500||/s<70500||/s[')).toMatchObject({
      lower: ms(61999, false),
      upper: ms(70000, false),
    })
    expect(single('$timestamp', 'range', '[2<1]').kind).toBe('nothing')
  })

  test('eq is the period a value names', () => {
    const day = Date.UTC(2024, 1, 29)
    expect(single('types.day', 'eq', '2024-02-29')).toMatchObject({
      kind: 'range',
      lower: ms(day, true),
      upper: ms(day + 86_399_999, true),
    })
    expect(single('types.day', 'eq', '1709208000000,2024-02-29T12:00:00.000Z')).toMatchObject({
      kind: 'equals',
      values: [1709208000000],
    })
    expect(faultOf(() => single('types.day', 'eq', 'yesterday')).code).toBe('INVALID_FILTER')
    expect(faultOf(() => single('types.day', 'eq', 'now')).code).toBe('INVALID_FILTER')
  })

  test('dateformat is checked even when unused, and does not touch eq', () => {
    const fault = faultOf(() => single('id', 'eq', 'x', { dateformat: 'foo' }))
    expect(fault.code).toBe('INVALID_FILTER')
    expect(fault.message).toContain('filter.dateformat')
    expect(faultOf(() => single('id', 'eq', 'x', { dateformat: 'epoch_millis' })).code).toBe('INVALID_FILTER')
    expect(faultOf(() => single('id', 'eq', 'x', { dateformat: 'yyyy||MM' })).code).toBe('INVALID_FILTER')
    expect(single('params.startdate', 'eq', '763600', { dateformat: 'yyyy' })).toMatchObject({ values: [763600] })
  })

  test('a date text without dateformat points to dateformat', () => {
    expect(faultOf(() => single('params.startdate', 'gte', '1970-01-01')).message).toContain('dateformat')
  })
})

describe('geometry', () => {
  test('the form is checked before the field', () => {
    expect(faultOf(() => single('nope', 'within', 'POLYGON((')).code).toBe('INVALID_GEOMETRY')
    expect(faultOf(() => single('params.job', 'within', '1,2,3')).code).toBe('INVALID_GEOMETRY')
  })
  test('a fault names parameter and value', () => {
    const fault = faultOf(() => single('geo_params.centroid', 'within', '-5,5,5,-5'))
    expect(fault.message).toMatch(/^filter\.f\[0\]\[0\] .*'-5,5,5,-5'$/)
  })
  test('members of the earlier revision are triplets on the paths of the collection', () => {
    const box = '-5,-5,5,5'
    const members = [
      ['gwithin', 'geo_params.geometry', 'within'],
      ['notgwithin', 'geo_params.geometry', 'notwithin'],
      ['gintersect', 'geo_params.geometry', 'intersects'],
      ['notgintersect', 'geo_params.geometry', 'notintersects'],
      ['pwithin', 'geo_params.centroid', 'within'],
      ['notpwithin', 'geo_params.centroid', 'notwithin'],
    ] as const
    for (const [name, field, op] of members) {
      expect(resolve({ [name]: [box] })).toEqual(single(field, op, box))
      const either = [[box, '6,6,7,7'].map((value) => ({ field, op, value }))]
      expect(resolve({ [name]: [`${box};;6,6,7,7`] })).toEqual(resolve({ f: either }))
    }
    expect(resolve({ gwithin: [], pwithin: [' ', ';'] }).kind).toBe('everything')
  })
  test('what is wrong with them is told in the words that were sent', () => {
    const elsewhere = {
      ...filterContext(sampleView, 'f'),
      places: { geometry_path: 'params.job', centroid_path: 'no' },
    }
    const fault = faultOf(() => resolveFilter({ gwithin: ['0,0,1,1'] }, elsewhere))
    expect(fault.message).toBe(
      "gwithin must not use the operator within on params.job, a field of type KEYWORD, got '0,0,1,1'",
    )
    expect(faultOf(() => resolveFilter({ notpwithin: ['0,0,1,1'] }, elsewhere)).code).toBe('FIELD_NOT_FOUND')
  })
  test('the vertex limit comes from the settings', () => {
    const context = { ...filterContext(), limits: { ...limits, vertices: 4 } }
    const value = 'LINESTRING(0 0,1 1,2 2,3 3,4 4)'
    const filter = { f: [[{ field: 'geo_params.centroid', op: 'intersects', value }]] }
    expect(faultOf(() => resolveFilter(filter, context)).code).toBe('INVALID_GEOMETRY')
  })
})

describe('limits', () => {
  const many = (n: number): string => Array.from({ length: n }, (_, i) => i).join(',')
  test('as many values as the setting allows, over the whole request', () => {
    expect(single('params.job', 'eq', many(10_000)).kind).toBe('equals')
    const fault = faultOf(() => single('params.job', 'eq', many(10_001)))
    expect(fault.code).toBe('LIMIT_EXCEEDED')
    expect(fault.message).toMatch(/10000.*limits\.expressions/)
    const context = { ...filterContext(), budget: expressionBudget({ ...limits, expressions: 3 }) }
    const pair = { f: [[{ field: 'id', op: 'eq', value: 'a,b' }]] }
    resolveFilter(pair, context)
    expect(faultOf(() => resolveFilter(pair, context)).code).toBe('LIMIT_EXCEEDED')
  })
  test('areas of the earlier revision count too', () => {
    const context = { ...filterContext(), budget: expressionBudget({ ...limits, expressions: 3 }) }
    resolveFilter({ gwithin: ['0,0,1,1;2,2,3,3'] }, context)
    const fault = faultOf(() => resolveFilter({ pwithin: ['0,0,1,1', '2,2,3,3'] }, context))
    expect(fault.code).toBe('LIMIT_EXCEEDED')
    expect(fault.message).toMatch(/^filter\.pwithin\[1\] .*limits\.expressions/)
  })
  test('texts cannot go round it', () => {
    const words = 'w '.repeat(10_001)
    expect(faultOf(() => resolve({ q: [[words]] })).code).toBe('LIMIT_EXCEEDED')
    expect(faultOf(() => single('text_search', 'like', words)).code).toBe('LIMIT_EXCEEDED')
  })
  test('as many positions as the setting allows, told before any is read', () => {
    const ring = (n: number): string => `POLYGON((${Array.from({ length: n }, (_, i) => `${i} nonsense`).join(',')}))`
    const among = (...counts: number[]) => ({
      f: [counts.map((n) => ({ field: 'geo_params.centroid', op: 'within', value: ring(n) }))],
    })
    const fault = faultOf(() => resolve(among(5_000, 5_000, 5_000, 5_000, 1)))
    expect(fault.code).toBe('LIMIT_EXCEEDED')
    expect(fault.message).toMatch(/20000.*limits\.filterVertices/)
    expect(faultOf(() => resolve(among(5_000, 5_000, 5_000, 5_000))).code).toBe('INVALID_GEOMETRY')
    expect(faultOf(() => resolve(among(1_000_000))).code).toBe('INVALID_GEOMETRY')
  })
  test('as many crossings as the setting allows, over the whole request', () => {
    const bars = (n: number): string => {
      const bar = (w: number, s: number, e: number, t: number): string =>
        `POLYGON((${w} ${s},${e} ${s},${e} ${t},${w} ${t},${w} ${s}))`
      const each = (i: number) => [bar(i, -50, i + 0.5, 50), bar(-50, i, 50, i + 0.5)]
      return `GEOMETRYCOLLECTION(${Array.from({ length: n }, (_, i) => each(i - n / 2)).flat()})`
    }
    const within = (n: number) => ({ field: 'geo_params.centroid', op: 'within', value: bars(n) })
    resolve({ f: [[within(20)]] })
    for (const f of [[[within(20), within(20)]], [[within(23)]]]) {
      const fault = faultOf(() => resolve({ f }))
      expect(fault.code).toBe('INVALID_GEOMETRY')
      expect(fault.message).toContain('limits.crossings')
    }
  })
  test('long patterns', () => {
    expect(single('params.job', 'like', 'a'.repeat(1000)).kind).toBe('pattern')
    expect(faultOf(() => single('params.job', 'like', 'a'.repeat(1001))).code).toBe('INVALID_FILTER')
    expect(faultOf(() => single('params.job', 'like', '(')).message).toContain('position')
  })
})

describe('q', () => {
  test('a field that is not indexed cannot be named', () => {
    expect(faultOf(() => resolve({ q: [['params.not_indexed:x']] })).code).toBe('INVALID_FILTER')
    expect(resolve({ q: [['params.not_ind*:x']] }).kind).toBe('nothing')
  })
  test('a beginning with an escaped blank is of no token', () => {
    expect(resolve({ q: [['text_search:the\\ wo*']] }).kind).toBe('nothing')
  })
  test('what stands before the colon counts only when it is a field', () => {
    expect(resolve({ q: [['id:x']] })).toEqual({ kind: 'equals', field: fieldAt('id'), values: ['x'] })
    const whole = resolve({ q: [['nope:x']] })
    expect(JSON.stringify(whole, (_, v) => (typeof v === 'bigint' ? String(v) : v))).toContain('nope:x')
    expect(resolve({ q: [['types.parts.name:x']] }).kind).toBe('nothing')
  })
  test('values of types without parts', () => {
    expect(resolve({ q: [['types.flag:True']] })).toMatchObject({ values: [true] })
    expect(resolve({ q: [['types.flag:maybe']] }).kind).toBe('nothing')
    expect(resolve({ q: [['types.day:2024']] }).kind).toBe('range')
    expect(resolve({ q: [['types.day:soon']] }).kind).toBe('nothing')
    expect(resolve({ q: [['types.ip:::1']] })).toMatchObject({ values: ['00000000000000000000000000000001'] })
    expect(resolve({ q: [['params.age:4e2']] })).toMatchObject({ values: [400n] })
    expect(resolve({ q: [['params.age:40*']] }).kind).toBe('nothing')
  })
  test('deep alternation is refused, not passed on', () => {
    const text = Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? 'a |' : 'b +')).join(' ')
    expect(faultOf(() => resolve({ q: [[`id:${text}`]] })).code).toBe('LIMIT_EXCEEDED')
  })
})

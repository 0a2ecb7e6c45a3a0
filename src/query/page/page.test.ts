import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import type { Page } from '../../model/search.ts'
import { fieldAt, limits, sampleView } from '../request/sample-collection.fixture.ts'
import { resolvePage } from './page.ts'

const context = { collection: sampleView, limits, origin: 'query' } as const
const resolve = (page: Page) => resolvePage(page, context)

function faultOf(page: Page, more: { readonly window?: number; readonly origin?: 'body' } = {}): Problem {
  try {
    resolvePage(page, { ...context, ...more })
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('no fault')
}

const asc = (path: string) => ({ kind: 'field', field: fieldAt(path), descending: false })
const desc = (path: string) => ({ kind: 'field', field: fieldAt(path), descending: true })

describe('size and from', () => {
  test('defaults', () => {
    expect(resolve({})).toEqual({ size: 10, from: 0, sort: [asc('id')], continuable: false })
    expect(resolvePage(undefined, context).size).toBe(10)
    expect(resolve({ sort: ' ', after: '', before: '  ' }).sort).toEqual([asc('id')])
  })
  test.each<[Page, string, RegExp]>([
    [{ size: 0 }, 'INVALID_PARAMETER', /^size must be an integer from 1 to 10000, got '0'$/],
    [{ size: -1 }, 'INVALID_PARAMETER', /^size/],
    [{ size: 10_001 }, 'LIMIT_EXCEEDED', /10000.*limits\.size/],
    [{ from: -1 }, 'INVALID_PARAMETER', /^from/],
  ])('%j', (page, code, message) => {
    const fault = faultOf(page)
    expect(fault.code).toBe(code)
    expect(fault.message).toMatch(message)
  })
  test('a body names its own keys', () =>
    expect(faultOf({ size: 0 }, { origin: 'body' }).message).toMatch(/^page\.size/))
  test('the window of an engine', () => {
    const fault = faultOf({ size: 10, from: 9_991 }, { window: 10_000 })
    expect(fault.code).toBe('LIMIT_EXCEEDED')
    expect(fault.message).toMatch(/after.*limits\.window/)
    expect(resolve({ size: 10, from: 9_991 }).from).toBe(9_991)
  })
})

describe('sort', () => {
  test.each<[string, readonly unknown[]]>([
    ['params.startdate,id', [asc('params.startdate'), asc('id')]],
    ['+params.startdate,-id', [asc('params.startdate'), desc('id')]],
    [' params.startdate , - id'.replace('- ', '-'), [asc('params.startdate'), desc('id')]],
    ['-params.job', [desc('params.job'), asc('id')]],
    ['id,params.age', [asc('id'), asc('params.age'), asc('id')]],
    ['params.age,params.age', [asc('params.age'), asc('params.age'), asc('id')]],
    ['types.flag,types.ip,types.float', [asc('types.flag'), asc('types.ip'), asc('types.float'), asc('id')]],
  ])('%s', (sort, keys) => {
    expect(resolve({ sort }).sort).toEqual(keys)
  })

  test.each([
    ['geodistance:10 20', false],
    ['+GeoDistance: 10   20 ', false],
    ['-GEODISTANCE:10 20', true],
  ])('%s', (sort, descending) => {
    const distance = { kind: 'distance', field: fieldAt('geo_params.centroid'), lat: 10, lon: 20, descending }
    expect(resolve({ sort }).sort).toEqual([distance, asc('id')])
  })

  test.each([
    ['-50 -110', 'INVALID_PARAMETER'],
    ['- id', 'INVALID_PARAMETER'],
    ['geodistance:10', 'INVALID_PARAMETER'],
    ['geodistance:10,10', 'INVALID_PARAMETER'],
    ['geodistance:10 20 30', 'INVALID_PARAMETER'],
    ['geodistance:a b', 'INVALID_PARAMETER'],
    ['geodistance:91 0', 'INVALID_PARAMETER'],
    ['geodistance:0 181', 'INVALID_PARAMETER'],
    ['geodistance:0x1 1', 'INVALID_PARAMETER'],
    ['geodistance:10 10,geodistance:20 20', 'INVALID_PARAMETER'],
    ['geodistance:10 10,-geodistance:20 20', 'INVALID_PARAMETER'],
    ['id,', 'INVALID_PARAMETER'],
    ['-', 'INVALID_PARAMETER'],
    ['fullname', 'INVALID_PARAMETER'],
    ['geo_params.centroid', 'INVALID_PARAMETER'],
    ['params', 'INVALID_PARAMETER'],
    ['types.parts', 'INVALID_PARAMETER'],
    ['types.parts.name', 'INVALID_PARAMETER'],
    ['params.not_indexed', 'INVALID_PARAMETER'],
    ['params.foo', 'FIELD_NOT_FOUND'],
    ['$timestamp', 'FIELD_NOT_FOUND'],
  ])('%s: %s', (sort, code) => {
    expect(faultOf({ sort }).code).toBe(code)
  })

  test('an item with a blank is told the form', () => {
    expect(faultOf({ sort: '-50 -110' }).message).toContain('geodistance:{lat} {lon}')
  })
  test('hidden fields may be named', () => expect(resolve({ sort: 'params.city' }).sort[0]).toEqual(asc('params.city')))
})

describe('after and before', () => {
  test('values are typed', () => {
    const page = resolve({ sort: '-params.startdate,params.age,types.flag,types.float,id', after: '1,2,TRUE,0.1,x' })
    expect(page.cursor).toEqual({ direction: 'after', values: [1, 2n, true, Math.fround(0.1), 'x'] })
    expect(page.continuable).toBe(true)
    expect(resolve({ sort: 'params.weight,-id', before: '\\N,a\\,b\\\\c' }).cursor).toEqual({
      direction: 'before',
      values: [null, 'a,b\\c'],
    })
    expect(resolve({ sort: 'types.day,id', after: '2024-02,x' }).cursor?.values[0]).toBe(Date.UTC(2024, 1))
  })

  test('every fault has its own message', () => {
    const faults: readonly Page[] = [
      { sort: 'id', after: 'x', before: 'x' },
      { sort: 'id', after: 'x', from: 1 },
      { after: 'a,b' },
      { sort: 'geodistance:1 1,id', after: '0,x' },
      { sort: 'params.job', after: 'Dancer' },
      { sort: '-params.job,-params.age', after: 'Dancer,3400' },
      { sort: 'params.startdate,id', after: '763600' },
      { sort: 'params.startdate,id', after: '763600,x,y' },
      { sort: '-params.startdate,id', after: 'foo,ID__170__20DI' },
    ]
    const rules = faults.map((page) => {
      const fault = faultOf(page)
      expect(fault.code).toBe('INVALID_PARAMETER')
      return fault.details.reason
    })
    // The two sorts that do not end with the id violate the same rule.
    expect(new Set(rules).size).toBe(faults.length - 1)
  })

  test.each([
    ['params.age', '1.5'],
    ['params.age', '2147483648'],
    ['params.age', 'x'],
    ['types.double', '1e999'],
    ['types.double', ''],
    ['types.flag', '1'],
    ['types.ip', '1.2.3'],
    ['types.pattern_day', '2024-01-01'],
  ])('%s does not take %s', (path, value) => {
    expect(faultOf({ sort: `${path},id`, before: `${value},x` }).message).toMatch(new RegExp(`^before .*${path}`))
  })

  test('from 0 is no from', () => expect(resolve({ sort: 'id', from: 0, after: 'x' }).cursor?.values).toEqual(['x']))
  test('the message shows the value at fault', () => {
    expect(faultOf({ sort: 'params.age,id', after: 'old,x' }).message).toContain("got 'old'")
  })
})

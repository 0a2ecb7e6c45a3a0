import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json, JsonObject } from '../../model/json/document.ts'
import type { SortKey } from '../plan/plan.ts'
import type { Scalar } from '../plan/predicate.ts'
import { fieldAt } from '../request/sample-collection.fixture.ts'
import { readTypedText } from '../value/typed-text.ts'
import { cursorAfter, printCursor, splitCursor } from './cursor.ts'

const key = (path: string, descending = false): SortKey => ({ kind: 'field', field: fieldAt(path), descending })

const readBack = (path: string, text: string): Scalar | null | undefined => {
  const [item] = splitCursor(text)
  return item === undefined || item === null ? item : readTypedText(fieldAt(path), item)
}

test('a sub-field is read where its field is', () => {
  const field = { ...fieldAt('params.job'), path: 'params.job.raw', source: 'params.job' }
  const keys: readonly SortKey[] = [{ kind: 'field', field, descending: false }]
  expect(printCursor(keys, { params: { job: 'Actor' } })).toBe('Actor')
  expect(cursorAfter(keys, { params: { job: 'Actor' } })).toEqual({ direction: 'after', values: ['Actor'] })
})

describe('cursor text', () => {
  test.each<[string, readonly (string | null)[]]>([
    ['763600,ID', ['763600', 'ID']],
    ['\\N,x', [null, 'x']],
    ['\\\\N', ['\\N']],
    ['a\\,b', ['a,b']],
    ['a\\\\,b', ['a\\', 'b']],
    ['\\n', ['\\n']],
    ['\\Nx', ['\\Nx']],
    ['a\\', ['a\\']],
    ['', ['']],
    [',', ['', '']],
  ])('%s', (text, items) => {
    expect(splitCursor(text)).toEqual(items)
  })

  test.each<[string, Json, string, boolean?]>([
    ['params.startdate', 763600, '763600'],
    ['params.job', 'a,b\\', 'a\\,b\\\\'],
    ['params.job', '\\N', '\\\\N'],
    ['params.job', 12, '12'],
    ['params.job', true, 'true'],
    ['params.job', ['b', 'a'], 'a'],
    ['params.job', ['b', 'a'], 'b', true],
    ['params.job', ['\u{1f600}', '\ufffd'], '\ufffd'],
    ['params.job', null, '\\N'],
    ['params.job', [], '\\N'],
    ['params.age', 3.7, '3'],
    ['params.age', '12', '12'],
    ['params.age', [5, -5, 'x'], '-5'],
    ['types.double', 0.1, '0.1'],
    ['types.double', 1e21, '1e+21'],
    ['types.float', 0.1, '0.1'],
    ['types.flag', false, 'false'],
    ['types.flag', [false, true], 'true', true],
    ['types.ip', '10.0.0.1', '10.0.0.1'],
    ['types.day', '2024-02-29', '2024-02-29'],
    ['types.day', '2024-02-29T12:00:00.5+02:00', '2024-02-29T12:00:00.5+02:00'],
    ['types.day', 1709208000000, '1709208000000'],
    ['types.day', ['2024-02-29', '2023-01-01'], '2023-01-01'],
    ['types.pattern_day', '29/02/2024', '29/02/2024'],
    // As a number this is an instant of 1970; as digits it would be parsed as a year.
    ['types.day', 2024, '1970-01-01T00:00:02.024Z'],
  ])('%s %j is written %s', (path, value, text, descending = false) => {
    const keys = path.split('.').reverse()
    const source = keys.reduce<Json>((inner, k) => ({ [k]: inner }), value) as JsonObject
    expect(printCursor([key(path, descending)], source)).toBe(text)
  })

  test('a missing path, and several keys', () => {
    expect(printCursor([key('params.weight'), key('id')], { id: 'x' })).toBe('\\N,x')
  })

  test('every keyword comes back', () => {
    const value = fc.string({ unit: fc.constantFrom('a', ',', '\\', 'N', ' '), maxLength: 8 })
    fc.assert(
      fc.property(value, value, (a, b) => {
        const text = printCursor([key('params.job'), key('id')], { id: b, params: { job: a } })
        expect(splitCursor(text)).toEqual([a, b])
      }),
    )
  })

  test('every number and date comes back', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), fc.integer(), (double, ms) => {
        const types = { double, float: Math.fround(double), day: ms }
        expect(readBack('types.double', printCursor([key('types.double')], { types }))).toBe(double + 0)
        expect(readBack('types.day', printCursor([key('types.day')], { types }))).toBe(ms)
      }),
    )
  })
})

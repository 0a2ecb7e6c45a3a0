import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../model/field-type.ts'
import type { BucketKey } from '../../query/aggregation/bucket.ts'
import { parseDatePattern } from '../../query/date/date-format.ts'
import type { GridGrouping } from '../../query/plan/aggregation-plan.ts'
import { keyWriter } from './aggregation-key.ts'
import { fieldOf } from './resolved-aggregation.fixture.ts'

const term = (type: FieldType, key: BucketKey, format?: string) =>
  keyWriter({ kind: 'term', field: fieldOf('a', type, format) }, undefined)(key)

describe('keys of terms', () => {
  it.each([
    ['KEYWORD', 'Cost Estimator', 'Cost Estimator', 'Cost Estimator'],
    ['IP', '00000000000000000000ffff0a000001', '10.0.0.1', '10.0.0.1'],
    ['IP', '20010db8000000000000000000000001', '2001:db8::1', '2001:db8::1'],
    ['INTEGER', 1200n, 1200, '1200'],
    ['LONG', -(2n ** 63n), -(2 ** 63), '-9223372036854775808'],
    ['BOOLEAN', true, 1, 'true'],
    ['BOOLEAN', false, 0, 'false'],
    ['DOUBLE', 0.1, 0.1, '0.1'],
    ['FLOAT', -2, -2, '-2'],
  ] as const)('%s %s', (type, key, written, text) => {
    expect(term(type, key)).toEqual({ key: written, key_as_string: text })
  })

  it('print dates by the first format of the field', () => {
    expect(term('DATE', 763_600, 'epoch_millis')).toEqual({ key: 763_600, key_as_string: '763600' })
    expect(term('DATE', 0, 'dd/MM/yyyy||epoch_millis')).toEqual({ key: 0, key_as_string: '01/01/1970' })
    expect(term('DATE', 1)).toEqual({ key: 1, key_as_string: '1970-01-01T00:00:00.001Z' })
  })
})

describe('keys of histograms', () => {
  it('have a text on dates only', () => {
    const numbers = keyWriter({ kind: 'histogram', field: fieldOf('n', 'DOUBLE'), interval: 2.5 }, undefined)
    expect(numbers(-2.5)).toEqual({ key: -2.5 })
    expect(numbers(-0)).toEqual({ key: 0 })
    const field = fieldOf('t', 'DATE', 'epoch_millis')
    const dates = keyWriter({ kind: 'histogram', field, interval: 200_000.5 }, undefined)
    expect(dates(600_001.5)).toEqual({ key: 600_001.5, key_as_string: '600001.5' })
  })

  it('print the start of a date bucket in the format asked for', () => {
    const field = fieldOf('t', 'DATE', 'epoch_millis')
    const grouping = { kind: 'datehistogram', field, interval: { kind: 'fixed', length: 60_000 } } as const
    expect(keyWriter(grouping, parseDatePattern('HH:mm'))(720_000)).toEqual({ key: 720_000, key_as_string: '00:12' })
  })
})

describe('keys of grids', () => {
  const cell = (kind: GridGrouping['kind'], level: number, key: BucketKey) =>
    keyWriter({ kind, field: fieldOf('p', 'GEO_POINT'), level }, undefined)(key)

  it('are the centres of the cells', () => {
    expect(cell('geohash', 1, 's')).toEqual({ key: { lat: 22.5, lon: 22.5 }, key_as_string: 's' })
    const tile = cell('geotile', 1, { x: 1, y: 0 })
    expect(tile).toEqual({ key: { lat: expect.closeTo(42.5255643899033, 12), lon: 90 }, key_as_string: '1/1/0' })
    expect(cell('geotile', 0, { x: 0, y: 0 })).toEqual({ key: { lat: 0, lon: 0 }, key_as_string: '0/0/0' })
    expect(cell('geohex', 0, '8001fffffffffff')).toEqual({
      key: { lat: expect.closeTo(79.2423985, 6), lon: expect.closeTo(38.023407, 6) },
      key_as_string: '8001fffffffffff',
    })
  })
})

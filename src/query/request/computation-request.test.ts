import { describe, expect, test } from 'vitest'
import { Problem } from '../../errors.ts'
import type { ComputationRequest } from '../../model/aggregation.ts'
import { computationMetrics, computedValue, resolveComputation } from './computation-request.ts'
import { fieldAt, sampleView } from './sample-collection.fixture.ts'

function faultOf(request: ComputationRequest): string {
  try {
    resolveComputation(request, sampleView)
  } catch (error) {
    if (error instanceof Problem) return `${error.code}: ${error.message}`
    throw error
  }
  throw new Error('no fault')
}

describe('a computation', () => {
  test.each([
    ['params.age', 'avg', 'AVG', ['avg']],
    ['params.age', 'Max', 'MAX', ['max']],
    ['types.day', 'min', 'MIN', ['min']],
    ['types.float', 'SUM', 'SUM', ['sum']],
    ['params.startdate', 'spanning', 'SPANNING', ['max', 'min']],
    ['params.job', 'cardinality', 'CARDINALITY', ['cardinality']],
    ['types.ip', 'cardinality', 'CARDINALITY', ['cardinality']],
    ['types.flag', 'cardinality', 'CARDINALITY', ['cardinality']],
    ['geo_params.centroid', 'geobbox', 'GEOBBOX', ['bounds']],
    ['geo_params.geometry', 'geocentroid', 'GEOCENTROID', ['centroid']],
  ])('%s %s', (path, word, metric, kinds) => {
    const field = fieldAt(path)
    expect(resolveComputation({ field: path, metric: word }, sampleView)).toEqual({
      name: path,
      path,
      metric,
      field,
      having: { kind: 'exists', field },
      metrics: kinds.map((kind) => ({ kind, field })),
    })
  })

  test('of an unknown field selects nothing, whatever the metric', () => {
    for (const metric of computationMetrics) {
      const resolved = resolveComputation({ field: 'params.foo', metric }, sampleView)
      expect(resolved).toEqual({
        name: 'params.foo',
        path: 'params.foo',
        metric,
        having: { kind: 'nothing' },
        metrics: [],
      })
    }
  })

  test('$timestamp is echoed as it was asked', () => {
    const resolved = resolveComputation({ field: '$timestamp', metric: 'max' }, sampleView)
    expect(resolved).toMatchObject({ name: '$timestamp', path: 'params.startdate', field: fieldAt('params.startdate') })
  })

  test.each([
    [{ metric: 'avg' }, 'field is required'],
    [{ field: ' ', metric: 'foo' }, 'field is required'],
    [{ field: 'params.age' }, `metric must be one of ${computationMetrics.join(', ')}`],
    [{ field: 'params.age', metric: 'median' }, "got 'median'"],
    [{ field: 'fullname', metric: 'median' }, 'metric must be one of'],
  ])('%j has a wrong form', (request, message) => {
    expect(faultOf(request)).toMatch(/^INVALID_PARAMETER: /)
    expect(faultOf(request)).toContain(message)
  })

  test.each([
    ['params.job', 'AVG', 'KEYWORD'],
    ['types.flag', 'SPANNING', 'BOOLEAN'],
    ['geo_params.centroid', 'MAX', 'GEO_POINT'],
    ['geo_params.centroid', 'CARDINALITY', 'GEO_POINT'],
    ['fullname', 'CARDINALITY', 'TEXT'],
    ['params', 'CARDINALITY', 'OBJECT'],
    ['params.job', 'GEOBBOX', 'KEYWORD'],
    ['types.parts.name', 'CARDINALITY', 'below a NESTED field'],
    ['params.not_indexed', 'CARDINALITY', 'not indexed'],
  ])('%s has no %s', (field, metric, trait) => {
    const fault = faultOf({ field, metric: metric.toLowerCase() })
    expect(fault).toMatch(/^INVALID_PARAMETER: field /)
    for (const word of [`'${field}'`, metric, trait]) expect(fault).toContain(word)
  })
})

test('the value of a computation', () => {
  expect(computedValue('AVG', [2.5])).toBe(2.5)
  expect(computedValue('SPANNING', [7, -3])).toBe(10)
  expect(computedValue('SPANNING', [null, null])).toBeUndefined()
  expect(computedValue('MAX', [null])).toBeUndefined()
  expect(computedValue('MAX', [])).toBeUndefined()
  expect(computedValue('CARDINALITY', [0])).toBe(0)
  expect(computedValue('GEOCENTROID', [[5, 5]])).toEqual([5, 5])
})

import { describe, expect, it } from 'vitest'
import type { DateInterval, Grouping } from '../../query/plan/aggregation-plan.ts'
import type { Field } from '../../query/schema/field.ts'
import { bucketSteps } from './bucket-steps.ts'

const field: Field = { path: 'at', type: 'DATE', indexed: true, nested: false }

const steps = (grouping: Grouping) => {
  const found = bucketSteps(grouping)
  if (found === undefined) throw new Error(`${grouping.kind} has no steps`)
  return found
}
const dateSteps = (interval: DateInterval) => steps({ kind: 'datehistogram', field, interval })

describe('bucketSteps', () => {
  it.each([
    ['year', [Date.UTC(1968, 0, 1), Date.UTC(1969, 0, 1), Date.UTC(1970, 0, 1), Date.UTC(1971, 0, 1)]],
    ['quarter', [Date.UTC(1969, 9, 1), Date.UTC(1970, 0, 1), Date.UTC(1970, 3, 1), Date.UTC(1970, 6, 1)]],
    ['month', [Date.UTC(2023, 11, 1), Date.UTC(2024, 0, 1), Date.UTC(2024, 1, 1), Date.UTC(2024, 2, 1)]],
    ['week', [Date.UTC(1969, 11, 29), Date.UTC(1970, 0, 5), Date.UTC(1970, 0, 12), Date.UTC(1970, 0, 19)]],
  ] as const)('steps by the calendar: %s', (unit, keys) => {
    const { ordinalOf, keyOf } = dateSteps({ kind: 'calendar', unit })
    const first = ordinalOf(keys[0])
    expect(keys.map((_, i) => keyOf(first + i))).toEqual(keys)
    expect(keys.map(ordinalOf)).toEqual([first, first + 1, first + 2, first + 3])
  })

  it('steps by a fixed length from the epoch', () => {
    const { ordinalOf, keyOf } = dateSteps({ kind: 'fixed', length: 120_000 })
    expect(ordinalOf(-240_000)).toBe(-2)
    expect(keyOf(7)).toBe(840_000)
  })

  it('makes keys of fractional intervals by multiplication', () => {
    const { ordinalOf, keyOf } = steps({ kind: 'histogram', field, interval: 0.1 })
    const keys = Array.from({ length: 1000 }, (_, k) => k * 0.1)
    expect(keys.map((_, k) => keyOf(k))).toEqual(keys)
    expect(keys.map(ordinalOf)).toEqual(keys.map((_, k) => k))
  })

  it('knows no steps of terms and grids', () => {
    expect(bucketSteps({ kind: 'term', field })).toBeUndefined()
    expect(bucketSteps({ kind: 'geotile', field, level: 3 })).toBeUndefined()
  })
})

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../../../model/field-type.ts'
import type { Bound, RangePredicate } from '../../../../query/plan/predicate.ts'
import { intervalOf, packedInterval, packedNumbers, storedNumbers } from './filter-bounds.ts'
import type { CodeSet } from './filter-codes.ts'

const field = (type: FieldType) => ({ path: 'n', type, indexed: true, nested: false })

const range = (type: FieldType, lower?: Bound, upper?: Bound): RangePredicate => ({
  kind: 'range',
  field: field(type),
  ...(lower ? { lower } : {}),
  ...(upper ? { upper } : {}),
})

const bound = (value: fc.Arbitrary<Bound['value']>): fc.Arbitrary<Bound | undefined> =>
  fc.option(fc.record({ value, inclusive: fc.boolean() }), { nil: undefined })

const isBetween = (value: number, { lower, upper }: RangePredicate): boolean =>
  (lower === undefined || isAfter(value, lower)) && (upper === undefined || isAfter(-value, negated(upper)))

const isAfter = (value: number, { value: limit, inclusive }: Bound): boolean =>
  value > Number(limit) || (inclusive && value === Number(limit))

const negated = ({ value, inclusive }: Bound): Bound => ({ value: -Number(value), inclusive })

describe('intervals of stored numbers', () => {
  it('contain the doubles between exclusive and inclusive bounds', () => {
    const some = fc.oneof(
      fc.constantFrom(0, -0, 5e-324, -5e-324, 1, 1 + 2 ** -52, 1.7976931348623157e308, -1.7976931348623157e308),
      fc.double({ noNaN: true }),
    )
    fc.assert(
      fc.property(bound(some), bound(some), some, fc.boolean(), (lower, upper, value, isNear) => {
        const p = range('DOUBLE', lower, upper)
        const tested = isNear && lower ? Number(lower.value) : value
        if (!Number.isFinite(tested)) return
        const { low, high } = intervalOf(p, 'DOUBLE')
        expect(tested >= low && tested <= high).toBe(isBetween(tested, p))
      }),
      { numRuns: 1000 },
    )
  })

  it('compare bounds of FLOAT in single precision', () => {
    const p = range('FLOAT', { value: 0.1, inclusive: true }, { value: 0.1, inclusive: true })
    const { low, high } = intervalOf(p, 'FLOAT')
    expect([low, high]).toEqual([Math.fround(0.1), Math.fround(0.1)])
    expect(Array.from(storedNumbers([0.1, 0.10000000149011612, 2], 'FLOAT'))).toEqual([Math.fround(0.1), 2])
  })

  it('contain no integer at the side of a bound that exceeds all', () => {
    const largest = 2 ** 53 - 1
    for (const inclusive of [true, false]) {
      const above = intervalOf(range('LONG', { value: 2n ** 53n + 1n, inclusive }), 'LONG')
      expect(largest >= above.low && largest <= above.high).toBe(false)
      const below = intervalOf(range('LONG', undefined, { value: 2n ** 63n - 1n, inclusive }), 'LONG')
      expect(largest >= below.low && largest <= below.high).toBe(true)
    }
    expect(Array.from(storedNumbers([2n ** 53n + 1n, 7n], 'LONG'))).toEqual([7])
  })
})

const contains = (set: CodeSet, code: number): boolean =>
  set.kind === 'range' ? code >= set.first && code <= set.last : set.codes.includes(code)

describe('codes of packed numbers', () => {
  const packing = fc.record({
    base: fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.constantFrom(1_704_067_200_000, -(2 ** 52))),
    step: fc.constantFrom(1, 3, 1000, 86_400_000),
  })
  const code = fc.oneof(fc.integer({ min: 1, max: 70 }), fc.constantFrom(2 ** 16, 2 ** 31, 2 ** 32 - 1))

  it('are those whose values are between the bounds', () => {
    const offset = fc.tuple(code, fc.constantFrom(0, 1, -1, 0.5, Infinity, -Infinity), fc.boolean())
    fc.assert(
      fc.property(packing, fc.option(offset), fc.option(offset), code, ({ base, step }, lower, upper, tested) => {
        const limit = (at: typeof lower): Bound | undefined =>
          at ? { value: base + (at[0] - 1) * step + at[1], inclusive: at[2] } : undefined
        const p = range('DOUBLE', limit(lower), limit(upper))
        const set = packedInterval(intervalOf(p, 'DOUBLE'), { base, step })
        expect(contains(set, tested)).toBe(isBetween(base + (tested - 1) * step, p))
        expect(contains(set, 0)).toBe(false)
      }),
      { numRuns: 1000 },
    )
  })

  it('are those whose values are listed', () => {
    fc.assert(
      fc.property(packing, fc.uniqueArray(code, { maxLength: 5 }), code, ({ base, step }, wanted, tested) => {
        const values = wanted.flatMap((each) => [base + (each - 1) * step, base + (each - 1) * step + 0.5])
        const set = packedNumbers(storedNumbers(values, 'DOUBLE'), { base, step })
        expect(contains(set, tested)).toBe(wanted.includes(tested))
      }),
    )
  })
})

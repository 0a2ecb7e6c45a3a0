import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareCodePoints } from './code-point-order.ts'

test('the order of code points is that of UTF-8 bytes', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)))
    }),
  )
})

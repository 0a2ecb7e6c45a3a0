import { expect, test } from 'vitest'
import { duration, percent, short, whole } from './figures.ts'

test.each([
  [whole(1234567.8), '1,234,568'],
  [percent(0.416), '42 %'],
  [short(0.5), '0.5'],
  [short(12.34), '12'],
  [short(1234.5), '1235'],
  [duration(0.2), '1 s'],
  [duration(89), '89 s'],
  [duration(600), '10 min'],
  [duration(9000), '2.5 h'],
])('%s', (printed, expected) => {
  expect(printed).toBe(expected)
})

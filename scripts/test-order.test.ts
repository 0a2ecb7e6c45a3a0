import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { LONG } from './test-order.ts'

it.each(LONG)('the long test file %s exists', (file) => {
  expect(existsSync(join(import.meta.dirname, '..', file))).toBe(true)
})

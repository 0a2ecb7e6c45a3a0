import { describe, expect, test } from 'vitest'
import { checkTree } from './check-tree.ts'
import { DocumentCheck } from './document-check.ts'
import { hasUnusualNumber, rewriteNumbers } from './written-numbers.ts'

const tree = checkTree({
  properties: {
    k: { type: 'keyword' },
    d: { type: 'date' },
    ms: { type: 'date', format: 'epoch_millis' },
    day: { type: 'date', format: 'yyyyMMdd||epoch_millis' },
    n: { type: 'long' },
    o: { properties: { d: { type: 'date' } } },
    off: { type: 'object', enabled: false },
  },
})
const check = new DocumentCheck(tree)

describe('numbers a cluster would read otherwise', () => {
  test.each([
    ['{"k":5.0}', '{"k":5}'],
    ['{"k":1e3,"n":9223372036854775807}', '{"k":1000,"n":9223372036854775807}'],
    ['{"ms":1e3}', '{"ms":1000}'],
    ['{"d":2024}', '{"d":2024.0}'],
    ['{"d":[-1,"2024",12345]}', '{"d":[-1.0,"2024",12345]}'],
    ['{"o":[{"d":2024}],"off":{"d":2024}}', '{"o":[{"d":2024.0}],"off":{"d":2024}}'],
    ['{"o.d":2024}', '{"o.d":2024.0}'],
    ['{"day":20240501}', '{"day":20240501.0}'],
  ])('%s is sent as %s', (text, expected) => {
    expect(check.look(JSON.parse(text), () => text)).toEqual({ unmapped: false, rewrite: true })
    expect(rewriteNumbers(text, tree)).toBe(expected)
    expect(JSON.parse(expected)).toEqual(JSON.parse(text))
  })

  test.each(['{"k":5,"n":5.5}', '{"n":1e3}', '{"d":1500000000000}', '{"ms":-5}', '{"ms":2024}', '{"d":"2024"}'])(
    '%s is sent as it is',
    (text) => {
      expect(check.look(JSON.parse(text), () => text)).toEqual({ unmapped: false, rewrite: false })
    },
  )

  test.each([
    ['{"a":1.5}', false],
    ['{"a":10}', false],
    ['{"a":1.50}', true],
    ['[1.0 ]', true],
    ['{"a":-0}', true],
    ['{"a":10.05,"b":-0.5}', false],
    ['{"a":1E2}', true],
    ['{"a":0.1234567890123456}', true],
  ])('%s is unusual: %s', (text, expected) => {
    expect(hasUnusualNumber(text)).toBe(expected)
  })
})

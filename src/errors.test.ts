import { expect, test } from 'vitest'
import { problem } from './errors.ts'

test.each(['a', '"', '\\', '\u0000', '\u001b'])('an error is short in JSON, even with many %j', (piece) => {
  const text = piece.repeat(10_000)
  const { message } = problem('INVALID_FILTER', { parameter: text, reason: `names ${text}`, value: text })
  expect(JSON.stringify(message).length).toBeLessThan(1_900)
})

test('control characters are replaced, lines and tabs are kept', () => {
  const { message } = problem('INVALID_FILTER', {
    parameter: 'q',
    reason: 'is no text',
    value: 'a\u0000b\u001b[2J\tc\nd',
  })
  expect(message).toBe("q is no text, got 'a\ufffdb\ufffd[2J\tc\nd'")
})

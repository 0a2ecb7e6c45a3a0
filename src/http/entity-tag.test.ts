import { expect, test } from 'vitest'
import { matchesTag, strongTag, weakTag } from './entity-tag.ts'

test('a strong tag stands for the bytes', () => {
  expect(strongTag('a')).toMatch(/^"[A-Za-z0-9_-]{32}"$/)
  expect(strongTag('a')).toBe(strongTag(Buffer.from('a')))
  expect(strongTag('a')).not.toBe(strongTag('b'))
  expect(weakTag('a')).toBe(`W/${strongTag('a')}`)
})

test.each([
  ['"x"', '"x"', true],
  ['W/"x"', '"x"', true],
  ['"x"', 'W/"x"', true],
  ['"y", W/"x" ,"z"', '"x"', true],
  ['*', '"x"', true],
  [' * ', '"x"', true],
  ['"y"', '"x"', false],
  ['x', '"x"', false],
  ['', '"x"', false],
  [undefined, '"x"', false],
])('If-None-Match %s and tag %s: %s', (header, tag, expected) => {
  expect(matchesTag(header, tag)).toBe(expected)
})

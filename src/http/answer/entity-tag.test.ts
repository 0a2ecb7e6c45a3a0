import { expect, test } from 'vitest'
import { encodedTag, matchedTag, strongTag, weakTag } from './entity-tag.ts'

test('a strong tag stands for the bytes', () => {
  expect(strongTag('a')).toMatch(/^"[A-Za-z0-9_-]{32}"$/)
  expect(strongTag('a')).toBe(strongTag(Buffer.from('a')))
  expect(strongTag('a')).not.toBe(strongTag('b'))
  expect(weakTag('a')).toBe(`W/${strongTag('a')}`)
})

test('an encoded answer has a strong tag of its own; a weak one stands for all', () => {
  expect(encodedTag('"x"', undefined)).toBe('"x"')
  expect(encodedTag('"x"', 'gzip')).toBe('"x.gzip"')
  expect(encodedTag('W/"x"', 'gzip')).toBe('W/"x"')
})

test.each([
  ['"x"', '"x"', '"x"'],
  ['W/"x"', '"x"', '"x"'],
  ['"x"', 'W/"x"', 'W/"x"'],
  ['"y", W/"x" ,"z"', '"x"', '"x"'],
  ['*', '"x"', '"x"'],
  [' * ', '"x.br"', '"x.br"'],
  ['"x.gzip", "x", "x.br"', '"x.br"', '"x.br"'],
  ['"x.gzip"', '"x"', '"x.gzip"'],
  ['"y", "x"', '"x.gzip"', '"x"'],
  ['W/"x.zstd"', '"x.br"', '"x.zstd"'],
  ['"y"', '"x"', undefined],
  ['"y.gzip"', '"x.gzip"', undefined],
  ['x', '"x"', undefined],
  ['', '"x"', undefined],
  [undefined, '"x"', undefined],
])('If-None-Match %s and tag %s: %s', (header, tag, expected) => {
  expect(matchedTag(header, tag)).toBe(expected)
})

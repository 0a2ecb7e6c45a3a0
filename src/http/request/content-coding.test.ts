import { expect, test } from 'vitest'
import { preferredCoding } from './content-coding.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['compress, deflate', undefined],
  ['zstd, deflate', 'zstd'],
  ['gzip', 'gzip'],
  ['X-GZIP', 'gzip'],
  ['gzip, br', 'br'],
  ['gzip, deflate, br, zstd', 'zstd'],
  ['br;q=0.5, gzip;q=0.8', 'gzip'],
  ['br; q=0, gzip', 'gzip'],
  ['*', 'gzip'],
  ['zstd;q=0, br;q=0, *', 'gzip'],
  ['br;q=0.5, *', 'gzip'],
  ['*;q=0', undefined],
  ['gzip;q=0', undefined],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0.5, gzip', 'gzip'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['gzip;q=x', 'gzip'],
])('Accept-Encoding %s: %s', (header, expected) => {
  expect(preferredCoding(header)).toBe(expected)
})

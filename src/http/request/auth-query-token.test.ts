import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { queryTokenOf, takeQueryToken, withoutToken } from './auth-query-token.ts'

test.each([
  ['/a', '/a', undefined],
  ['/a?f=x', '/a?f=x', undefined],
  ['/a?access_token=abc', '/a', 'abc'],
  ['/a?f=x&access_token=a%2Bc&size=1', '/a?f=x&size=1', 'a+c'],
  ['/a?Access_Token=abc&f=%20', '/a?f=%20', 'abc'],
  ['/a?%61ccess%5Ftoken=abc', '/a', 'abc'],
  ['/a?access_token=one&access_token=two', '/a', 'one'],
  ['/a?access_token', '/a', ''],
  ['/a?f=access_token', '/a?f=access_token', undefined],
  ['/a?x_access_token=1', '/a?x_access_token=1', undefined],
  ['/a?%=1', '/a?%=1', undefined],
])('%s', (target, rest, token) => {
  // only the URL of the request is used
  const request = { url: target } as IncomingMessage
  takeQueryToken(request)
  expect([request.url, queryTokenOf(request)]).toEqual([rest, token])
  expect(withoutToken(target)).toBe(rest)
})

import { expect, test } from 'vitest'
import { preferredType } from './accept.ts'

const JSON_TYPE = 'application/json'
const ATOM = 'application/atom+xml'

test.each([
  [undefined, JSON_TYPE],
  ['', JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['application/json;charset=utf-8', JSON_TYPE],
  ['Application/JSON', JSON_TYPE],
  ['text/html, */*;q=0.1', JSON_TYPE],
  ['application/atom+xml', ATOM],
  ['application/atom+xml, */*;q=0.5', ATOM],
  ['application/atom+xml;q=0.5, application/json', JSON_TYPE],
  ['application/json;q=0, */*', ATOM],
  ['application/json;q=0.2, application/*;q=0.1', JSON_TYPE],
  ['text/html', undefined],
  ['*/*;q=0', undefined],
  ['application/json;q=0', undefined],
  ['nonsense', undefined],
])('%s prefers %s', (accept, expected) => {
  expect(preferredType(accept, [JSON_TYPE, ATOM])).toBe(expected)
})

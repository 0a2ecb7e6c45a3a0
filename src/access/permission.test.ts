import { describe, expect, test } from 'vitest'
import { coversVerb, PermissionFault, parsePermission, parseVerbs } from './permission.ts'

describe('rules are read from the right', () => {
  test.each<[string, string, 'all' | readonly string[]]>([
    ['rule:explore/.*:GET', 'explore/.*', ['GET']],
    ['r:explore/.*:GET,POST', 'explore/.*', ['GET', 'POST']],
    ['r:explore/.*:get/post:1', 'explore/.*', ['GET', 'POST']],
    ['rule:.*:*', '.*', 'all'],
    ['rule:.*:*:-20', '.*', 'all'],
    ['rule:a:b:c:PUT:7', 'a:b:c', ['PUT']],
    ['rule:a:1:GET', 'a:1', ['GET']],
    ['rule::GET', '', ['GET']],
  ])('%s', (text, expression, verbs) => {
    const parsed = parsePermission(text)
    expect(parsed).toEqual({ kind: 'rule', expression, verbs: verbs === 'all' ? 'all' : new Set(verbs) })
  })
})

test('headers and variables', () => {
  const value = '{"f":[[{"field":"a","op":"eq","value":"b"}]]}'
  expect(parsePermission(`header:partition-filter:${value}`)).toEqual({
    kind: 'header',
    name: 'partition-filter',
    value,
  })
  expect(parsePermission('h:Column-Filter:trips:a')).toEqual({
    kind: 'header',
    name: 'column-filter',
    value: 'trips:a',
  })
  expect(parsePermission('h:arlas-organization:')).toMatchObject({ value: '' })
  for (const word of ['variable', 'var', 'v']) {
    expect(parsePermission(`${word}:org:a:b`)).toEqual({ kind: 'variable', name: 'org', value: 'a:b' })
  }
})

test.each([
  '',
  'rule',
  'rule:secret',
  'rule:secret:FETCH',
  'rule:secret:GET,',
  'rule:secret:7',
  'Rule:secret:GET',
  'header:secret',
  'header:x-secret:secret',
  'header::secret',
  'variable:secret',
  'deny:secret:GET',
])('%s is none, and the message tells nothing of it', (text) => {
  expect(() => parsePermission(text)).toThrow(PermissionFault)
  expect(() => parsePermission(text)).not.toThrow(/secret/)
})

test('HEAD counts as GET', () => {
  const get = parseVerbs('GET')
  const head = parseVerbs('HEAD')
  if (get === undefined || head === undefined) throw new Error('not read')
  expect(['GET', 'HEAD', 'POST'].map((method) => coversVerb(get, method))).toEqual([true, true, false])
  expect(['GET', 'HEAD'].map((method) => coversVerb(head, method))).toEqual([false, true])
  expect(coversVerb('all', 'PURGE')).toBe(true)
})

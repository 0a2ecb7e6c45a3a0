import { describe, expect, test } from 'vitest'
import { scopedPermissions } from '../keys/key-scope.ts'
import { publicPaths } from '../public-paths.ts'
import { rightsOf } from './rights.ts'
import { builtInRoles, permissionsOfRoles } from './roles.ts'

describe('rules', () => {
  const allows = (rule: string, path: string, method = 'GET'): boolean => rightsOf([rule]).allows(method, path)

  test('match the whole path', () => {
    expect(allows('rule:explore/.*:GET', 'explore/trips/_search')).toBe(true)
    expect(allows('rule:^explore/.*$:GET', 'explore/trips/_search')).toBe(true)
    expect(allows('rule:explore/trips:GET', 'explore/trips/_search')).toBe(false)
    expect(allows('rule:trips/_search:GET', 'explore/trips/_search')).toBe(false)
    expect(allows('rule:a|explore/b:GET', 'explore/b')).toBe(true)
    expect(allows('rule:a|explore/b:GET', 'xa')).toBe(false)
    expect(allows('rule::GET', '')).toBe(true)
    expect(allows('rule::GET', 'explore')).toBe(false)
  })

  test('any that matches allows', () => {
    const { allows: either } = rightsOf(['rule:a:GET', 'rule:b:*', 'rule:broken(:GET'])
    expect([either('GET', 'a'), either('PUT', 'b'), either('PUT', 'a'), either('GET', 'broken(')]).toEqual([
      true,
      true,
      false,
      false,
    ])
    expect(rightsOf([]).allows('GET', 'a')).toBe(false)
  })

  test('one that would keep a backtracking test busy for years ends', () => {
    const started = performance.now()
    expect(allows('rule:(a+)+b|(a*)*c:GET', 'a'.repeat(60_000))).toBe(false)
    expect(performance.now() - started).toBeLessThan(60_000)
  })
})

describe('headers', () => {
  test('of one name are joined, of unknown names left out', () => {
    const { texts, faults } = rightsOf([
      'h:column-filter:a',
      'h:arlas-organization:foo',
      'h:column-filter:trips:b',
      'h:arlas-organization:bar',
      'h:x-other:c',
    ])
    expect(texts).toEqual({ columns: 'a,trips:b', organisations: 'foo,bar' })
    expect(faults).toHaveLength(1)
  })

  test('there is none without a permission for it', () => {
    expect(rightsOf(['rule:.*:*']).texts).toEqual({})
  })
})

describe('variables', () => {
  test('are written as themselves in expressions and filters', () => {
    const rights = rightsOf([
      'v:org:a.b"c',
      `r:explore/\${org}_.*:GET`,
      `h:partition-filter:{"f":[[{"field":"owner","op":"eq","value":"\${org}"}]]}`,
    ])
    expect(rights.allows('GET', 'explore/a.b"c_trips')).toBe(true)
    expect(rights.allows('GET', 'explore/axb"c_trips')).toBe(false)
    expect(JSON.parse(rights.texts.partition ?? '')).toEqual({ f: [[{ field: 'owner', op: 'eq', value: 'a.b"c' }]] })
    expect(rights.faults).toEqual([])
  })

  test('cannot widen a list they stand in', () => {
    const inLists = [`h:column-filter:\${c}:*,id`, `h:arlas-organization:\${c}`]
    expect(rightsOf(['v:c:trips', ...inLists]).texts).toEqual({ columns: 'trips:*,id', organisations: 'trips' })
    for (const value of ['a,b', '*,x']) {
      expect(rightsOf([`v:c:${value}`, ...inLists]).texts).toEqual({ columns: '', organisations: '' })
    }
  })

  test('that nobody knows make a rule worth nothing, and do not open what a header closes', () => {
    const rights = rightsOf([
      `r:explore/\${nope}.*:GET`,
      `h:column-filter:\${nope}`,
      `h:partition-filter:{"a":"\${nope}"}`,
    ])
    expect(rights.allows('GET', 'explore/x')).toBe(false)
    expect(rights.texts).toEqual({ columns: '', partition: '' })
    expect(rights.faults).toHaveLength(3)
    expect(rightsOf([`h:column-filter:\${nope}`, 'h:column-filter:a']).texts).toEqual({ columns: 'a' })
  })
})

describe('built-in roles', () => {
  const cases: readonly [string, string][] = [
    ['GET', 'explore/trips/_search'],
    ['POST', 'explore/trips/_search'],
    ['GET', 'collections'],
    ['GET', 'collections/trips'],
    ['GET', 'collections/_export'],
    ['PUT', 'collections/trips'],
    ['PATCH', 'collections/trips/organisations'],
    ['POST', 'collections/_import'],
    ['GET', 'subscriptions'],
    ['DELETE', 'subscriptions/1'],
    ['POST', 'write/trips/_tag'],
    ['GET', 'status/trips/_tag/1'],
    ['GET', 'index'],
    ['POST', 'index/trips/_bulk'],
    ['GET', 'metrics'],
    ['GET', ''],
  ]
  const of = (role: string): string => {
    const { allows } = rightsOf(permissionsOfRoles([role], {}))
    return cases.map(([method, path]) => (allows(method, path) ? 'x' : '-')).join('')
  }

  test.each([
    ['role/arlas/user', 'xxxx----xx------'],
    ['role/arlas/builder', 'xxxxxxxxxx------'],
    ['role/arlas/tagger', '----------xx----'],
    ['role/arlas/owner', 'xxxxxxxxxxxx----'],
    ['role/periplus/admin', 'xxxxxxxxxxxxxxxx'],
    ['group/public', '----------------'],
    ['role/unknown', '----------------'],
    ['toString', '----------------'],
  ])('%s', (role, expected) => {
    expect(of(role)).toBe(expected)
  })

  test('can all be read, and be replaced', () => {
    for (const permissions of Object.values(builtInRoles)) expect(rightsOf(permissions).faults).toEqual([])
    expect(permissionsOfRoles(['role/arlas/user', 'mine'], { 'role/arlas/user': ['a'], mine: ['b'] })).toEqual([
      'a',
      'b',
    ])
  })
})

test('public paths: verbs are what stands behind the last colon, when they are verbs', () => {
  const isPublic = publicPaths(['openapi.*:GET', 'explore/open/.*', 'a:b', 'c:get/post'])
  expect(isPublic('GET', 'openapi.json')).toBe(true)
  expect(isPublic('HEAD', 'openapi.json')).toBe(true)
  expect(isPublic('POST', 'openapi.json')).toBe(false)
  expect(isPublic('GET', 'x/openapi.json')).toBe(false)
  expect(isPublic('POST', 'explore/open/_search')).toBe(true)
  expect(isPublic('PUT', 'a:b')).toBe(true)
  expect([isPublic('POST', 'c'), isPublic('PUT', 'c')]).toEqual([true, false])
})

test('the scope of a key is some collections and no other', () => {
  const { allows, texts, faults } = rightsOf(scopedPermissions(['trips', 'a.b'], 'GET'))
  expect(faults).toEqual([])
  expect(texts).toEqual({ columns: 'trips:*,a.b:*' })
  for (const path of [
    'explore/trips/_search',
    'explore/a.b/_count',
    'explore/_list',
    'collections',
    'collections/trips',
  ]) {
    expect(allows('GET', path), path).toBe(true)
    expect(allows('POST', path), path).toBe(false)
  }
  for (const path of [
    'explore/axb/_search',
    'explore/trips,other/_suggest',
    'collections/other',
    'index/trips/_search',
  ]) {
    expect(allows('GET', path), path).toBe(false)
  }
  expect(scopedPermissions([], 'GET')).toEqual([])
})

import { expect, test } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { claimOf, identityOfClaims } from './token-claims.ts'

const { jwt } = loadSettings({ cwd: '/' }).auth

test('a claim is found by its whole name, else dots lead into objects', () => {
  const claims = { 'http://arlas.io/roles': ['a'], realm_access: { roles: ['b'] }, 'x.y': 1, x: { y: 2, z: 3 } }
  expect(claimOf(claims, 'http://arlas.io/roles')).toEqual(['a'])
  expect(claimOf(claims, 'realm_access.roles')).toEqual(['b'])
  expect(claimOf(claims, 'x.y')).toBe(1)
  expect(claimOf(claims, 'x.z')).toBe(3)
  for (const name of ['toString', 'x.toString', '__proto__.x', 'nope', 'x.y.z', '']) {
    expect(claimOf(claims, name), name).toBeUndefined()
  }
})

test('roles of all their claims count, in every form they are written in', () => {
  const claims = {
    sub: 'ann',
    'http://arlas.io/roles': 'one, two three',
    realm_access: { roles: ['four', 5, '', null] },
    'http://arlas.io/permissions': ['rule:a:GET,POST'],
    orgs: ['foo'],
  }
  expect(identityOfClaims(claims, jwt)).toEqual({
    mode: 'jwt',
    user: 'ann',
    roles: ['one', 'two', 'three', 'four'],
    permissions: ['rule:a:GET,POST'],
  })
  expect(identityOfClaims(claims, { ...jwt, organisationsClaim: 'orgs' }).organisations).toEqual(['foo'])
  expect(identityOfClaims({ ...claims, 'http://arlas.io/permissions': 'rule:a:GET,POST' }, jwt).permissions).toEqual([
    'rule:a:GET,POST',
  ])
})

test('claims that are missing or of another type give nothing', () => {
  const nothing = { mode: 'jwt', roles: [], permissions: [] }
  expect(identityOfClaims({}, jwt)).toEqual(nothing)
  expect(identityOfClaims({ sub: 7, 'http://arlas.io/roles': 7, 'http://arlas.io/permissions': {} }, jwt)).toEqual(
    nothing,
  )
  // A missing claim does not disable the check of organisations.
  expect(identityOfClaims({}, { ...jwt, organisationsClaim: 'orgs' }).organisations).toEqual([])
})

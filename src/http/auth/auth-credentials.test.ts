import type { IncomingHttpHeaders } from 'node:http'
import { expect, test } from 'vitest'
import { type Credentials, findCredentials } from './auth-credentials.ts'

const both = { apikey: true, jwt: true }
const key = (id: string, secret: string): Credentials => ({ kind: 'key', id, secret })
const token: Credentials = { kind: 'token', token: 'a.b.c' }
const unreadable: Credentials = { kind: 'unreadable' }

test.each<[string, IncomingHttpHeaders, Credentials | undefined]>([
  ['none', {}, undefined],
  ['a token', { authorization: 'Bearer a.b.c' }, token],
  ['the scheme in any case', { authorization: 'bEARER  a.b.c ' }, token],
  ['a key as token', { authorization: 'Bearer id.secret' }, key('id', 'secret')],
  ['another scheme', { authorization: 'Basic YTpi' }, unreadable],
  ['no scheme', { authorization: 'a.b.c' }, unreadable],
  ['nothing behind the scheme', { authorization: 'Bearer ' }, unreadable],
  ['two tokens', { authorization: 'Bearer a.b.c d.e.f' }, unreadable],
  ['no dot', { authorization: 'Bearer abc' }, unreadable],
  ['a key', { 'x-api-key': 'id.secret' }, key('id', 'secret')],
  ['a key without secret', { 'x-api-key': 'id' }, unreadable],
  ['a pair', { 'arlas-api-key-id': 'id', 'arlas-api-key-secret': 's' }, key('id', 's')],
  ['half a pair', { 'arlas-api-key-id': 'id' }, unreadable],
  ['Authorization first, though it is wrong', { authorization: 'Basic x', 'x-api-key': 'id.secret' }, unreadable],
  [
    'the key before the pair',
    { 'x-api-key': 'a.b', 'arlas-api-key-id': 'c', 'arlas-api-key-secret': 'd' },
    key('a', 'b'),
  ],
])('%s', (_name, headers, expected) => {
  expect(findCredentials(headers, undefined, both)).toEqual(expected)
})

test('the query comes last', () => {
  expect(findCredentials({}, 'a.b.c', both)).toEqual(token)
  expect(findCredentials({ 'x-api-key': 'id.secret' }, 'a.b.c', both)).toEqual(key('id', 'secret'))
})

test('what no mode in use can read is no credential of it', () => {
  expect(findCredentials({ 'x-api-key': 'id.secret' }, undefined, { apikey: false, jwt: true })).toBeUndefined()
  expect(findCredentials({ authorization: 'Bearer id.secret' }, undefined, { apikey: false, jwt: true })).toEqual(
    unreadable,
  )
  expect(findCredentials({ authorization: 'Bearer a.b.c' }, undefined, { apikey: true, jwt: false })).toEqual(
    unreadable,
  )
})

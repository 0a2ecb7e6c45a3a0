import { expect, test } from 'vitest'
import type { Access } from '../query/access/access.ts'
import { mayRead, mayWrite } from './organisations.ts'

const sample = { owner: 'foo', shared: ['bar'], public: false }
const open = { ...sample, public: true }
const as = (...organisations: readonly string[]): Access => ({ organisations })
const anonymous: Access = { publicOnly: true }

test.each<[string, typeof sample | undefined, Access, boolean, boolean]>([
  ['no check', sample, {}, true, true],
  ['no check, no organisations', undefined, {}, true, true],
  ['the owner', sample, as('foo'), true, true],
  ['the owner among others', sample, as('other', 'foo'), true, true],
  ['one it is shared with', sample, as('bar'), true, false],
  ['somebody else', sample, as('foobar'), false, false],
  ['a caller without organisation', sample, as(), false, false],
  ['public, somebody else', open, as('foobar'), true, false],
  ['public, a caller without organisation', open, as(), true, false],
  ['a collection without organisations', undefined, as('foo'), false, false],
  ['another case', sample, as('FOO'), false, false],
  ['anonymous', sample, anonymous, false, false],
  ['anonymous, public', open, anonymous, true, false],
  ['anonymous, the owner named', sample, { ...anonymous, ...as('foo') }, false, false],
])('%s', (_name, organisations, access, read, write) => {
  expect([mayRead(organisations, access), mayWrite(organisations, access)]).toEqual([read, write])
})

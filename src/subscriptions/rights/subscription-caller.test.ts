import { describe, expect, it } from 'vitest'
import type { Identity } from '../../access/identity.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { Problem } from '../../errors.ts'
import { admitCaller, admitEventCaller, type CallerSigns, identifyCaller, type Side } from './subscription-caller.ts'

const off = loadSettings({})
const header = loadSettings({ flags: { 'subscriptions.identity.header': 'x-user' } })
const keys = loadSettings({ flags: { 'auth.modes': 'apikey' } })
const both = loadSettings({ flags: { 'auth.modes': 'apikey', 'subscriptions.identity.header': 'x-user' } })
const otherAdmin = loadSettings({
  flags: { 'subscriptions.identity.header': 'x-user', 'subscriptions.identity.admin': 'root' },
})

const identity = (user: string | undefined, ...roles: string[]): Identity => ({
  mode: 'apikey',
  ...(user === undefined ? {} : { user }),
  roles,
  permissions: [],
})

function outcome(work: () => unknown): string {
  try {
    work()
    return 'passes'
  } catch (error) {
    if (error instanceof Problem) return `${error.status} ${error.code}`
    throw error
  }
}

describe('who uses subscriptions', () => {
  it.each<[string, typeof off, CallerSigns, object]>([
    ['identity off', off, {}, { kind: 'anybody' }],
    ['identity off, a name nobody asked for', off, { named: 'ann' }, { kind: 'anybody' }],
    ['named by the header', header, { named: 'ann' }, { kind: 'user', user: 'ann' }],
    ['the administrator by the header', header, { named: 'admin' }, { kind: 'administrator' }],
    ['another name of the administrator', otherAdmin, { named: 'root' }, { kind: 'administrator' }],
    ['a user called admin', otherAdmin, { named: 'admin' }, { kind: 'user', user: 'admin' }],
    ['authenticated', keys, { identity: identity('ann') }, { kind: 'user', user: 'ann' }],
    ['authenticated as the administrator', keys, { identity: identity('admin') }, { kind: 'administrator' }],
    ['administrator by role', keys, { identity: identity('ann', 'role/periplus/admin') }, { kind: 'administrator' }],
    [
      'a role without a name',
      keys,
      { identity: identity(undefined, 'role/periplus/admin') },
      { kind: 'administrator' },
    ],
    ['the header goes first', both, { named: 'ann', identity: identity('gateway') }, { kind: 'user', user: 'ann' }],
  ])('%s', (_name, settings, signs, caller) => {
    expect(identifyCaller(signs, settings)).toEqual(caller)
  })

  it.each<[string, typeof off, CallerSigns]>([
    ['no header', header, {}],
    ['an empty header', header, { named: '' }],
    ['no header, though authenticated', both, { identity: identity('gateway') }],
    ['nobody authenticated', keys, {}],
    ['a token that names nobody', keys, { identity: identity(undefined, 'role/arlas/user') }],
  ])('%s: 401', (_name, settings, signs) => {
    expect(outcome(() => identifyCaller(signs, settings))).toBe('401 UNAUTHORIZED')
  })

  it('the answer says how to be known', () => {
    expect(() => identifyCaller({}, header)).toThrow('x-user')
    expect(() => identifyCaller({}, keys)).toThrow(
      expect.objectContaining({ headers: { 'WWW-Authenticate': 'Bearer' } }),
    )
  })

  it.each<['anybody' | 'user' | 'administrator', Side, string]>([
    ['anybody', 'user', 'passes'],
    ['anybody', 'administrator', 'passes'],
    ['user', 'user', 'passes'],
    ['user', 'administrator', '403 FORBIDDEN'],
    ['administrator', 'user', '403 FORBIDDEN'],
    ['administrator', 'administrator', 'passes'],
  ])('%s on the paths of a %s: %s', (kind, side, expected) => {
    const caller = kind === 'user' ? ({ kind, user: 'ann' } as const) : ({ kind } as const)
    expect(outcome(() => admitCaller(caller, side))).toBe(expected)
  })

  it.each<[string, typeof off, CallerSigns, string]>([
    ['identity off', off, {}, 'passes'],
    ['a user by header', header, { named: 'ann' }, '403 FORBIDDEN'],
    ['the administrator by header', header, { named: 'admin' }, 'passes'],
    ['nobody', header, {}, '401 UNAUTHORIZED'],
    ['a rule let them through', keys, { identity: identity('loader') }, 'passes'],
    ['a rule let them through, whatever the header', both, { identity: identity('loader') }, 'passes'],
    ['nobody on a public path', keys, {}, '401 UNAUTHORIZED'],
  ])('events: %s: %4$s', (_name, settings, signs, expected) => {
    expect(outcome(() => admitEventCaller(signs, settings))).toBe(expected)
  })
})

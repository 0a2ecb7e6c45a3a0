import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createApiKey } from '../../access/keys/api-key.ts'
import { changeKeyFile, keyFileOf } from '../../access/keys/api-key-file.ts'
import type { StoredAccess } from '../../access/rights/stored-access.ts'
import { openSqliteReferenceStore } from '../../collections/store/sqlite-reference-store.ts'
import { loadSettings } from '../../config/load-settings.ts'
import { newSubscription, sampleReference } from '../matching/matching.fixture.ts'
import type { SubscriptionRecord } from '../record/subscription-record.ts'
import { SubscriptionRights } from './subscription-rights.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

function open(flags: Readonly<Record<string, string>>) {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-rights-'))
  directories.push(directory)
  const settings = loadSettings({ flags: { 'data.directory': directory, ...flags }, cwd: directory })
  const warned: string[] = []
  const references = openSqliteReferenceStore(':memory:')
  const rights = new SubscriptionRights({
    ...{ settings, references, now: Date.now },
    warn: (_details, message) => warned.push(message),
  })
  return { rights, references, warned, file: keyFileOf(settings) }
}

const recordOf = (access: StoredAccess, trigger = {}): SubscriptionRecord => ({
  ...newSubscription('s1', { trigger, access }),
  seq: 1,
  version: 1,
})
const reference = sampleReference('geodata', { organisations: { owner: 'foo', shared: ['bar'] } })
const byToken = (more: object = {}) =>
  ({ mode: 'jwt', user: 'ann', roles: ['role/team'], permissions: [], organisations: ['bar'], ...more }) as const
const role = (...permissions: readonly string[]) => ({
  'auth.modes': 'jwt',
  'auth.jwt.issuer': 'https://login.example.org',
  'auth.jwt.audience': 'periplus',
  'auth.roles': JSON.stringify({ 'role/team': ['rule:subscriptions(/.*)?:*', 'rule:explore/.*:GET', ...permissions] }),
})
const only = (kind: string) => `{"f":[[{"field":"kind","op":"eq","value":"${kind}"}]]}`

describe('the rights a subscription acts with', () => {
  it('are those that roles have in the settings of this start', () => {
    const written = recordOf({ organisations: 'bar', writer: byToken() })
    const granted = (...permissions: readonly string[]) => open(role(...permissions)).rights.grants(written, reference)
    expect(granted()).toBe(true)
    expect(granted(`header:partition-filter:${only('a')}`)).toBe(false)
    expect(granted('header:column-filter:geodata:id')).toBe(false)
    expect(granted('header:column-filter:geodata:*')).toBe(true)
    expect(granted(`header:partition-filter:{"other":${only('a')}}`)).toBe(true)
    expect(granted('header:partition-filter:{"broken')).toBe(false)
    expect(open({ ...role(), 'auth.roles': '{}' }).rights.grants(written, reference)).toBe(false)
  })

  it('may be wider than those it was written with, but not narrower', () => {
    const narrow = recordOf({
      partition: only('a'),
      columns: 'geodata:id,geodata:kind',
      organisations: 'bar',
      writer: byToken(),
    })
    const granted = (partition: string, columns: string) =>
      open(role(`header:partition-filter:${partition}`, `header:column-filter:${columns}`)).rights.grants(
        narrow,
        reference,
      )
    expect(granted(only('a'), 'geodata:kind,geodata:id')).toBe(true)
    expect(granted(`${only('b')},${only('a')}`, 'geodata:*')).toBe(true)
    expect(granted(only('b'), 'geodata:*')).toBe(false)
    expect(granted(only('a'), 'geodata:id')).toBe(false)
  })

  it('end where the writer is known in a way that does not count any more', async () => {
    const flags = { 'auth.modes': 'apikey' }
    const { rights, file } = open(flags)
    const { record } = createApiKey({ user: 'ann', roles: ['role/arlas/user'], permissions: [], created: '' })
    changeKeyFile(file, (keys) => [...keys, record])
    await rights.refresh()
    expect(rights.grants(recordOf({ writer: { mode: 'apikey', user: 'ann', key: record.id } }), reference)).toBe(true)
    expect(rights.grants(recordOf({ writer: byToken() }), reference)).toBe(false)
    // Without authentication there are no rights to lose.
    const off = open({}).rights
    expect(off.grants(recordOf({ writer: byToken() }), reference)).toBe(true)
  })

  it('are not known of one that was written before they were kept', () => {
    expect(open(role()).rights.grants(recordOf({ organisations: 'bar' }), reference)).toBe(true)
  })

  it('stay within the organisations its writer asked for', () => {
    const writer = byToken({ organisations: ['bar', 'foo'], within: 'none' })
    expect(open(role()).rights.grants(recordOf({ organisations: '', writer }), reference)).toBe(false)
  })

  it('are told when they end and when they return, once', async () => {
    const { rights, references, warned } = open(role())
    await references.putAll([reference])
    const lost = recordOf({ writer: byToken({ organisations: ['other'] }) }, { collections: ['geodata'] })
    const had = recordOf({ writer: byToken() }, { collections: ['geodata'] })
    for (const one of [had, lost, lost]) await rights.mayTell(one, 'geodata')
    expect([rights.stoppedCount, await rights.isStopped(lost), await rights.isStopped(had)]).toEqual([1, true, true])
    for (const one of [had, had]) await rights.mayTell(one, 'geodata')
    expect([rights.stoppedCount, await rights.isStopped(lost), await rights.isStopped(had)]).toEqual([0, true, false])
    expect(warned).toEqual([
      'a subscription is stopped: its writer has lost a right it was written with',
      'a subscription is resumed: its writer has the rights again',
    ])
  })

  it('count for a collection that is gone as far as they can be told', async () => {
    const { rights } = open(role())
    expect(await rights.mayTell(recordOf({ writer: byToken() }), 'gone')).toBe(true)
    expect(await rights.mayTell(recordOf({ writer: byToken({ roles: [] }) }), 'gone')).toBe(false)
  })
})

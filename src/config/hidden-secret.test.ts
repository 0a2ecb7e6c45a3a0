import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { hideCredentials } from './hidden-secret.ts'
import { loadSettings } from './load-settings.ts'
import { printConfig } from './print-settings.ts'
import { settingList } from './setting-list.ts'

const cwd = mkdtempSync(join(tmpdir(), 'periplus-secrets-'))

test.each([
  ['http://ann:hush@proxy:3128', 'http://***@proxy:3128'],
  ['https://ann@one/a?b=c', 'https://***@one/a?b=c'],
  [
    'connect to http://ann:hu@sh@one failed, https://bob:hush@two too',
    'connect to http://***@one failed, https://***@two too',
  ],
  ['{"err":"socks5://ann:hush@one"}', '{"err":"socks5://***@one"}'],
  ['http://one/a@b', 'http://one/a@b'],
  ['ann@example.org', 'ann@example.org'],
])('%s is shown as %s', (text, expected) => {
  expect(hideCredentials(text)).toBe(expected)
})

/** All settings that accept text, with a URL allowed by their pattern. */
const texts = settingList.filter(({ kind, schema }) => kind === 'text' && schema.secret !== true)
const lists = settingList.filter(({ kind }) => kind === 'list')

test.each([...texts, ...lists].map(({ key }) => key))('--print-config and faults show no password of %s', (key) => {
  for (const value of ['http://ann:hush@one:3128', 'https://ann:hush@one/{z}/{x}/{y}.png', 'http://ann:hush@']) {
    let shown: string
    try {
      shown = printConfig(loadSettings({ cwd, flags: { [key]: value } }))
    } catch (error) {
      shown = String(error)
    }
    expect(shown).not.toContain('hush')
  }
})

test.each(['egress.proxy', 'cluster.urls'])('%s without scheme, or with a slash in its password, neither', (key) => {
  for (const value of ['ann:hush@one:3128', 'http://ann:hu/hush@one', 'ftp://ann:hush@one']) {
    let shown: string
    try {
      shown = printConfig(loadSettings({ cwd, flags: { [key]: value } }))
    } catch (error) {
      shown = String(error)
    }
    expect(shown).not.toContain('hush')
  }
})

test('a settings file that cannot be read is not shown', () => {
  const place = mkdtempSync(join(tmpdir(), 'periplus-secrets-'))
  writeFileSync(join(place, 'periplus.yaml'), 'cluster:\n  password: "hush\n')
  const load = (): unknown => loadSettings({ cwd: place })
  expect(load).toThrow(/The settings file periplus\.yaml cannot be read: .* at line \d/)
  expect(load).not.toThrow(/hush/)
})

test('what is secret is never shown, whatever it is', () => {
  const secrets = settingList.filter(({ schema }) => schema.secret === true)
  expect(secrets.map(({ key }) => key)).toEqual(
    expect.arrayContaining(['cluster.password', 'cluster.apiKey', 'client.token', 'secrets.key']),
  )
  const key = Buffer.alloc(32, 'hush').toString('base64')
  const flags = Object.fromEntries(secrets.map((setting) => [setting.key, key]))
  const needed = { 'cluster.username': 'ann', 'tls.cert': 'cert.pem', 'tls.key': 'key.pem' }
  const { 'cluster.apiKey': apiKey, ...others } = flags
  for (const some of [{ ...others, ...needed }, { 'cluster.apiKey': apiKey }]) {
    const printed = printConfig(loadSettings({ cwd, flags: some }))
    expect(printed).toContain('***')
    expect(printed).not.toContain(key)
  }
})

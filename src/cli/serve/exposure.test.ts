import { expect, test } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { exposureWarning, isExposed, reachableUrls } from './exposure.ts'

const listeningOn = (host: string, flags = {}) => loadSettings({ cwd: '/', flags: { 'server.host': host, ...flags } })

test.each([
  ['127.0.0.1', 'none', false],
  ['127.8.8.8', 'none', false],
  ['::1', 'none', false],
  ['localhost', 'none', false],
  ['0.0.0.0', 'none', true],
  ['::', 'none', true],
  ['192.0.2.7', 'none', true],
  ['host.example.org', 'none', true],
  ['0.0.0.0', 'apikey', false],
])('listening on %s with auth.modes %s', (host, modes, expected) => {
  expect(isExposed(listeningOn(host, { 'auth.modes': modes }))).toBe(expected)
})

test('the warning names what is open, to whom, and what to set', () => {
  const warning = exposureWarning(reachableUrls(listeningOn('192.0.2.7'), 9999))
  for (const text of [
    'no authentication',
    'http://192.0.2.7:9999',
    'everyone',
    'delete',
    'auth.modes',
    'server.host',
  ]) {
    expect(warning).toContain(text)
  }
  expect(exposureWarning([])).toContain('all networks of this machine')
  const secure = listeningOn('2001:db8::1', { 'tls.cert': 'c', 'tls.key': 'k' })
  expect(reachableUrls(secure, 443)).toEqual(['https://[2001:db8::1]:443'])
})

test('a server that listens everywhere is reached by no address of this machine alone', () => {
  for (const host of ['0.0.0.0', '::']) {
    const urls = reachableUrls(listeningOn(host), 80)
    expect(urls.every((url) => URL.canParse(url))).toBe(true)
    expect(urls.filter((url) => /\/\/(?:127\.|\[::1\])/.test(url))).toEqual([])
  }
})

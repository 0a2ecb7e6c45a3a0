import { expect, test } from 'vitest'
import { loadSettings } from '../../config/load-settings.ts'
import { exposureWarning, isExposed, reachableUrls } from './exposure.ts'

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
  const settings = loadSettings({ cwd: '/', flags: { 'server.host': host, 'auth.modes': modes } })
  expect(isExposed(settings)).toBe(expected)
})

test('the warning names what is open, to whom, and what to set', () => {
  const warning = exposureWarning(reachableUrls('192.0.2.7', 9999))
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
})

test('a server that listens everywhere is reached by no address of this machine alone', () => {
  for (const host of ['0.0.0.0', '::']) {
    const urls = reachableUrls(host, 80)
    expect(urls.every((url) => URL.canParse(url))).toBe(true)
    expect(urls.filter((url) => /\/\/(?:127\.|\[::1\])/.test(url))).toEqual([])
  }
})

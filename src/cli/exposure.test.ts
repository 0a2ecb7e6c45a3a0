import { expect, test } from 'vitest'
import { loadSettings } from '../config/load-settings.ts'
import { isExposed } from './exposure.ts'

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

import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CliFault } from '../terminal/cli-fault.ts'
import { keysCommand } from './keys-command.ts'

let directory: string
let printed: string[]

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-keys-command-'))
  printed = []
  vi.spyOn(console, 'log').mockImplementation((text) => printed.push(String(text)))
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(directory, { recursive: true, force: true })
})

/** Returns the standard output of a call. */
async function keys(...args: readonly string[]): Promise<string> {
  printed = []
  const [command = '', ...rest] = args
  await keysCommand().parseAsync([command, ...rest, '--data', path.join(directory, 'data')], { from: 'user' })
  return printed.join('\n')
}

const content = (): string => readFileSync(path.join(directory, 'data', 'api-keys.json'), 'utf8')

test('a key is shown once, listed without its secret, and revoked', async () => {
  expect(await keys('list')).toContain('There are no keys')
  const key = await keys('create', '--user', 'ann', '--role', 'role/arlas/user', '--organisation', 'foo')
  expect(key).toMatch(/^[\w-]+\.[\w-]{43}$/)
  const [id = '', secret = ''] = key.split('.')
  await keys('create', '--user', 'bob', '--permission', 'rule:explore/.*:GET', '--expires', '2h')

  const listed = await keys('list')
  expect(listed).toContain(`${id}  ann`)
  const all = JSON.parse(await keys('list', '--json'))
  expect(all).toMatchObject([
    { id, user: 'ann', roles: ['role/arlas/user'], permissions: [], organisations: ['foo'] },
    { user: 'bob', roles: [], permissions: ['rule:explore/.*:GET'] },
  ])
  expect(Date.parse(all[1].expires) - Date.parse(all[1].created)).toBe(2 * 3_600_000)
  for (const text of [listed, JSON.stringify(all)]) expect(text).not.toMatch(/"?hash"?|[0-9a-f]{64}/)
  expect(content()).not.toContain(secret)
  expect(statSync(path.join(directory, 'data', 'api-keys.json')).mode & 0o777).toBe(0o600)

  expect(await keys('revoke', id)).toBe(`Key ${id} revoked.`)
  expect(await keys('list')).not.toContain('ann')
  await expect(keys('revoke', id)).rejects.toThrow(`Key ${id} does not exist`)
})

test('collections and verbs become permissions', async () => {
  await keys('create', '--user', 'kiosk', '--collection', 'trips', '--collection', 'parks', '--verbs', 'GET')
  const [{ permissions }] = JSON.parse(await keys('list', '--json'))
  expect(permissions).toContain('rule:explore/(trips|parks)/.*:GET')
  expect(permissions).toContain('header:column-filter:trips:*,parks:*')
})

test.each([
  ['--permission', 'allow everything', /--permission is invalid/],
  ['--verbs', 'FETCH', /--verbs must be methods/],
  ['--expires', 'soon', /--expires must be a date in the future/],
  ['--expires', '2001-01-01', /--expires must be a date in the future/],
])('%s %s is refused, and no key made', async (flag, value, message) => {
  const made = keys('create', '--user', 'ann', flag, value)
  await expect(made).rejects.toThrow(CliFault)
  await expect(made).rejects.toThrow(message)
  expect(await keys('list')).toContain('There are no keys')
})

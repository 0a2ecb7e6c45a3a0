import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createApiKey, hasExpired, isSecretOf } from './api-key.ts'
import { changeKeyFile, KeyFileFault, readKeyFile } from './api-key-file.ts'
import { ApiKeys } from './api-keys.ts'

const rights = { user: 'ann', roles: ['r'], permissions: ['rule:.*:GET'], created: '2024-01-01T00:00:00.000Z' }

let directory: string
let file: string
let now: number
let faults: string[]
let keys: ApiKeys

beforeEach(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-keys-'))
  file = path.join(directory, 'keys.json')
  now = Date.parse('2024-06-01T00:00:00Z')
  faults = []
  keys = new ApiKeys({ file, now: () => now, onFault: (message) => faults.push(message) })
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function add(more: object = {}): { readonly id: string; readonly secret: string } {
  const { record, key } = createApiKey({ ...rights, ...more })
  changeKeyFile(file, (known) => [...known, record])
  const [id = '', secret = ''] = key.split('.')
  return { id, secret }
}

test('secrets are random, long and kept as a digest only', () => {
  const first = createApiKey(rights)
  const secret = first.key.split('.')[1] ?? ''
  expect(Buffer.from(secret, 'base64url')).toHaveLength(32)
  expect(first.record.hash).toMatch(/^[0-9a-f]{64}$/)
  expect(JSON.stringify(first.record)).not.toContain(secret)
  expect(createApiKey(rights).key).not.toBe(first.key)
  expect(first.record.id).toMatch(/^[0-9a-f]{18}$/)
  expect(isSecretOf(secret, first.record)).toBe(true)
  expect(isSecretOf(`${secret}x`, first.record)).toBe(false)
  expect(isSecretOf(secret, undefined)).toBe(false)
})

test('a key stands for its user until it expires or is revoked', async () => {
  const { id, secret } = add({ organisations: ['foo'], expires: '2024-07-01T00:00:00Z' })
  expect(await keys.identify(id, secret)).toEqual({
    mode: 'apikey',
    user: 'ann',
    key: id,
    roles: ['r'],
    permissions: ['rule:.*:GET'],
    organisations: ['foo'],
  })
  expect(await keys.identify(id, 'x')).toBeUndefined()
  expect(await keys.identify('x', secret)).toBeUndefined()
  now = Date.parse('2024-07-01T00:00:00Z')
  expect(await keys.identify(id, secret)).toBeUndefined()

  const other = add()
  expect(await keys.identify(other.id, other.secret)).toMatchObject({ user: 'ann' })
  changeKeyFile(file, (known) => known.filter((key) => key.id !== other.id))
  expect(await keys.identify(other.id, other.secret)).toBeUndefined()
})

test('a date that cannot be read has passed', () => {
  const { record } = createApiKey({ ...rights, expires: 'tomorrow' })
  expect(hasExpired(record, now)).toBe(true)
})

test('a damaged file closes, and is told once', async () => {
  const { id, secret } = add()
  writeFileSync(file, readFileSync(file, 'utf8').replace('"hash"', '"hsah"'))
  expect(await keys.identify(id, secret)).toBeUndefined()
  expect(await keys.identify(id, secret)).toBeUndefined()
  expect(faults).toHaveLength(1)
  expect(faults[0]).toContain('damaged')
  expect(() => readKeyFile(file)).toThrow(KeyFileFault)
})

test('no file, no keys', async () => {
  expect(await keys.identify('a', 'b')).toBeUndefined()
  expect(readKeyFile(file)).toEqual([])
  expect(faults).toEqual([])
})

test('the file is for its owner, and changed as a whole by one command at a time', () => {
  add()
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(() =>
    changeKeyFile(file, () => {
      add()
      return []
    }),
  ).toThrow(/Another command/)
  expect(readKeyFile(file)).toHaveLength(1)
  // The failed change has removed its draft.
  add()
  expect(readKeyFile(file)).toHaveLength(2)
})

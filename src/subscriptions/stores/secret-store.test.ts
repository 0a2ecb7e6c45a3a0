import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, describe, expect, it } from 'vitest'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import { firstSecret, rotateSecret } from '../delivery/webhook-secret.ts'
import type { SecretStore } from '../record/secret-store.ts'
import { clusterSecretStore } from './cluster/cluster-secret-store.ts'
import { createSecretCipher } from './shared/secret-cipher.ts'
import { sqliteSecretStore } from './sqlite/sqlite-secret-store.ts'

const KEY = randomBytes(32).toString('base64')

describe('encrypted secrets', () => {
  const cipher = createSecretCipher(KEY)

  it('are opened for the same subscription only, and only as they were sealed', () => {
    const sealed = cipher.seal('s1', 'whsec_ü')
    expect(sealed).not.toContain('whsec')
    expect(cipher.open('s1', sealed)).toBe('whsec_ü')
    expect(cipher.seal('s1', 'whsec_ü')).not.toBe(sealed)
    expect(() => cipher.open('s2', sealed)).toThrow('another secrets.key')
    expect(() => createSecretCipher(randomBytes(32).toString('base64')).open('s1', sealed)).toThrow(
      'another secrets.key',
    )
    expect(() => createSecretCipher(undefined).open('s1', sealed)).toThrow('secrets.key is not set')
    const bytes = Buffer.from(sealed.slice(3), 'base64')
    bytes[20] = (bytes[20] ?? 0) ^ 1
    expect(() => cipher.open('s1', `v1:${bytes.toString('base64')}`)).toThrow('another secrets.key')
  })

  it('may follow ones that were not', () => {
    expect(cipher.open('s1', createSecretCipher(undefined).seal('s1', '{"a":1}'))).toBe('{"a":1}')
  })
})

const { client } = clusterUnderTest()
const prefix = `t-secret-store-${randomUUID().slice(0, 8)}-`
const file = SqliteFile.open(':memory:')
afterAll(async () => {
  file.close()
  await client.send({ method: 'DELETE', path: `/${prefix}secrets`, query: { ignore_unavailable: true } })
  await client.close()
})

const stores: readonly (readonly [string, () => SecretStore, () => Promise<string>])[] = [
  [
    'SQLite',
    () => sqliteSecretStore(file, createSecretCipher(KEY)),
    async () => JSON.stringify(file.database.prepare('SELECT * FROM secret').all()),
  ],
  [
    'the cluster',
    () => clusterSecretStore(client, prefix, createSecretCipher(KEY)),
    async () => JSON.stringify(await client.send({ method: 'GET', path: `/${prefix}secrets/_doc/s1` })),
  ],
]

describe.each(stores)('secrets in %s', (_name, open, raw) => {
  it('come back as they were, and are not readable where they lie', async () => {
    const store = open()
    expect(await store.get('s1')).toBeUndefined()
    const first = { ...firstSecret(1), shown: true }
    await store.put('s1', first)
    const second = rotateSecret(first, { overlap: 60, nowS: 2 })
    await store.put('s1', second)
    expect(await open().get('s1')).toEqual(second)
    const text = await raw()
    expect(text).toContain('v1:')
    for (const { secret } of [first, second]) expect(text).not.toContain(secret.slice(6, -1))
  })
})

describe('secrets', () => {
  it('in a file that need another key stop the start', async () => {
    const other = SqliteFile.open(':memory:')
    await sqliteSecretStore(other, createSecretCipher(KEY)).put('s1', firstSecret(1))
    expect(() => sqliteSecretStore(other, createSecretCipher(undefined))).toThrow('secrets.key is not set')
    other.close()
  })

  it('without a key do not reach a cluster', async () => {
    const store = clusterSecretStore(client, prefix, createSecretCipher(undefined))
    const secret = firstSecret(1)
    await store.put('s9', secret)
    expect(await store.get('s9')).toEqual(secret)
    expect(await clusterSecretStore(client, prefix, createSecretCipher(KEY)).get('s9')).toBeUndefined()
  })
})

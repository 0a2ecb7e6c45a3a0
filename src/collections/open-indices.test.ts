import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireObject } from '../cluster-client/cluster-client.ts'
import { IndexCatalog } from '../engine/cluster/catalog/index-catalog.ts'
import { clusterUnderTest } from '../engine/cluster/cluster-under-test.fixture.ts'
import type { CollectionReference } from '../model/collection.ts'
import { checkIndicesOpen } from './open-indices.ts'
import { openSqliteReferenceStore } from './store/sqlite-reference-store.ts'

const context = clusterUnderTest()
const { client } = context
const base = `t-open-indices-${randomBytes(4).toString('hex')}`
const name = (end: string): string => `${base}-${end}`
const ends = ['one', 'two', 'three', 'free', 'own-log']

beforeAll(async () => {
  for (const end of ends) {
    const settings = { number_of_replicas: 0, ...(end === 'own-log' ? { 'index.hidden': true } : {}) }
    await client.send({ method: 'PUT', path: `/${name(end)}`, body: { settings } })
  }
  const alias = (index: string, end: string, how: WireObject = {}): WireObject => ({
    add: { index: name(index), alias: name(end), ...how },
  })
  const part = { filter: { term: { x: 1 } } }
  const actions = [
    alias('one', 'alias-of-one'),
    alias('one', 'part-of-one', part),
    alias('two', 'alias-of-two'),
    alias('three', 'part-of-three', part),
    alias('three', 'other-part-of-three', part),
    alias('own-log', 'alias-of-own'),
    alias('free', 'alias-of-free'),
  ]
  await client.send({ method: 'POST', path: '/_aliases', body: { actions } })
})
afterAll(async () => {
  for (const end of ends) await client.send({ method: 'DELETE', path: `/${name(end)}` })
  await client.close()
})

/** `one` is referenced by name, `two` by an alias, `three` by a filtered alias. */
const hidden = ['one', 'alias-of-two', 'part-of-three'].map(
  (end): CollectionReference => ({
    collection_name: end,
    params: {
      index_name: name(end),
      id_path: 'id',
      geometry_path: 'place',
      centroid_path: 'place',
      timestamp_path: 'time',
      organisations: { owner: 'b' },
    },
  }),
)

describe('an index of a collection that is hidden from the caller', () => {
  const check = async (end: string, ownIndices: readonly string[] = []) => {
    const store = openSqliteReferenceStore(':memory:')
    await store.putAll(hidden)
    const use = { store, engine: new IndexCatalog(context), ownIndices }
    return checkIndicesOpen(name(end), { organisations: ['a'] }, use).then(
      () => 'open',
      (error: { readonly code?: string }) => error.code,
    )
  }

  test.each([
    'one',
    'alias-of-one',
    'part-of-one',
    'part-*',
    'two',
    'alias-of-two',
    'tw*',
    'three',
    'part-of-three',
    'other-part-of-three',
    '*',
  ])('is closed by the name %s', async (end) => {
    expect(await check(end)).toBe('FORBIDDEN')
  })

  test.each(['free', 'alias-of-free', 'fre*', 'nowhere'])('%s is open', async (end) => {
    expect(await check(end)).toBe('open')
  })

  test('so are those in which the server keeps its own records, by whatever name', async () => {
    const own = [name('own-*')]
    for (const end of ['own-log', 'own-deliveries', 'alias-of-own']) expect(await check(end, own)).toBe('FORBIDDEN')
    // Patterns do not match hidden indices.
    expect(await check('fre*', own)).toBe('open')
    expect(await check('o*n-log', own)).toBe('open')
  })
})

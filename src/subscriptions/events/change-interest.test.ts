import { describe, expect, test } from 'vitest'
import type { ChangeKind } from '../../engine/change-feed.ts'
import type { CollectionReference } from '../../model/collection.ts'
import { newSubscription, type SubscriptionChanges, sampleReference } from '../matching/matching.fixture.ts'
import { MatcherIndex } from '../watched/matcher-index.ts'
import { changeInterest } from './change-interest.ts'
import { IndexOwners } from './index-owners.ts'

const KEYS = { geometry: 'geometry', centroid: 'centroid', collections: 'collections', event: 'event' }
const filter = { f: [[{ field: 'params.city', op: 'eq', value: 'Paris' }]] }
const references = [
  sampleReference('plain', { index_name: 'ships' }),
  sampleReference('filtered', { index_name: 'ships', filter }),
  sampleReference('many', { index_name: 'logs-*' }),
  sampleReference('alias', { index_name: 'everything' }),
]

/** Returns what is wanted of an index with one subscription or none. */
async function wants(subscription: SubscriptionChanges | undefined, name: string, kind: ChangeKind, isLoaded = true) {
  const index = new MatcherIndex(KEYS)
  if (subscription !== undefined) index.set({ ...newSubscription('s', subscription), seq: 1, version: 1 })
  const indices = async (pattern: string) =>
    pattern === 'everything' ? [{ name: 'behind-the-alias', uuid: '', mapping: { properties: {} } }] : []
  const owners = new IndexOwners({
    references: { list: async (): Promise<readonly CollectionReference[]> => references },
    engine: { indices },
    keepMs: 1000,
    now: () => 0,
    onFault: (error) => {
      throw error
    },
  })
  const subscriptions = { lastSeq: () => 1, catchUp: async () => undefined }
  const interest = changeInterest({ index, owners, subscriptions, isLoaded: () => isLoaded })
  const first = interest.wants(name, kind)
  await owners.read(name)
  await new Promise((resolve) => setImmediate(resolve))
  return { first, known: interest.wants(name, kind) }
}

describe('which changes are written down', () => {
  const on = (collections: readonly string[], event?: readonly string[]): SubscriptionChanges => ({
    trigger: { collections, ...(event === undefined ? {} : { event }) },
  })
  test.each<readonly [string, SubscriptionChanges | undefined, string, ChangeKind, string]>([
    ['none without subscriptions', undefined, 'ships', 'CREATE', 'nothing'],
    ['of the collection', on(['plain']), 'ships', 'CREATE', 'after'],
    ['of the collection, updates', on(['plain']), 'ships', 'UPDATE', 'after'],
    ['deletions with what was', on(['plain']), 'ships', 'DELETE', 'both'],
    ['updates that may leave a collection', on(['filtered']), 'ships', 'UPDATE', 'both'],
    ['creations cannot', on(['filtered']), 'ships', 'CREATE', 'after'],
    ['not of other indices', on(['plain']), 'logs-1', 'CREATE', 'nothing'],
    ['of patterns', on(['many']), 'logs-1', 'CREATE', 'after'],
    ['of aliases', on(['alias']), 'behind-the-alias', 'CREATE', 'after'],
    ['not of other kinds', on(['plain'], ['DELETE']), 'ships', 'CREATE', 'nothing'],
    ['of a kind', on(['plain'], ['DELETE', 'CREATE']), 'ships', 'CREATE', 'after'],
    ['of any collection', {}, 'ships', 'CREATE', 'after'],
    ['of any collection, updates that may leave one', {}, 'ships', 'UPDATE', 'both'],
    ['none of indices without a collection', {}, 'elsewhere', 'CREATE', 'nothing'],
    ['none of subscriptions that are off', { active: false }, 'ships', 'CREATE', 'nothing'],
    ['none of collections that do not exist', on(['nowhere']), 'ships', 'CREATE', 'nothing'],
  ])('%s', async (_name, subscription, name, kind, expected) => {
    const { first, known } = await wants(subscription, name, kind)
    expect(known).toBe(expected)
    // Nothing may be missed before the collections are known.
    expect(['both', expected]).toContain(first)
  })

  test('all before the subscriptions have been read', async () => {
    expect((await wants(undefined, 'ships', 'CREATE', false)).known).toBe('both')
  })
})

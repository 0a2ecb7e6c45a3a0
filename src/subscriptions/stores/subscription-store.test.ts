import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTransportClient } from '../../cluster-client/transport-client.ts'
import { clusterUnderTest } from '../../engine/cluster/cluster-under-test.fixture.ts'
import { exactInteger } from '../../model/json/exact-integer.ts'
import { SqliteFile } from '../../storage/sqlite-file.ts'
import type { NewSubscription, SubscriptionRecord } from '../record/subscription-record.ts'
import type { SubscriptionFilter, SubscriptionStore } from '../record/subscription-store.ts'
import { openClusterSubscriptionStore } from './cluster/cluster-subscription-store.ts'
import { sqliteSubscriptionStore } from './sqlite/sqlite-subscription-store.ts'

const T = 1_794_736_800
const { client } = clusterUnderTest()
afterAll(() => client.close())

/** Storage of subscriptions that can be opened more than once. */
interface Place {
  open(): Promise<SubscriptionStore>
  drop(): Promise<void>
}

function sqlitePlace(): Place {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-subscriptions-'))
  const files: SqliteFile[] = []
  return {
    open: async () => {
      const file = SqliteFile.open(join(directory, 'a.sqlite'))
      files.push(file)
      return sqliteSubscriptionStore(file)
    },
    drop: async () => {
      for (const file of files) file.close()
      rmSync(directory, { recursive: true })
    },
  }
}

function clusterPlace(): Place {
  const prefix = `t-subscription-store-${randomUUID()}-`
  return {
    open: () => openClusterSubscriptionStore(client, prefix),
    drop: async () => {
      const path = `/${prefix}subscriptions`
      await client.send({ method: 'DELETE', path, query: { ignore_unavailable: true } })
    },
  }
}

let made = 0
const subscription = (changes: Partial<NewSubscription> = {}): NewSubscription => ({
  id: `id-${++made}`,
  created_at: T,
  modified_at: T,
  created_by_admin: false,
  deleted: false,
  created_by: 'ann',
  active: true,
  starts_at: T - 100,
  expires_at: T + 100,
  title: 'title',
  subscription: {
    trigger: { event: ['UPDATE'] },
    callback: 'https://a.example/',
    hits: { filter: '', projection: '' },
  },
  userMetadatas: {},
  access: {},
  ...changes,
})

const ids = (records: readonly SubscriptionRecord[]): string[] => records.map(({ id }) => id)

async function all(store: SubscriptionStore): Promise<SubscriptionRecord[]> {
  const records: SubscriptionRecord[] = []
  for await (const record of store.readAll()) records.push(record)
  return records
}

describe.each([
  ['SQLite', sqlitePlace],
  ['a cluster', clusterPlace],
])('subscriptions in %s', (_name, make) => {
  let place: Place
  let store: SubscriptionStore

  beforeEach(async () => {
    place = make()
    store = await place.open()
  })
  afterEach(() => place.drop())

  const listed = async (filter: Partial<SubscriptionFilter>, from = 0, size = 100): Promise<string[]> =>
    ids((await store.list({ now: T, ...filter }, from, size)).subscriptions)

  it('are none at first', async () => {
    expect(await store.list({ now: T }, 0, 10)).toEqual({ total: 0, subscriptions: [] })
    expect(await store.get('x')).toBeUndefined()
    expect(await store.get('counter')).toBeUndefined()
    expect(await store.get('x'.repeat(10_000))).toBeUndefined()
    expect(await store.change('x', (current) => current)).toBeUndefined()
    expect(await store.countOf('ann')).toBe(0)
    expect(store.lastSeq()).toBe(0)
    expect(await all(store)).toEqual([])
    await store.catchUp()
  })

  it('keep integers beyond 2^53 as they are', async () => {
    const digits = '9007199254740993'
    const sent = subscription({ expires_at: exactInteger(digits), userMetadatas: { n: exactInteger(digits) } })
    const { id } = await store.insert(sent)
    const again = await place.open()
    const read = [
      await again.get(id),
      (await all(again))[0],
      (await again.list({ now: T, expired: false }, 0, 9)).subscriptions[0],
    ]
    for (const record of read) {
      expect(JSON.stringify([record?.expires_at, record?.userMetadatas])).toBe(`[${digits},{"n":${digits}}]`)
    }
    const changed = await again.change(id, (current) => ({ ...current, title: 'other' }))
    expect(JSON.stringify([changed?.title, changed?.expires_at])).toBe(`["other",${digits}]`)
    expect(JSON.stringify((await again.get(id))?.expires_at)).toBe(digits)
    expect(await listed({ expired: true })).toEqual([])
    await again.close()
  })

  it('are read back as they were written, whatever is in them', async () => {
    const odd = subscription({
      created_by: 'J\u00f6rg \u{1f600} \' " \\ \u0000 \ud800',
      starts_at: 0,
      expires_at: exactInteger('9223372036854775807'),
      userMetadatas: { '': { 'a.b': [1e300, exactInteger('9007199254740992'), '\ud800'] }, __proto: true },
      access: { partition: '{"f":[]}', organisations: '', granted: true, publicOnly: true },
      disabled: { reason: 'GONE', at: T },
      created_by_admin: true,
    })
    const written = await store.insert(odd)
    expect(written).toEqual({ ...odd, seq: 1, version: 1 })
    expect(await store.get(odd.id)).toEqual(written)
    expect((await store.list({ now: T, expired: false }, 0, 10)).subscriptions).toEqual([written])
    expect(await all(store)).toEqual([written])
  })

  it('are numbered, and the numbers outlive the process', async () => {
    const first = await store.insert(subscription())
    const others = await Promise.all([1, 2, 3, 4].map(() => store.insert(subscription())))
    expect(first.seq).toBe(1)
    expect(new Set(others.map(({ seq }) => seq))).toEqual(new Set([2, 3, 4, 5]))
    expect(store.lastSeq()).toBe(5)
    const again = await place.open()
    expect(again.lastSeq()).toBe(5)
    expect((await again.insert(subscription())).seq).toBe(6)
  })

  it('are changed one after the other', async () => {
    const { id } = await store.insert(subscription({ title: '' }))
    await Promise.all(
      ['a', 'b', 'c'].map((letter) => store.change(id, (current) => ({ ...current, title: current.title + letter }))),
    )
    const found = await store.get(id)
    expect([...(found?.title ?? '')].toSorted()).toEqual(['a', 'b', 'c'])
    expect(found?.version).toBe(4)
  })

  it('stay as they are when there is nothing to change, or the change throws', async () => {
    const written = await store.insert(subscription())
    expect(await store.change(written.id, () => undefined)).toEqual(written)
    const refusal = store.change(written.id, () => {
      throw new Error('no')
    })
    await expect(refusal).rejects.toThrow('no')
    expect(await store.get(written.id)).toEqual(written)
  })

  it('are listed by every filter, bounds included', async () => {
    const seconds = [T - 1, T, T + 1]
    const [before = '', at = '', after = ''] = await inOrder(seconds.map((created_at) => subscription({ created_at })))
    expect(await listed({})).toEqual([after, at, before])
    expect(await listed({ before: T })).toEqual([at, before])
    expect(await listed({ after: T })).toEqual([after, at])
    expect(await listed({ before: T, after: T })).toEqual([at])
    expect(await listed({ before: 2 ** 63, after: -(2 ** 63) })).toEqual([after, at, before])
  })

  it('are started and expired from the second on', async () => {
    const windows = [T - 1, T, T + 1].map((second) => subscription({ starts_at: second, expires_at: second }))
    const [early = '', now = '', late = ''] = await inOrder(windows)
    expect(await listed({ started: true })).toEqual([now, early])
    expect(await listed({ started: false })).toEqual([late])
    expect(await listed({ expired: true })).toEqual([now, early])
    expect(await listed({ expired: false })).toEqual([late])
  })

  it('are listed by what they are', async () => {
    const kinds = [{ active: false }, { deleted: true }, { created_by_admin: true }, { created_by: 'Ann' }]
    const [idle = '', gone = '', ofAdmin = '', ofAnn = ''] = await inOrder(kinds.map((kind) => subscription(kind)))
    expect(await listed({ active: false })).toEqual([idle])
    expect(await listed({ active: true })).toEqual([ofAnn, ofAdmin, gone])
    expect(await listed({ deleted: true })).toEqual([gone])
    expect(await listed({ deleted: false })).toEqual([ofAnn, ofAdmin, idle])
    expect(await listed({ createdByAdmin: true })).toEqual([ofAdmin])
    expect(await listed({ createdByAdmin: false })).toEqual([ofAnn, gone, idle])
    expect(await listed({ createdBy: 'Ann' })).toEqual([ofAnn])
    expect(await listed({ createdBy: 'A*' })).toEqual([])
    expect(await listed({ createdBy: 'ann', active: true, deleted: false })).toEqual([ofAdmin])
    expect(await store.countOf('ann')).toBe(2)
    expect(ids(await all(store))).toEqual([idle, ofAdmin, ofAnn])
  })

  it('are listed newest first, and pages make up the whole', async () => {
    const created = await inOrder([T, T + 1, T, T, T + 1].map((created_at) => subscription({ created_at })))
    const [a = '', b = '', c = '', d = '', e = ''] = created
    expect(await listed({})).toEqual([e, b, d, c, a])
    const pages = await Promise.all([0, 2, 4, 6].map((from) => store.list({ now: T }, from, 2)))
    expect(pages.flatMap(({ subscriptions }) => ids(subscriptions))).toEqual([e, b, d, c, a])
    expect(pages.map(({ total }) => total)).toEqual([5, 5, 5, 5])
    expect(await listed({}, 999_000, 1_000)).toEqual([])
  })

  it('tell of what is written, before the write is answered', async () => {
    const heard: string[] = []
    const stop = store.onChange(({ id, version }) => heard.push(`${id} ${version}`))
    const { id } = await store.insert(subscription())
    expect(heard).toEqual([`${id} 1`])
    await store.change(id, (current) => ({ ...current, deleted: true }))
    await store.change(id, () => undefined)
    expect(heard).toEqual([`${id} 1`, `${id} 2`])
    await store.catchUp()
    expect(heard).toEqual([`${id} 1`, `${id} 2`])
    stop()
    await store.change(id, (current) => current)
    expect(heard).toHaveLength(2)
  })

  async function inOrder(subscriptions: readonly NewSubscription[]): Promise<string[]> {
    for (const one of subscriptions) await store.insert(one)
    return subscriptions.map(({ id }) => id)
  }
})

describe('two servers on one cluster', () => {
  let place: Place
  beforeEach(() => {
    place = clusterPlace()
  })
  afterEach(() => place.drop())

  it('hear of each other', async () => {
    const [one, two] = [await place.open(), await place.open()]
    const heard: string[] = []
    two.onChange(({ id, version, deleted }) => heard.push(`${id} ${version} ${deleted}`))
    const { id } = await one.insert(subscription())
    expect([two.lastSeq(), heard]).toEqual([0, []])
    await two.catchUp()
    expect([two.lastSeq(), heard]).toEqual([1, [`${id} 1 false`]])
    await two.catchUp()
    expect(heard).toHaveLength(1)
    await one.change(id, (current) => ({ ...current, title: 'new' }))
    await one.change(id, (current) => ({ ...current, deleted: true }))
    const own = await two.insert(subscription())
    await two.catchUp()
    expect(heard.slice(1)).toContain(`${id} 3 true`)
    expect(heard).toContain(`${own.id} 1 false`)
  })

  it('read everything again when too much has happened', async () => {
    const [one, two] = [await place.open(), await place.open()]
    const heard = new Set<string>()
    two.onChange(({ id, deleted }) => heard.add(`${id} ${deleted}`))
    const gone = await one.insert(subscription())
    await one.change(gone.id, (current) => ({ ...current, deleted: true }))
    await Promise.all(Array.from({ length: 210 }, () => one.insert(subscription())))
    await two.catchUp()
    expect(heard.size).toBe(211)
    expect(heard).toContain(`${gone.id} true`)
    expect(two.lastSeq()).toBe(211)
  })

  it('give no number twice', async () => {
    const stores = [await place.open(), await place.open()]
    const written = await Promise.all(stores.flatMap((s) => [1, 2, 3].map(() => s.insert(subscription()))))
    expect(new Set(written.map(({ seq }) => seq)).size).toBe(6)
  })
})

describe('a store that is away', () => {
  const unavailable = { code: 'STORE_UNAVAILABLE', status: 503, headers: { 'Retry-After': '5' } }

  it('of a cluster: STORE_UNAVAILABLE', async () => {
    const away = openTransportClient({ urls: ['http://127.0.0.1:9'] })
    await expect(openClusterSubscriptionStore(away, 't-')).rejects.toMatchObject(unavailable)
    await away.close()
  })

  it('of a file: STORE_UNAVAILABLE', async () => {
    const file = SqliteFile.open(':memory:')
    const store = sqliteSubscriptionStore(file)
    file.database.exec('DROP TABLE subscription')
    await expect(store.insert(subscription())).rejects.toMatchObject(unavailable)
    await expect(store.list({ now: T }, 0, 1)).rejects.toMatchObject(unavailable)
    file.close()
  })
})

import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { clusterDeployment, loadTaggable } from '../support/cluster-deployment.ts'
import { must } from '../support/http-client.ts'
import type { ServerProcess } from '../support/server-process.ts'

const DOCUMENTS = 3_000
/** Starts and take-overs take their time on a busy machine. */
const timeout = 240_000
const LONG = { timeout: 120_000, interval: 50 }

const deployment = clusterDeployment(inject('clusterUrl'), {
  // many requests in every chunk: one that is stopped is in the middle of one
  'tagging.cluster.bulkActions': '20',
  'log.level': 'warn',
})

const everything = { tag: { path: 'tags', value: 'first' } }
const eq = (field: string, value: string) => ({ filter: { f: [[{ field, op: 'eq', value }]] } })

interface TagCall {
  readonly route: '_tag' | '_untag'
  readonly body: { readonly tag: { readonly path: string; readonly value: string }; readonly [key: string]: unknown }
}

/** In order; the last two mean something else when they come before the others, or twice. */
const requests: readonly TagCall[] = [
  { route: '_tag', body: everything },
  {
    route: '_tag',
    body: { tag: { path: 'tags', value: 'second' }, search: eq('kind', 'a,b'), propagation: { field: 'kind' } },
  },
  { route: '_untag', body: { ...everything, search: eq('tags', 'second') } },
  { route: '_tag', body: { tag: { path: 'tags', value: 'third' }, search: eq('tags', 'first') } },
]

interface Counters {
  readonly progress: number
  readonly updated: number
  readonly failed: number
  readonly nbRequest: number
  readonly propagated: number
}

async function submit(base: string, collection: string, { route, body }: TagCall): Promise<string> {
  return ((await must(base, { method: 'POST', path: `/write/${collection}/${route}`, body })) as { id: string }).id
}

async function submitAll(base: string, collection: string): Promise<readonly string[]> {
  const ids: string[] = []
  for (const request of requests) ids.push(await submit(base, collection, request))
  return ids
}

async function finished(base: string, collection: string, ids: readonly string[]): Promise<readonly Counters[]> {
  const all: Counters[] = []
  for (const id of ids) {
    const counters = await vi.waitFor(async () => {
      const status = (await must(base, { path: `/status/${collection}/_tag/${id}` })) as Counters
      expect(status.progress).toBe(100)
      const { progress, updated, failed, nbRequest, propagated } = status
      return { progress, updated, failed, nbRequest, propagated }
    }, LONG)
    all.push(counters)
  }
  return all
}

const indexOf = (collection: string): string => `${deployment.prefix}${collection}`

/** Whole documents, by id, as the cluster has them. */
async function documents(collection: string): Promise<ReadonlyMap<string, unknown>> {
  await deployment.ask(`/${indexOf(collection)}/_refresh`, {})
  const found = (await deployment.ask(`/${indexOf(collection)}/_search`, { size: 10_000 })) as {
    readonly hits: { readonly hits: readonly { readonly _id: string; readonly _source: unknown }[] }
  }
  return new Map(found.hits.hits.map(({ _id, _source }) => [_id, _source]))
}

/** How many documents have the value of the first request by now. */
async function begun(collection: string): Promise<number> {
  await deployment.ask(`/${indexOf(collection)}/_refresh`, {})
  const query = { term: { tags: 'first' } }
  return ((await deployment.ask(`/${indexOf(collection)}/_count`, { query })) as { readonly count: number }).count
}

/** Who executes tags, as the servers call themselves. */
async function executing(): Promise<string> {
  const lease = (await deployment.ask(`/${deployment.prefix}p-lease/_doc/tagging`)) as { _source: { owner: string } }
  return lease._source.owner
}

/** Requests sent to one server whose executor is met in the middle of the first of them. */
async function inTheMiddle(collection: string, sender: ServerProcess, disturb: () => void): Promise<readonly string[]> {
  const ids = await submitAll(sender.base, collection)
  await vi.waitFor(async () => expect(await begun(collection)).toBeGreaterThan(0), { ...LONG, interval: 5 })
  disturb()
  expect(await begun(collection), 'documents of the first request').toBeLessThan(DOCUMENTS)
  return ids
}

describe('two servers that share the tags of a cluster', () => {
  let first: ServerProcess
  let second: ServerProcess
  let calm: { readonly counters: readonly Counters[]; readonly documents: ReadonlyMap<string, unknown> }

  beforeAll(async () => {
    first = await deployment.start()
    for (const name of ['calm', 'stopped', 'killed']) await loadTaggable(first.base, indexOf(name), name, DOCUMENTS)
    await vi.waitFor(async () => expect(await executing()).not.toBe(''), LONG)
    second = await deployment.start()
    const counters = await finished(second.base, 'calm', await submitAll(second.base, 'calm'))
    calm = { counters, documents: await documents('calm') }
  }, timeout)
  afterAll(() => deployment.remove(), timeout)

  /** The same as if nothing had happened; then both still tag. */
  async function checkEnd(collection: string, ids: readonly string[]): Promise<void> {
    for (const { base } of [first, second]) expect(await finished(base, collection, ids)).toEqual(calm.counters)
    expect(await documents(collection)).toEqual(calm.documents)
    for (const { base } of [first, second]) {
      const value = `later ${base}`
      const body = { tag: { path: 'tags', value }, search: eq('kind', 'c') }
      const id = await submit(base, collection, { route: '_tag', body })
      const ofKind = Math.floor(DOCUMENTS / 3)
      expect(await finished(base, collection, [id])).toMatchObject([{ updated: ofKind, failed: 0 }])
      const path = `/explore/${collection}/_count?f=${encodeURIComponent(`tags:eq:${value}`)}`
      expect(await must(first.base, { path })).toMatchObject({ totalnb: ofKind })
    }
  }

  test('without trouble do what was asked for', () => {
    const { counters, documents } = calm
    const ofKind = (i: number): number => Math.ceil((DOCUMENTS - i) / 3)
    const some = { progress: 100, failed: 0 }
    expect(counters).toEqual([
      { ...some, updated: DOCUMENTS, nbRequest: 1, propagated: 1 },
      { ...some, updated: ofKind(0) + ofKind(1), nbRequest: 2, propagated: 2 },
      { ...some, updated: ofKind(0) + ofKind(1), nbRequest: 1, propagated: 1 },
      { ...some, updated: ofKind(2), nbRequest: 1, propagated: 1 },
    ])
    expect(documents.get('d0')).toMatchObject({ tags: ['second'] })
    expect(documents.get('d2')).toMatchObject({ tags: ['first', 'third'] })
  })

  test('end as if nothing had happened when the executing one stands still and comes back', { timeout }, async () => {
    const owner = await executing()
    const ids = await inTheMiddle('stopped', second, () => first.kill('SIGSTOP'))
    try {
      await finished(second.base, 'stopped', ids)
    } finally {
      first.kill('SIGCONT')
    }
    expect(await executing()).not.toBe(owner)
    await checkEnd('stopped', ids)
  })

  test('end as if nothing had happened when the executing one is killed', { timeout }, async () => {
    const owner = await executing()
    const ids = await inTheMiddle('killed', first, () => second.kill('SIGKILL'))
    await second.ended
    await finished(first.base, 'killed', ids)
    expect(await executing()).not.toBe(owner)
    second = await deployment.start()
    await checkEnd('killed', ids)
  })
})

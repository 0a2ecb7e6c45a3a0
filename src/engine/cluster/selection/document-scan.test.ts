import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { ClusterCall, ClusterClient, WireObject } from '../../../cluster-client/cluster-client.ts'
import { everything } from '../../../query/plan/predicate.ts'
import type { StoredDocument } from '../../engine.ts'
import { clusterUnderTest } from '../cluster-under-test.fixture.ts'
import { dropTestIndices, makeTestIndex } from '../test-index.fixture.ts'
import { scan } from './selection-scan.ts'

const context = clusterUnderTest()
const MANY = 25_000
let many = ''
let few = ''
let large = ''

beforeAll(async () => {
  const properties = { n: { type: 'integer' }, text: { type: 'keyword', index: false } }
  const numbered = Array.from({ length: MANY }, (_, n) => ({ n, a: { b: n, c: 1 }, 'd.e': n }))
  many = await makeTestIndex(context, 'document-scan', properties, numbered, 3)
  few = await makeTestIndex(context, 'document-scan', properties, [{ n: -1 }, { n: -2 }])
  const heavy = Array.from({ length: 300 }, (_, n) => ({ n, parts: [`${n}`.padEnd(100_000, 'x')] }))
  const unindexed = { n: { type: 'integer' }, parts: { type: 'keyword', index: false, doc_values: false } }
  large = await makeTestIndex(context, 'document-scan', unindexed, heavy)
})
afterAll(() => dropTestIndices(context, [many, few, large]))

const selection = (...indices: readonly string[]) => ({ indices, predicate: everything })

/** Returns the points in time on the indices of these tests that are still open. */
async function openPoints(): Promise<readonly string[]> {
  type Answer = { readonly pits?: readonly { readonly pit_id: string }[] }
  const { pits = [] } = await context.client.send<Answer>({ method: 'GET', path: '/_search/point_in_time/_all' })
  // The id contains the index names.
  return pits.map(({ pit_id }) => pit_id).filter((id) => Buffer.from(id, 'base64').includes('t-document-scan-'))
}

async function collect(batches: AsyncIterable<readonly StoredDocument[]>): Promise<readonly StoredDocument[][]> {
  const all: StoredDocument[][] = []
  for await (const batch of batches) all.push([...batch])
  return all
}

/** The same context, recording its calls. */
function noting(calls: ClusterCall[]): typeof context {
  const client: ClusterClient = {
    send: (call) => {
      calls.push(call)
      return context.client.send(call)
    },
    close: () => context.client.close(),
  }
  return { ...context, client }
}

describe('a scan', () => {
  it('answers every document of several indices and shards once, then lets the points in time go', async () => {
    const documents = (await collect(scan(context, selection(many, few)))).flat()
    expect(documents).toHaveLength(MANY + 2)
    const numbers = new Set(documents.map(({ source }) => source.n))
    expect(numbers.size).toBe(MANY + 2)
    expect(documents.find(({ source }) => source.n === 17)).toEqual({
      index: many,
      id: '17',
      source: { n: 17, a: { b: 17, c: 1 }, 'd.e': 17 },
    })
    expect(await openPoints()).toEqual([])
  })

  it('answers the parts of the source that are wanted', async () => {
    const [first] = (await collect(scan(context, selection(many), undefined, { paths: ['a.b', 'd.e'] }))).flat()
    expect(Object.keys(first?.source ?? {}).sort()).toEqual(['a', 'd.e'])
    expect(first?.source.a).toEqual({ b: Number(first?.id) })
    const [bare] = (await collect(scan(context, selection(few), undefined, { paths: [] }))).flat()
    expect(bare?.source).toEqual({})
  })

  it('sees the documents of one moment', async () => {
    const index = await makeTestIndex(
      context,
      'document-scan',
      {},
      Array.from({ length: 500 }, (_, n) => ({ n })),
      2,
    )
    const seen = new Set<unknown>()
    let removed = false
    for await (const batch of scan(context, selection(index))) {
      for (const { source } of batch) seen.add(source.n)
      if (removed) continue
      removed = true
      const lines = Array.from({ length: 500 }, (_, n) => `{"delete":{"_id":"${n}"}}\n{"index":{}}\n{"n":${n + 500}}\n`)
      await context.client.send({
        method: 'POST',
        path: `/${index}/_bulk`,
        query: { refresh: true },
        body: lines.join(''),
      })
    }
    expect([...seen].sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 500 }, (_, n) => n))
    await context.client.send({ method: 'DELETE', path: `/${index}` })
  })

  it('takes fewer large documents at a time', async () => {
    const batches = await collect(scan(context, selection(large)))
    expect(batches.flat()).toHaveLength(300)
    const [first = [], ...others] = batches
    expect(first.length).toBeGreaterThan(50)
    // 100,000 characters each, and 8 MiB of memory per page.
    for (const batch of others) expect(batch.length).toBeLessThan(50)
  })

  it('of no index answers nothing', async () => {
    expect(await collect(scan(context, selection()))).toEqual([])
  })

  it('lets the point in time go when the reader leaves', async () => {
    for await (const batch of scan(context, selection(many, few))) {
      expect(batch.length).toBeGreaterThan(0)
      expect(await openPoints()).toHaveLength(2)
      break
    }
    expect(await openPoints()).toEqual([])
  })

  it('lets the point in time go when the reader fails', async () => {
    const reading = async (): Promise<void> => {
      for await (const _ of scan(context, selection(many))) throw new Error('the disk is full')
    }
    await expect(reading()).rejects.toThrow('the disk is full')
    expect(await openPoints()).toEqual([])
  })

  it('ends with the reason of an abort, before the first page and later', async () => {
    for (const after of [0, 2]) {
      const abort = new AbortController()
      const reason = new Error('the client left')
      let batches = 0
      const reading = async (): Promise<void> => {
        if (after === 0) setImmediate(() => abort.abort(reason))
        for await (const _ of scan(context, selection(many, few), abort.signal)) {
          batches += 1
          if (batches === after) abort.abort(reason)
        }
      }
      await expect(reading()).rejects.toBe(reason)
      expect(batches).toBe(after)
      expect(await openPoints()).toEqual([])
    }
  })

  it('asks nothing once it is aborted', async () => {
    const calls: ClusterCall[] = []
    const reading = collect(scan(noting(calls), selection(many), AbortSignal.abort(new Error('too late'))))
    await expect(reading).rejects.toThrow('too late')
    expect(calls).toEqual([])
  })

  it('says so when the cluster gave the point in time up', async () => {
    const reading = async (): Promise<void> => {
      for await (const _ of scan(context, selection(many))) {
        const body = { pit_id: await openPoints() }
        if (body.pit_id.length === 0) continue
        await context.client.send({ method: 'DELETE', path: '/_search/point_in_time', body })
      }
    }
    await expect(reading()).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', status: 503 })
  })

  it('refuses an index that does not exist, and keeps nothing of the others open', async () => {
    const reading = collect(scan(context, selection(many, 't-document-scan-none')))
    await expect(reading).rejects.toMatchObject({ status: 404, type: 'index_not_found_exception' })
    expect(await openPoints()).toEqual([])
  })

  it('keeps the points in time of indices whose turn comes late', async () => {
    const calls: ClusterCall[] = []
    const start = Date.now()
    vi.useFakeTimers({ toFake: ['Date'], now: start })
    try {
      let batches = 0
      for await (const _ of scan(noting(calls), selection(many, few))) {
        batches += 1
        if (batches === 2) vi.setSystemTime(start + 120_000)
      }
    } finally {
      vi.useRealTimers()
    }
    const touches = calls.filter(({ body }) => (body as WireObject | undefined)?.size === 0)
    expect(touches).toHaveLength(1)
  })
})

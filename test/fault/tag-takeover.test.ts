import { afterAll, beforeAll, beforeEach, describe, expect, onTestFailed, test, vi } from 'vitest'
import { clusterDeployment } from '../support/cluster-deployment.ts'
import { clusterUrl } from '../support/cluster-url.ts'
import { must } from '../support/http-client.ts'
import { PATIENT } from '../support/patience.ts'
import type { ServerProcess } from '../support/server-process.ts'
import {
  eq,
  finished,
  sequenceCounters,
  sequenceTags,
  submit,
  submitSequence,
  TaggedIndex,
} from '../support/tag-sequence.ts'
import { startWatchingProxy, type WatchingProxy } from '../support/watching-proxy.ts'

const DOCUMENTS = 2_500

const deployment = clusterDeployment(clusterUrl, {
  // many requests in every chunk: one that is stopped is in the middle of one
  'tagging.cluster.bulkActions': '20',
  'log.level': 'warn',
})
const calm = new TaggedIndex(deployment, 'calm')
const stopped = new TaggedIndex(deployment, 'stopped')
const killed = new TaggedIndex(deployment, 'killed')

const LEASE = `${deployment.prefix}p-lease/_doc/tagging`

/** Who executes tags, as the servers call themselves. */
async function executing(): Promise<string> {
  const lease = (await deployment.ask(`/${LEASE}`)) as { _source: { owner: string } }
  return lease._source.owner
}

describe('two servers that share the tags of a cluster', () => {
  /** Between the first server and the cluster. */
  let proxy: WatchingProxy
  let first: ServerProcess
  let second: ServerProcess
  /** What an undisturbed run leaves. */
  let documents: Awaited<ReturnType<TaggedIndex['documents']>>

  beforeAll(async () => {
    proxy = await startWatchingProxy(clusterUrl)
    first = await deployment.start({ 'cluster.urls': proxy.url })
    for (const index of [calm, stopped, killed]) await index.load(first.base, DOCUMENTS)
    await vi.waitFor(async () => expect(await executing()).not.toBe(''), PATIENT)
    second = await deployment.start()
  })
  afterAll(async () => {
    await deployment.remove()
    await proxy?.stop()
  })

  beforeEach(() =>
    onTestFailed(() => {
      for (const { output } of [first, second]) process.stderr.write(`${output()}\n`)
    }),
  )

  /** The same as if nothing had happened; then both still tag. */
  async function checkEnd(index: TaggedIndex, ids: readonly string[]): Promise<void> {
    const { collection } = index
    for (const { base } of [first, second]) {
      expect(await finished(base, collection, ids)).toEqual(sequenceCounters(DOCUMENTS))
    }
    expect(await index.documents()).toEqual(documents)
    const ofKind = Math.floor(DOCUMENTS / 3)
    for (const [n, { base }] of [first, second].entries()) {
      const body = { tag: { path: 'tags', value: `later${n}` }, search: eq('kind', 'c') }
      const id = await submit(base, collection, { route: '_tag', body })
      expect(await finished(base, collection, [id])).toMatchObject([{ updated: ofKind, failed: 0 }])
      const counted = await must(first.base, { path: `/explore/${collection}/_count?f=tags:eq:later${n}` })
      expect(counted).toMatchObject({ totalnb: ofKind })
    }
  }

  test('without trouble do what was asked for', async () => {
    const ids = await submitSequence(second.base, calm.collection)
    expect(await finished(second.base, calm.collection, ids)).toEqual(sequenceCounters(DOCUMENTS))
    documents = await calm.documents()
    expect(documents.size).toBe(DOCUMENTS)
    for (const { kind, tags } of documents.values()) expect(tags).toEqual(sequenceTags[kind])
  })

  test('end as if nothing had happened when the executing one stands still and comes back', async () => {
    const owner = await executing()
    const ids = await submitSequence(second.base, stopped.collection)
    // it has read documents, and will hear that it may write them when another has done so long since
    await stopped.whenBegun('first', () => proxy.hold(`GET /${LEASE}`))
    await vi.waitFor(() => expect(proxy.held()).toBeGreaterThan(0), PATIENT)
    // what is held may be a renewal of the lease: it waits for its answer when it writes no more
    await stopped.whenStill('first')
    first.kill('SIGSTOP')
    try {
      expect(await stopped.count('first'), 'documents of the first request').toBeLessThan(DOCUMENTS)
      await finished(second.base, stopped.collection, ids)
      proxy.takeAnswered()
      proxy.release()
    } finally {
      first.kill('SIGCONT')
    }
    const answered: string[] = []
    await vi.waitFor(() => {
      answered.push(...proxy.takeAnswered())
      expect(answered, 'late writes').toContain('POST /_bulk')
    }, PATIENT)
    expect(await executing()).not.toBe(owner)
    await checkEnd(stopped, ids)
  })

  test('end as if nothing had happened when the executing one is killed', async () => {
    const owner = await executing()
    const ids = await submitSequence(first.base, killed.collection)
    await killed.whenBegun('first', () => second.kill('SIGKILL'))
    await second.ended
    expect(await killed.count('first'), 'documents of the first request').toBeLessThan(DOCUMENTS)
    await finished(first.base, killed.collection, ids)
    expect(await executing()).not.toBe(owner)
    second = await deployment.start()
    await checkEnd(killed, ids)
  })
})

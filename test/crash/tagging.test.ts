import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TagStep } from '../../src/engine/step-observer.ts'
import { type EmbeddedServer, startEmbeddedServerIn } from '../support/embedded-server.ts'
import { call, must, withQuery } from '../support/http-client.ts'
import { loadBulk, putCollection } from '../support/index-loading.ts'
import { PATIENT } from '../support/patience.ts'
import { someOf } from '../support/thorough.ts'

const entry = fileURLToPath(new URL('tagging-process.ts', import.meta.url))

/** Batches of ten documents: every step is reached several times. */
const settings = { 'tagging.batch.start': '10', 'tagging.batch.min': '10', 'tagging.batch.max': '10' }

const DOCUMENTS = 45

/** A server in a process of its own, which ends at a step. */
interface DoomedServer {
  readonly base: string
  readonly child: ChildProcess
  readonly ended: Promise<unknown>
}

/** With the documents; every test works on a copy. */
let prepared: string
let directory: string
let doomed: DoomedServer | undefined
let restarted: EmbeddedServer | undefined

beforeAll(async () => {
  prepared = await mkdtemp(join(tmpdir(), 'periplus-tag-crash-'))
  const server = await startEmbeddedServerIn(prepared, settings)
  await prepare(server.base)
  await server.close()
})
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'periplus-tag-crash-'))
  await cp(prepared, directory, { recursive: true })
})
afterEach(async () => {
  doomed?.child.kill('SIGKILL')
  await doomed?.ended
  await restarted?.close()
  doomed = undefined
  restarted = undefined
  await rm(directory, { recursive: true, force: true })
})
afterAll(() => rm(prepared, { recursive: true, force: true }))

/** Starts a server that is killed when it reaches a step for the n-th time. */
async function startDoomed(step: TagStep, times = 1): Promise<DoomedServer> {
  const execArgv = ['--disable-warning=ExperimentalWarning']
  const given = Object.entries(settings).map(([name, value]) => `${name}=${value}`)
  const child = fork(entry, [directory, step, String(times), ...given], { execArgv })
  const ended = once(child, 'exit')
  // It may reach the step, and end, before it has said where it is.
  const said = await Promise.race([once(child, 'message'), ended.then(() => undefined)])
  const { base } = (said?.[0] ?? { base: '' }) as { base: string }
  doomed = { base, child, ended }
  return doomed
}

/** Starts a server in this process on what is there. */
async function restart(): Promise<EmbeddedServer> {
  restarted = await startEmbeddedServerIn(directory, settings)
  return restarted
}

async function prepare(base: string): Promise<void> {
  const mappings = {
    properties: {
      id: { type: 'keyword' },
      kind: { type: 'keyword' },
      tags: { type: 'keyword' },
      place: { type: 'geo_point' },
      time: { type: 'date' },
    },
  }
  await must(base, { method: 'PUT', path: '/index/c', body: { mappings } })
  const documents = Array.from({ length: DOCUMENTS }, (_, i) => ({
    id: `d${i}`,
    kind: ['a', 'b', 'c'][i % 3],
    place: { lat: i, lon: i },
    time: i,
  }))
  const lines = documents.map((d) => `${JSON.stringify({ index: { _id: d.id } })}\n${JSON.stringify(d)}\n`)
  await loadBulk(base, 'c', lines.join(''))
  const paths = { id_path: 'id', geometry_path: 'place', centroid_path: 'place', timestamp_path: 'time' }
  await putCollection(base, 'c', { index_name: 'c', ...paths, taggable_fields: 'tags' })
}

/** What is submitted, in order; the last two only mean something when they come after the others. */
const requests = [
  { route: '_tag', body: { tag: { path: 'tags', value: 'first' }, label: '0' }, updated: 45, propagated: 1 },
  {
    route: '_tag',
    body: {
      tag: { path: 'tags', value: 'second' },
      search: { filter: { f: [[{ field: 'kind', op: 'eq', value: 'a,b' }]] } },
      propagation: { field: 'kind' },
      label: '1',
    },
    updated: 30,
    propagated: 2,
  },
  {
    route: '_untag',
    body: {
      tag: { path: 'tags', value: 'first' },
      search: { filter: { f: [[{ field: 'tags', op: 'eq', value: 'second' }]] } },
      label: '2',
    },
    updated: 30,
    propagated: 1,
  },
  {
    route: '_tag',
    body: {
      tag: { path: 'tags', value: 'third' },
      search: { filter: { f: [[{ field: 'tags', op: 'eq', value: 'first' }]] } },
      label: '3',
    },
    updated: 15,
    propagated: 1,
  },
]

/** Sends requests until the server is gone; which of them were acknowledged. */
async function submitAll(base: string): Promise<ReadonlySet<string>> {
  const acknowledged = new Set<string>()
  for (const { route, body } of requests) {
    try {
      await must(base, { method: 'POST', path: `/write/c/${route}`, body })
    } catch (error) {
      if (error instanceof Error && 'code' in error) break
      throw error
    }
    acknowledged.add(body.label)
  }
  return acknowledged
}

interface Listed {
  readonly id: string
  readonly label: string
  readonly offset: number
}

const list = async (base: string) => (await must(base, { path: '/status/c/_taglist' })) as readonly Listed[]

async function finish(base: string): Promise<void> {
  for (const { id } of await list(base)) {
    await vi.waitUntil(
      async () => ((await must(base, { path: `/status/c/_tag/${id}` })) as { progress: number }).progress === 100,
      PATIENT,
    )
  }
}

const count = async (base: string, value: string): Promise<number> => {
  const path = withQuery('/explore/c/_count', [['f', `tags:eq:${value}`]])
  return ((await must(base, { path })) as { totalnb: number }).totalnb
}

/** Every request once, in order, with the counters of an uninterrupted run. */
async function checkEnd(base: string): Promise<void> {
  await finish(base)
  for (const [n, { id, label }] of (await list(base)).entries()) {
    expect(label).toBe(String(n))
    const expected = { updated: requests[n]?.updated, propagated: requests[n]?.propagated, failed: 0 }
    expect(await must(base, { path: `/status/c/_tag/${id}` }), `request ${n}`).toMatchObject(expected)
  }
  expect([await count(base, 'first'), await count(base, 'second'), await count(base, 'third')]).toEqual([15, 30, 15])
  const { _source } = (await must(base, { path: '/index/c/_doc/d2' })) as { _source: { tags: unknown } }
  expect(_source.tags).toEqual(['first', 'third'])
}

const moments: readonly (readonly [TagStep, number])[] = [
  ['logging', 1],
  ['logging', 3],
  ['logged', 1],
  ['logged', 4],
  ['planning', 1],
  ['planning', 2],
  ['planned', 1],
  ['planned', 3],
  ['applying', 1],
  ['applying', 6],
  ['writing', 2],
  ['committing', 1],
  ['committing', 5],
  ['applied', 1],
  ['applied', 7],
  ['finishing', 1],
  ['finishing', 3],
  ['finished', 1],
  ['finished', 4],
]

describe('a server killed while it tags', () => {
  test.each(someOf(moments, 1 / 3))('at %s, time %i, ends as one that was not', async (step, times) => {
    const killed = await startDoomed(step, times)
    const acknowledged = await submitAll(killed.base)
    await killed.ended

    const again = await restart()
    const kept = new Set((await list(again.base)).map(({ label }) => label))
    for (const label of acknowledged) expect(kept, 'acknowledged').toContain(label)
    // What was not acknowledged may be sent again: it is there once, or it was never accepted.
    for (const { route, body } of requests.filter((request) => !kept.has(request.body.label))) {
      await must(again.base, { method: 'POST', path: `/write/c/${route}`, body })
    }
    await checkEnd(again.base)
  })

  test.each<TagStep>(['replaying', 'replayed'])('at %s, has replayed all or nothing', async (step) => {
    const first = await restart()
    await submitAll(first.base)
    await checkEnd(first.base)
    const before = await startTimes(first.base)
    await first.close()

    const killed = await startDoomed(step)
    await expect(call(killed.base, { method: 'POST', path: '/write/c/_tagreplay?offset=0' })).rejects.toThrow()
    await killed.ended

    const again = await restart()
    await checkEnd(again.base)
    const after = await startTimes(again.base)
    const repeated = after.map((time, n) => time > (before[n] ?? Number.POSITIVE_INFINITY))
    expect(repeated).toEqual(requests.map(() => step === 'replayed'))
  })
})

/** A request that was executed again began when its replay was accepted. */
const startTimes = async (base: string): Promise<readonly number[]> =>
  Promise.all(
    (await list(base)).map(
      async ({ id }) => ((await must(base, { path: `/status/c/_tag/${id}` })) as { startTime: number }).startTime,
    ),
  )

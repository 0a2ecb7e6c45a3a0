import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { must } from '../support/http-client.ts'
import { createIndex, putCollection } from '../support/index-loading.ts'
import { submit } from '../support/tag-sequence.ts'
import { startTunedServer, type TunedServer } from './tuned-server.ts'

const DOCUMENTS = 40_000
/** Each is tried on each document, about 5 microseconds long. */
const PATTERNS = 100

const mapping = {
  properties: {
    id: { type: 'keyword' },
    at: { type: 'date' },
    place: { type: 'geo_point' },
    tags: { type: 'keyword' },
  },
}
const params = {
  index_name: 'fair',
  id_path: 'id',
  geometry_path: 'place',
  centroid_path: 'place',
  timestamp_path: 'at',
  taggable_fields: 'tags',
}

let server: TunedServer
let leaving: AbortController
let slowEnded: number

async function start(concurrency: number): Promise<void> {
  server = await startTunedServer({ 'engine.concurrency': String(concurrency), 'limits.timeMs': '600000' })
  const bulk = Array.from({ length: DOCUMENTS }, (_, i) => {
    const document = { id: `${i} ${'abcdefghij'.repeat(20)}`, at: i, place: [i % 180, i % 90] }
    return `{"index":{}}\n${JSON.stringify(document)}\n`
  })
  await createIndex(server.base, 'fair', mapping, bulk.join(''))
  await putCollection(server.base, 'fair', params)
}

beforeEach(() => {
  leaving = new AbortController()
  slowEnded = 0
})

afterEach(async () => {
  leaving.abort()
  await expect.poll(running).toBe(0)
})

/** A search nobody waits for; it ends when `leaving` does. */
function askSlowly(number: number): void {
  const values = Array.from({ length: PATTERNS }, (_, i) => `(j[a-c]?|d.)e.*z${number}x${i}`)
  // The last one matches: the engine notices an interruption between two batches of matches, not while it finds none.
  const patterns = [...values, '^[0-9]'].map((value) => ({ field: 'id', op: 'like', value }))
  fetch(`${server.base}/explore/fair/_search`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ filter: { f: [patterns] } }),
    signal: leaving.signal,
  }).then(
    () => slowEnded++,
    () => undefined,
  )
}

function running(): Promise<number | undefined> {
  return server.metric('periplus_engine_reads_running')
}

function waiting(): Promise<number | undefined> {
  return server.metric('periplus_engine_reads_waiting')
}

describe('with two places for quick requests', () => {
  beforeAll(() => start(2))

  afterAll(() => server.stop())

  it('thirty quick requests are answered while two slow ones run', async () => {
    askSlowly(1)
    askSlowly(2)
    await expect.poll(running).toBe(2)
    const asked = Array.from({ length: 30 }, (_, i) =>
      must(server.base, { path: `/explore/fair/_search?size=1&f=at:eq:${i}` }),
    )
    for (const answer of await Promise.all(asked)) expect(answer).toMatchObject({ nbhits: 1, totalnb: 1 })
    // A read gives its place back after it is answered.
    await expect.poll(running).toBe(2)
    expect(slowEnded).toBe(0)
  })
})

describe('with one place for quick requests and one for slow ones, both taken', () => {
  beforeAll(() => start(1))

  afterAll(() => server.stop())

  beforeEach(async () => {
    askSlowly(1)
    askSlowly(2)
    await expect.poll(running).toBe(2)
  })

  it('a request that waits leaves the line with its client', async () => {
    const impatient = new AbortController()
    const ask = (signal: AbortSignal): Promise<Response> =>
      fetch(`${server.base}/explore/fair/_search?size=1`, { signal })
    const answers = Promise.allSettled([ask(impatient.signal), ask(leaving.signal)])
    await expect.poll(waiting).toBe(2)
    impatient.abort()
    await expect.poll(waiting).toBe(1)
    expect(await running()).toBe(2)
    expect(slowEnded).toBe(0)
    leaving.abort()
    expect(await answers).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  })

  it('the server says that it is well, and what is left to tag', async () => {
    const body = { search: { filter: {} }, tag: { path: 'tags', value: 'seen' } }
    await submit(server.base, 'fair', { route: '_tag', body })
    askSlowly(3)
    await expect.poll(waiting).toBe(1)
    expect(await must(server.base, { path: '/readyz' })).toMatchObject({ status: 'ok' })
    expect(await server.metric('periplus_tag_lag{collection="fair"}')).toBe(1)
    expect(slowEnded).toBe(0)
  })
})

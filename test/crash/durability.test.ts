import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { call, must, withQuery } from '../support/http-client.ts'
import { loadBulk, putCollection } from '../support/index-loading.ts'
import { type ServerProcess, startServerProcess } from '../support/server-process.ts'
import { triesOf } from '../support/thorough.ts'

const ROUNDS = triesOf(4, 1 / 2)
const BATCH = 400
const LOADERS = 3

const mappings = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    batch: { type: 'keyword' },
    seen: { type: 'date' },
    title: { type: 'text' },
    where: { type: 'geo_point' },
  },
}
const collection = {
  index_name: 'crash',
  id_path: 'id',
  geometry_path: 'where',
  centroid_path: 'where',
  timestamp_path: 'seen',
}

function documentsOf(name: string) {
  return Array.from({ length: BATCH }, (_, i) => ({
    id: `${name}-${i}`,
    batch: name,
    seen: i,
    title: `word${i % 7} of batch`,
    where: [((i * 37) % 360) - 180, ((i * 17) % 180) - 90],
  }))
}

function batchLines(name: string): string {
  return documentsOf(name)
    .map((d) => `{"index":{"_id":"${d.id}"}}\n${JSON.stringify(d)}\n`)
    .join('')
}

/** Of the same documents, before the server must have rewritten them. */
const MOST_LOADS = 12

/** Enough documents for the storage to be put in order after each load. */
const REPLACED = 9_000

const replacingTexts = (name: string): readonly string[] =>
  Array.from({ length: REPLACED }, (_, i) => {
    const where = [((i * 37) % 360) - 180, ((i * 17) % 180) - 90]
    return JSON.stringify({ id: `${i}`, batch: name, seen: i, where, filling: `${name}.${i}`.padEnd(600, '.') })
  })

const replacingLines = (name: string): string =>
  replacingTexts(name)
    .map((text, i) => `{"index":{"_id":"${i}"}}\n${text}\n`)
    .join('')

interface Loading {
  readonly acknowledged: Set<string>
  readonly sent: Set<string>
  /** Resolves when the server is gone and every loader has noticed. */
  readonly done: Promise<unknown>
}

/** Sends one batch after the other until the server no longer answers, or `batches` are sent. */
function keepLoading(base: string, round: number, batches: number): Loading {
  const acknowledged = new Set<string>()
  const sent = new Set<string>()
  const loader = async (who: number): Promise<void> => {
    for (let n = 0; n < batches; n++) {
      const name = `r${round}-l${who}-b${n}`
      sent.add(name)
      try {
        await loadBulk(base, 'crash', batchLines(name))
      } catch (error) {
        // The connection breaks when the server is killed; anything else is a real failure.
        if (error instanceof Error && 'code' in error) return
        throw error
      }
      acknowledged.add(name)
    }
  }
  return { acknowledged, sent, done: Promise.all(Array.from({ length: LOADERS }, (_, i) => loader(i))) }
}

async function totalOf(base: string, filter: string): Promise<number> {
  const path = withQuery('/explore/crash/_count', [['f', filter]])
  const answer = (await must(base, { path })) as { readonly totalnb: number }
  return answer.totalnb
}

/** The number of documents of each batch. */
async function batchTotals(base: string): Promise<ReadonlyMap<string, number>> {
  const path = withQuery('/explore/crash/_aggregate', [['agg', 'term:batch:size-10000']])
  const { elements = [] } = (await must(base, { path })) as {
    readonly elements?: readonly { readonly key: string; readonly count: number }[]
  }
  return new Map(elements.map(({ key, count }) => [key, count]))
}

/** The documents of a batch as they are stored. */
async function storedDocuments(base: string, name: string): Promise<readonly unknown[]> {
  const path = withQuery('/explore/crash/_search', [
    ['f', `batch:eq:${name}`],
    ['sort', 'seen'],
    ['size', String(BATCH)],
  ])
  const answer = (await must(base, { path })) as { readonly hits?: readonly { readonly data: unknown }[] }
  return (answer.hits ?? []).map((hit) => hit.data)
}

/** What a power cut may leave behind: the file had grown, and what should have come there did not. */
function tearSources(directory: string): void {
  const sources = join(directory, 'sources')
  for (const name of readdirSync(sources)) appendFileSync(join(sources, name), `{"id":"torn${'\0'.repeat(5_000)}`)
}

/**
 * When to kill: in the middle of loading, or, every other round, when loading is over and the engine puts its storage
 * in order (after a second and a half without a write).
 */
async function killAtRandom(server: ServerProcess, round: number): Promise<Loading & { readonly moment: string }> {
  const whileIdle = round % 2 === 1
  const loading = keepLoading(server.base, round, whileIdle ? 12 : Number.POSITIVE_INFINITY)
  if (whileIdle) await loading.done
  const delay = whileIdle ? 1_400 + Math.floor(Math.random() * 900) : 150 + Math.floor(Math.random() * 900)
  await new Promise((next) => setTimeout(next, delay))
  server.kill('SIGKILL')
  await server.ended
  await loading.done
  return {
    ...loading,
    moment: `round ${round}, killed ${delay} ms after ${whileIdle ? 'the last batch' : 'the first'}`,
  }
}

const sourceFiles = (sources: string): readonly string[] => readdirSync(sources).filter((name) => /\.\d+$/.test(name))

/**
 * Replaces all documents until the server begins to rewrite them, because most of the file is of no use; answers the name
 * of the last batch. Three times are enough, unless it has rewritten them in between, which it does whenever it is idle.
 */
async function replaceUntilRewritten(base: string, sources: string, round: string): Promise<string> {
  for (let again = 0; again < MOST_LOADS; again++) {
    const last = `${round}.${again}`
    await loadBulk(base, 'crash', replacingLines(last))
    const before = sourceFiles(sources)
    const isRewriting = () => sourceFiles(sources).some((name) => !before.includes(name))
    if (again >= 2 && (await comesSoon(isRewriting))) return last
  }
  throw new Error(`the server does not rewrite its sources, after ${MOST_LOADS} loads of the same documents`)
}

async function comesSoon(condition: () => boolean): Promise<boolean> {
  for (const until = Date.now() + 20_000; Date.now() < until; ) {
    if (condition()) return true
    await new Promise((next) => setTimeout(next, 2))
  }
  return false
}

describe('a killed server', () => {
  test('keeps every acknowledged batch whole, and no part of an unacknowledged one', async () => {
    let server: ServerProcess = await startServerProcess()
    const directory = server.directory
    onTestFinished(async () => {
      server.kill('SIGKILL')
      await server.ended
      await server.removeData()
    })
    await must(server.base, { method: 'PUT', path: '/index/crash', body: { mappings } })
    await putCollection(server.base, 'crash', collection)
    const acknowledged = new Set<string>()
    const sent = new Set<string>()
    for (let round = 0; round < ROUNDS; round++) {
      const loading = await killAtRandom(server, round)
      for (const name of loading.acknowledged) acknowledged.add(name)
      for (const name of loading.sent) sent.add(name)

      if (round % 3 === 2) tearSources(directory)
      server = await startServerProcess({ directory })
      let kept = 0
      const totals = await batchTotals(server.base)
      for (const name of sent) {
        const total = totals.get(name) ?? 0
        const allowed = acknowledged.has(name) ? [BATCH] : [0, BATCH]
        expect(allowed, `batch ${name} after ${loading.moment}`).toContain(total)
        kept += total
        // What was there after one crash counts as acknowledged for the next.
        if (total === BATCH) acknowledged.add(name)
        else sent.delete(name)
        // The last round reads what all rounds left.
        if (total > 0 && (loading.sent.has(name) || round === ROUNDS - 1)) {
          expect(await storedDocuments(server.base, name), `batch ${name}`).toEqual(documentsOf(name))
        }
      }
      expect(await totalOf(server.base, 'batch:like:^r')).toBe(kept)
      expect(await totalOf(server.base, 'title:like:batch')).toBe(kept)
      expect(await totalOf(server.base, 'where:within:-180,-90,180,90')).toBe(kept)
    }
    expect(acknowledged.size).toBeGreaterThan(0)
  })

  test('keeps every document when it was about to rewrite them', async () => {
    let server = await startServerProcess()
    const { directory } = server
    onTestFinished(async () => {
      server.kill('SIGKILL')
      await server.ended
      await server.removeData()
    })
    await must(server.base, { method: 'PUT', path: '/index/crash', body: { mappings } })
    await putCollection(server.base, 'crash', collection)
    const sources = join(directory, 'sources')
    for (let round = 0; round < 2; round++) {
      const last = await replaceUntilRewritten(server.base, sources, String(round))
      // Every other time at the moment the new file is there, else a little later.
      if (round % 2 === 1) await new Promise((next) => setTimeout(next, Math.floor(Math.random() * 400)))
      server.kill('SIGKILL')
      await server.ended
      server = await startServerProcess({ directory })
      // It may be rewriting them again already.
      await expect.poll(() => sourceFiles(sources)).toHaveLength(1)
      expect(await totalOf(server.base, `batch:eq:${last}`)).toBe(REPLACED)
      const path = withQuery('/explore/crash/_search', [['size', String(REPLACED)]])
      const { hits } = (await must(server.base, { path })) as { readonly hits: readonly { readonly data: unknown }[] }
      expect(new Set(hits.map((hit) => JSON.stringify(hit.data)))).toEqual(new Set(replacingTexts(last)))
    }
  })

  test('keeps every acknowledged collection reference', async () => {
    let server = await startServerProcess()
    onTestFinished(async () => {
      server.kill('SIGKILL')
      await server.ended
      await server.removeData()
    })
    await must(server.base, { method: 'PUT', path: '/index/crash', body: { mappings } })
    const names: string[] = []
    for (let n = 0; n < 20; n++) {
      await putCollection(server.base, `c${n}`, collection)
      names.push(`c${n}`)
    }
    server.kill('SIGKILL')
    await server.ended
    server = await startServerProcess({ directory: server.directory })
    const listed = (await must(server.base, { path: '/collections' })) as readonly { collection_name: string }[]
    expect(listed.map((c) => c.collection_name)).toEqual(names)
  })
})

describe('a server asked to end', () => {
  test('finishes the requests it has begun and ends with status 0', async () => {
    const server = await startServerProcess()
    onTestFinished(() => server.removeData())
    await must(server.base, { method: 'PUT', path: '/index/crash', body: { mappings } })
    await putCollection(server.base, 'crash', collection)
    const large = Array.from({ length: 50 }, (_, i) => batchLines(`large-${i}`)).join('')
    const running = loadBulk(server.base, 'crash', large)
    // The request is on its way once the server has read some of it; a second one shows that it answers meanwhile.
    await call(server.base, { path: '/collections' })
    server.kill('SIGTERM')
    await running
    expect(await server.ended).toEqual({ code: 0, signal: null })

    const again = await startServerProcess({ directory: server.directory })
    try {
      expect(await totalOf(again.base, 'batch:like:^large')).toBe(50 * BATCH)
    } finally {
      await again.stop()
    }
  })

  test('ends with status 0 when nothing runs', async () => {
    const server = await startServerProcess()
    onTestFinished(() => server.removeData())
    server.kill('SIGTERM')
    expect(await server.ended).toEqual({ code: 0, signal: null })
  })
})

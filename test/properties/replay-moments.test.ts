import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { closeLocalServices, openLocalServices } from '../../src/cli/serve/local-services.ts'
import { loadSettings } from '../../src/config/load-settings.ts'
import type { TagStore } from '../../src/engine/tag-store.ts'
import type { Services } from '../../src/http/services.ts'
import type { NewTagRecord } from '../../src/model/tag-record.ts'
import { unrestricted } from '../../src/query/access/access.ts'
import { SqliteFile } from '../../src/storage/sqlite-file.ts'
import { createTagging } from '../../src/tagging/create-tagging.ts'
import { sqliteTagLog } from '../../src/tagging/log/sqlite-tag-log.ts'
import type { Tagging } from '../../src/tagging/tagging.ts'
import { describeEach, engines } from '../support/engines.ts'
import { PATIENT } from '../support/patience.ts'

const INDEX = 'moments'
const properties = {
  id: { type: 'keyword' },
  tags: { type: 'keyword' },
  where: { type: 'geo_point' },
  time: { type: 'date' },
} as const

const recordOf = (collection: string, value: string): NewTagRecord => ({
  id: randomUUID(),
  collection,
  action: 'ADD',
  creationTime: 1_000,
  request: { tag: { path: 'tags', value } },
})

/** The store as the executor sees it: `before` runs ahead of each of its calls. */
const interposed = (store: TagStore, before: () => Promise<void>): TagStore =>
  new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name)
      if (typeof member !== 'function') return member
      if (name === 'isTransient' || name === 'close' || name === 'lead') return member.bind(target)
      return async (...parameters: unknown[]) => {
        await before()
        return member.apply(target, parameters)
      }
    },
  })

describeEach(engines)('a replay on the $name engine', ({ space }) => {
  const place = space?.()
  const file = SqliteFile.open(':memory:')
  const log = sqliteTagLog(file)
  let directory: string
  let services: Services
  let store: TagStore
  /** What the requests of clients go through; nothing of theirs is interposed. */
  let clients: Tagging
  let executing: Tagging
  const nothing = async (): Promise<void> => undefined
  let beforeCall = nothing

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'periplus-test-'))
    const flags = { 'data.directory': directory, 'log.level': 'silent', ...place?.settings }
    services = await openLocalServices(loadSettings({ flags, cwd: directory }), place?.hooks)
    const { engine } = services
    if (engine.tags === undefined) throw new Error('the engine has tags')
    store = engine.tags
    await engine.createIndex(INDEX, { properties })
    await engine.write(INDEX, [{ kind: 'index', id: 'a', source: { id: 'a' } }])
    const { settings, now } = services
    const options = { log, engine, references: services.store, settings, now, onFault: () => {} }
    clients = createTagging({ ...options, store })
    executing = createTagging({ ...options, store: interposed(store, () => beforeCall()) })
    executing.start()
  })
  afterAll(async () => {
    await executing?.stop()
    if (services !== undefined) await closeLocalServices(services)
    await place?.remove()
    file.close()
    await rm(directory, { recursive: true, force: true })
  })

  const params = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'time' }
  const makeCollection = (name: string) =>
    services.collections.put(name, { index_name: INDEX, ...params, taggable_fields: 'tags' }, unrestricted)

  const isFinished = async (collection: string, id: string): Promise<boolean> =>
    (await clients.status(collection, id)).progress === 100
  const finished = (collection: string, id: string) =>
    vi.waitFor(async () => expect(await isFinished(collection, id)).toBe(true), PATIENT)

  test('that comes before any call of the executor is carried out', async () => {
    // Moments go from the call after the second record was logged to one after it was finished.
    for (let moment = 0, isOver = false; !isOver; moment++) {
      const collection = `moment-${moment}`
      await makeCollection(collection)
      const [first, second] = [recordOf(collection, 'one'), recordOf(collection, 'two')]
      await clients.submit(first)
      await finished(collection, first.id)
      const [{ offset } = { offset: -1 }] = await Array.fromAsync(clients.list(collection, { size: 1 }))

      const logged = Promise.withResolvers<void>()
      const replayed = Promise.withResolvers<void>()
      const stopListening = log.onRecords(logged.resolve)
      let calls = 0
      beforeCall = async () => {
        await logged.promise
        if (calls++ !== moment) return
        isOver = await isFinished(collection, second.id)
        await executing.replay(collection, offset)
        replayed.resolve()
      }
      await clients.submit(second)
      await replayed.promise
      beforeCall = nothing
      stopListening()

      for (const { id } of [first, second]) {
        await finished(collection, id)
        expect(await store.status(id), `moment ${moment}`).toMatchObject({ run: 1, updated: 1 })
      }
      // a cluster shows that a record is finished before the position moves past it
      const position = { run: 1, nextOffset: offset + 2 }
      await vi.waitFor(async () => expect(await store.position(collection)).toMatchObject(position), PATIENT)
    }
  })
})

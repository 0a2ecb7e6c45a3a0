import { afterAll, afterEach, describe, expect, test } from 'vitest'
import { type ClusterCall, type ClusterClient, ClusterFailure } from '../../../cluster-client/cluster-client.ts'
import type { ChangeFeed, ChangeKind, DocumentChange } from '../../change-feed.ts'
import type { Engine } from '../../engine.ts'
import type { TagStore } from '../../tag-store.ts'
import { execute, type TagDeployment, tagDeployment, tagsOf, taskOn } from '../tag/tag-store.fixture.ts'

const deployments: TagDeployment[] = []
const leading: TagStore[] = []
afterEach(async () => {
  for (const tags of leading.splice(0)) await tags.close()
})
afterAll(async () => {
  for (const deployment of deployments) await deployment.close()
})

/** A new deployment, so that each test reads from the start. */
function deploy(): TagDeployment {
  const deployment = tagDeployment('changes')
  deployments.push(deployment)
  return deployment
}

const { signal } = new AbortController()

type Wants = (kind: ChangeKind, index: string) => 'nothing' | 'after' | 'both'

function feedOf(engine: Engine, wants?: Wants, mark = 7): ChangeFeed {
  if (engine.changes === undefined) throw new Error('the engine has no changes')
  if (wants !== undefined) engine.changes.watch({ wants: (index, kind) => wants(kind, index), mark: () => mark })
  return engine.changes
}

const brief = ({ kind, id, before, after }: DocumentChange): readonly unknown[] => [kind, id, before, after]

async function leads(engine: Engine): Promise<TagStore> {
  const tags = tagsOf(engine)
  leading.push(tags)
  await tags.lead(signal)
  return tags
}

/** The cluster behind a client that lets a test act before and after each call. */
const behind = (
  client: ClusterClient,
  around: (call: ClusterCall, pass: () => Promise<unknown>) => Promise<unknown>,
): ClusterClient => ({
  send: async <T>(call: ClusterCall) => (await around(call, () => client.send(call))) as T,
  close: async () => undefined,
})

describe('changes by loads', () => {
  test('are told once per document, as they were made', async () => {
    const deployment = deploy()
    const engine = deployment.server()
    const index = `${deployment.prefix}things`
    await engine.createIndex(index, { properties: { n: { type: 'long' } } })
    const put = (id: string, n: number) => ({ kind: 'index', id, source: { n } }) as const
    await engine.write(index, [put('a', 1), put('b', 2), put('c', 3), put('u', 1)])
    const feed = feedOf(engine, () => 'both')
    const since = Date.now()
    await engine.write(
      index,
      [
        put('a', 10),
        put('a', 11),
        { kind: 'delete', id: 'b' },
        { kind: 'index', id: 'd', source: { n: 4 }, text: '{"n": 4}' },
        put('e', 5),
        { kind: 'delete', id: 'e' },
        { kind: 'update', id: 'c', doc: { n: 3 } },
        { kind: 'update', id: 'u', doc: { m: 2 } },
        { kind: 'index', id: 'bad', source: { n: 'x' } },
        { kind: 'create', id: 'c', source: { n: 9 } },
        { kind: 'delete', id: 'nobody' },
      ],
      { load: 'mine' },
    )
    const found = await feed.read(0, 100)
    expect(found.map(brief).sort()).toEqual([
      ['CREATE', 'd', undefined, '{"n": 4}'],
      ['DELETE', 'b', '{"n":2}', undefined],
      ['UPDATE', 'a', '{"n":1}', '{"n":11}'],
      ['UPDATE', 'u', '{"n":1}', '{"n":1,"m":2}'],
    ])
    for (const change of found) {
      expect(change).toMatchObject({ cause: 'load:mine', mark: 7, index })
      expect(change.acceptedMs).toBeGreaterThanOrEqual(since)
    }
  })

  test('cost nothing when nobody wants to hear of them', async () => {
    const deployment = deploy()
    const calls: string[] = []
    const client = behind(deployment.client, (call, pass) => {
      calls.push(call.path)
      return pass()
    })
    const engine = deployment.server({ client })
    const index = `${deployment.prefix}things`
    await engine.createIndex(index, { properties: { n: { type: 'long' } } })
    await engine.write(index, [{ kind: 'index', id: 'a', source: { n: 1 } }])
    calls.length = 0
    const feed = feedOf(engine, () => 'nothing')
    await engine.write(index, [{ kind: 'index', id: 'a', source: { n: 2 } }])
    feedOf(engine, () => 'both')
    await engine.write(index, [{ kind: 'index', id: 'a', source: { n: 3 } }], { silent: true })
    expect(calls.filter((path) => path !== `/${index}/_bulk` && path !== `/${index}`)).toEqual([])
    expect(await feed.read(0, 10)).toEqual([])
    feedOf(engine, (kind) => (kind === 'DELETE' ? 'after' : 'nothing'))
    await engine.write(index, [{ kind: 'index', id: 'a', source: { n: 4 } }])
    await engine.write(index, [{ kind: 'delete', id: 'a' }])
    expect((await feed.read(0, 10)).map(brief)).toEqual([['DELETE', 'a', '{"n":4}', undefined]])
  })

  test('are read in order and in parts by every server, and forgotten for good', async () => {
    const deployment = deploy()
    const [engine, other] = [deployment.server(), deployment.server()]
    const index = `${deployment.prefix}things`
    await engine.createIndex(index, { properties: { n: { type: 'long' } } })
    const feed = feedOf(engine, () => 'after')
    const others = feedOf(other, () => 'after')
    let told = 0
    const stop = feed.onChanges(() => void told++)
    for (let i = 0; i < 5; i++) {
      await (i % 2 === 0 ? engine : other).write(index, [{ kind: 'index', id: `d${i}`, source: { n: i } }])
    }
    expect(told).toBeGreaterThanOrEqual(3)
    stop()
    const first = await others.read(0, 2)
    const rest = await feed.read(first.at(-1)?.position ?? 0, 10)
    expect([...first, ...rest].map(({ id }) => id)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4'])
    const last = rest.at(-1)?.position ?? 0
    await feed.forget(first.at(-1)?.position ?? 0)
    expect((await others.read(0, 10)).map(({ id }) => id)).toEqual(['d2', 'd3', 'd4'])
    await feed.forget(last)
    expect(await feed.read(0, 10)).toEqual([])
    const later = deployment.server()
    feedOf(later, () => 'after')
    await later.write(index, [{ kind: 'index', id: 'late', source: { n: 9 } }])
    const [late] = await others.read(last, 10)
    expect(late).toMatchObject({ id: 'late', kind: 'CREATE' })
    expect(late?.position).toBeGreaterThan(last)
  })

  test('of a load that fails are settled by the documents themselves, after a minute', async () => {
    const deployment = deploy()
    const index = `${deployment.prefix}things`
    let isCut = false
    const client = behind(deployment.client, async (call, pass) => {
      if (isCut && call.path.endsWith(`${index}/_bulk`)) {
        // half of the request has arrived
        const [line = '', source = ''] = String(call.body).split('\n')
        await deployment.client.send({ ...call, body: `${line}\n${source}\n` })
        throw new ClusterFailure('unreachable', 'cut')
      }
      return pass()
    })
    const engine = deployment.server({ client })
    await engine.createIndex(index, { properties: { n: { type: 'long' } } })
    await engine.write(index, [{ kind: 'index', id: 'b', source: { n: 0 } }])
    const feed = feedOf(engine, () => 'both')
    isCut = true
    const operations = ['a', 'b'].map((id) => ({ kind: 'index', id, source: { n: 1 } }) as const)
    await expect(engine.write(index, operations)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    isCut = false
    await engine.write(index, [{ kind: 'index', id: 'c', source: { n: 2 } }])
    expect(await feed.read(0, 10)).toEqual([])
    const path = `/${deployment.prefix}changes/_update/${'0'.repeat(20)}`
    const doc = { acceptedMs: Date.now() - 61_000 }
    await deployment.client.send({ method: 'POST', path, body: { doc } })
    expect((await feed.read(0, 10)).map(brief)).toEqual([
      ['CREATE', 'a', undefined, '{"n":1}'],
      ['CREATE', 'c', undefined, '{"n":2}'],
    ])
  })

  test('of many documents keep their order', async () => {
    const deployment = deploy()
    const engine = deployment.server()
    const index = `${deployment.prefix}things`
    await engine.createIndex(index, { properties: { n: { type: 'long' } } })
    const feed = feedOf(engine, () => 'after')
    const operations = Array.from({ length: 2_500 }, (_, n) => ({ kind: 'index', source: { n } }) as const)
    const results = await engine.write(index, operations)
    const found: DocumentChange[] = []
    for (;;) {
      const some = await feed.read(found.at(-1)?.position ?? 0, 700)
      if (some.length === 0) break
      found.push(...some)
    }
    expect(found.map(({ id }) => id)).toEqual(results.map((result) => result.id))
    expect(found.every(({ kind }) => kind === 'CREATE')).toBe(true)
  })
})

describe('changes by tags', () => {
  test('are those of documents whose content changed', async () => {
    const deployment = deploy()
    const engine = deployment.server()
    const index = await deployment.makeIndex({ tags: { type: 'keyword' } }, [
      { id: 'a', big: 9007199254740993n },
      { id: 'b', tags: ['v'] },
    ])
    const feed = feedOf(engine, (kind) => (kind === 'UPDATE' ? 'both' : 'nothing'))
    const task = taskOn([index], { offset: 1_000_012, run: 3, collection: 'changes' })
    await execute(await leads(engine), task)
    const found = await feed.read(0, 10)
    const before = '{"id":"a","big":9007199254740993}'
    expect(found.map(brief)).toEqual([['UPDATE', 'a', before, before.replace('}', ',"tags":["v"]}')]])
    expect(found[0]?.cause).toBe('tag:1000012:3')
  })

  test('that others prevented are told once, as they were made in the end', async () => {
    const deployment = deploy()
    let writes = 0
    const index = await deployment.makeIndex({ tags: { type: 'keyword' } }, [{ id: 'a' }, { id: 'b' }])
    const client = behind(deployment.client, async (call, pass) => {
      if (call.path === '/_bulk' && ++writes === 1) {
        await deployment.client.send({ method: 'PUT', path: `/${index}/_doc/a`, body: { id: 'a', n: 5 } })
      }
      return pass()
    })
    const engine = deployment.server({ client })
    const feed = feedOf(engine, () => 'after')
    await execute(await leads(engine), taskOn([index]))
    expect((await feed.read(0, 10)).map(brief)).toEqual([
      ['UPDATE', 'b', undefined, '{"id":"b","tags":["v"]}'],
      ['UPDATE', 'a', undefined, '{"id":"a","n":5,"tags":["v"]}'],
    ])
  })

  test('of a server that ended are told once the cursor has passed', async () => {
    const deployment = deploy()
    const index = await deployment.makeIndex({ tags: { type: 'keyword' } }, [{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    let isCut = true
    const client = behind(deployment.client, async (call, pass) => {
      if (call.path !== '/_bulk' || !isCut) return pass()
      const [line = '', part = ''] = String(call.body).split('\n')
      await deployment.client.send({ ...call, body: `${line}\n${part}\n` })
      throw new ClusterFailure('unreachable', 'cut')
    })
    const engine = deployment.server({ client })
    const feed = feedOf(engine, () => 'after')
    const tags = await leads(engine)
    const task = taskOn([index])
    await tags.plan(task, signal)
    await expect(tags.apply(task, signal)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE' })
    expect(await feed.read(0, 10)).toEqual([])
    isCut = false
    expect(await tags.apply(task, signal)).toMatchObject({ updated: 3, finished: true })
    const found = await feed.read(0, 10)
    // an event is identified by document and cause, so duplicates count once
    expect([...new Set(found.map(({ cause, id }) => `${cause} ${id}`))].sort()).toEqual(
      ['a', 'b', 'c'].map((id) => `tag:${task.record.offset}:0 ${id}`),
    )
  })
})

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { cachedEngine } from '../../cached-engine.ts'
import type { ChangeFeed, ChangeKind, DocumentChange } from '../../change-feed.ts'
import { TaggedEngine } from '../tagged-engine.fixture.ts'

let tagged: TaggedEngine

beforeEach(async () => {
  tagged = await TaggedEngine.open()
  await tagged.engine.createIndex('things', { properties: { n: { type: 'long' } } })
})

afterEach(() => tagged.close())

function feed(): ChangeFeed {
  const { changes } = tagged.engine
  if (!changes) throw new Error('the engine has no changes')
  return changes
}

const watch = (wants: (kind: ChangeKind, index: string) => 'nothing' | 'after' | 'both', mark = 7): void =>
  feed().watch({ wants: (index, kind) => wants(kind, index), mark: () => mark })

const brief = ({ kind, index, id, before, after }: DocumentChange): readonly unknown[] => [
  kind,
  index,
  id,
  before,
  after,
]

const read = async (): Promise<readonly (readonly unknown[])[]> => (await feed().read(0, 100)).map(brief)

describe('changes of documents', () => {
  it('are not kept when nobody wants them', async () => {
    await tagged.put('things', { a: { n: 1 } })
    watch(() => 'nothing')
    await tagged.put('things', { a: { n: 2 } })
    watch((kind) => (kind === 'DELETE' ? 'after' : 'nothing'))
    await tagged.put('things', { a: { n: 3 }, b: { n: 1 } })
    expect(await read()).toEqual([])
  })

  it('by loads: created, updated, deleted, each document once', async () => {
    await tagged.put('things', { a: { n: 1 }, b: { n: 2 }, c: { n: 3 } })
    watch(() => 'both')
    const before = Date.now()
    await tagged.engine.write(
      'things',
      [
        { kind: 'index', id: 'a', source: { n: 10 } },
        { kind: 'index', id: 'a', source: { n: 11 } },
        { kind: 'delete', id: 'b' },
        { kind: 'index', id: 'd', source: { n: 4 }, text: '{"n": 4}' },
        { kind: 'index', id: 'e', source: { n: 5 } },
        { kind: 'delete', id: 'e' },
        { kind: 'update', id: 'c', doc: { n: 3 } },
        { kind: 'index', id: 'bad', source: { n: 'x' } },
      ],
      { load: 'mine' },
    )
    const found = await feed().read(0, 100)
    expect(found.map(brief).sort()).toEqual([
      ['CREATE', 'things', 'd', undefined, '{"n": 4}'],
      ['DELETE', 'things', 'b', '{"n":2}', undefined],
      ['UPDATE', 'things', 'a', '{"n":1}', '{"n":11}'],
    ])
    for (const change of found) {
      expect(change.cause).toBe('load:mine')
      expect(change.mark).toBe(7)
      expect(change.acceptedMs).toBeGreaterThanOrEqual(before)
    }
  })

  it('have the former state only when it is asked for, and always of a deletion', async () => {
    await tagged.put('things', { a: { n: 1 }, b: { n: 2 } })
    watch(() => 'after')
    await tagged.engine.write('things', [
      { kind: 'index', id: 'a', source: { n: 5 } },
      { kind: 'delete', id: 'b' },
    ])
    expect([...(await read())].sort()).toEqual([
      ['DELETE', 'things', 'b', '{"n":2}', undefined],
      ['UPDATE', 'things', 'a', undefined, '{"n":5}'],
    ])
  })

  it('are not raised by silent writes', async () => {
    watch(() => 'both')
    await tagged.engine.write('things', [{ kind: 'index', id: 'a', source: { n: 1 } }], { silent: true })
    expect(await read()).toEqual([])
  })

  it('by tags, of documents whose content changed', async () => {
    await tagged.put('things', { a: { n: 1 }, b: { n: 2, tags: ['v'] } })
    watch((kind) => (kind === 'UPDATE' ? 'both' : 'nothing'))
    await tagged.tag('ADD', 'v', { offset: 12, run: 3 })
    const found = await feed().read(0, 100)
    expect(found.map(brief)).toEqual([['UPDATE', 'things', 'a', '{"n":1}', '{"n":1,"tags":["v"]}']])
    expect(found[0]?.cause).toBe('tag:12:3')
  })

  it('are read in order and in parts, and forgotten for good', async () => {
    watch(() => 'after')
    let told = 0
    const stop = feed().onChanges(() => void told++)
    for (let i = 0; i < 5; i++) await tagged.put('things', { [`d${i}`]: { n: i } })
    // Without a read: the changes reach the log in the background.
    await vi.waitUntil(() => told > 0)
    const first = await feed().read(0, 2)
    stop()
    const rest = await feed().read(first.at(-1)?.position ?? 0, 10)
    expect([...first, ...rest].map(({ id }) => id)).toEqual(['d0', 'd1', 'd2', 'd3', 'd4'])
    const last = rest.at(-1)?.position ?? 0
    await feed().forget(first.at(-1)?.position ?? 0)
    expect((await feed().read(0, 10)).map(({ id }) => id)).toEqual(['d2', 'd3', 'd4'])
    await feed().forget(last)
    expect(await feed().read(0, 10)).toEqual([])
    await tagged.restart()
    watch(() => 'after')
    await tagged.put('things', { late: { n: 9 } })
    const [late] = await feed().read(last, 10)
    expect(late?.id).toBe('late')
    expect(late?.position).toBeGreaterThan(last)
  })

  it('pass through the cache in front of the engine, and so do tags', () => {
    const cached = cachedEngine(tagged.engine, { maxBytes: 1_000 })
    expect(cached.changes).toBe(tagged.engine.changes)
    expect(cached.tags).toBe(tagged.engine.tags)
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping } from '../../model/mapping.ts'
import type { SearchPlan } from '../../query/plan/plan.ts'
import { and, everything, type Predicate } from '../../query/plan/predicate.ts'
import type { Field } from '../../query/schema/field.ts'
import { schemaOf } from '../../query/schema/schema.ts'
import type { Engine, WriteOperation } from '../engine.ts'
import { openDuckdbEngine } from './open-engine.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    tags: { type: 'keyword' },
    n: { type: 'integer' },
    where: { type: 'geo_point' },
    seen: { type: 'date' },
    note: { type: 'text' },
  },
}

let directory: string
let engine: Engine

const open = (): Promise<Engine> => openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-engine-'))
  engine = await open()
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

async function fieldOf(path: string): Promise<Field> {
  const field = schemaOf(await engine.indices('things')).lookup(path)
  if (!field) throw new Error(`no field ${path}`)
  return field
}

async function plan(predicate: Predicate, more: Partial<SearchPlan> = {}): Promise<SearchPlan> {
  const sort = [{ kind: 'field', field: await fieldOf('id'), descending: false }] as const
  return { indices: ['things'], predicate, sort, size: 10, from: 0, wantsTotal: true, ...more }
}

const index = (id: string, source: JsonObject): WriteOperation => ({ kind: 'index', id, source })

async function ids(predicate: Predicate): Promise<unknown[]> {
  return (await engine.search(await plan(predicate))).hits.map((h) => h.source.id)
}

describe('writing', () => {
  beforeEach(() => engine.createIndex('things', mapping))

  it('answers each operation and applies them in order', async () => {
    const results = await engine.write('things', [
      index('a', { id: 'a', n: 1 }),
      { kind: 'create', id: 'a', source: { id: 'a', n: 2 } },
      { kind: 'update', id: 'a', doc: { tags: ['x', 'y'] } },
      index('b', { id: 'b', n: 'many' }),
      { kind: 'delete', id: 'c' },
      index('d', { id: 'd' }),
      { kind: 'delete', id: 'd' },
      { kind: 'index', source: { id: 'e' } },
    ])
    expect(results.map((r) => (r.ok ? r.result : r.status))).toEqual([
      'created',
      409,
      'updated',
      400,
      404,
      'created',
      'deleted',
      'created',
    ])
    expect(results[3]).toMatchObject({ type: 'document_parsing_exception', reason: expect.stringContaining('[n]') })
    const { hits, total } = await engine.search(await plan(everything))
    expect(total).toBe(2)
    expect(hits[0]?.source).toEqual({ id: 'a', n: 1, tags: ['x', 'y'] })
  })

  it('replaces stored documents, before and after a restart', async () => {
    await engine.write('things', [index('a', { id: 'a', n: 1 }), index('b', { id: 'b', n: 1 })])
    expect(await engine.write('things', [index('a', { id: 'a', n: 2 })])).toMatchObject([{ result: 'updated' }])
    await engine.close()
    engine = await open()
    expect(await engine.write('things', [index('a', { id: 'a', n: 3 })])).toMatchObject([{ result: 'updated' }])
    expect(await engine.write('things', [{ kind: 'update', id: 'a', doc: { n: 3 } }])).toMatchObject([
      { result: 'noop' },
    ])
    const { hits, total } = await engine.search(await plan(everything))
    expect(total).toBe(2)
    expect(hits.map((h) => h.source.n)).toEqual([3, 1])
  })

  it('keeps the old document when its replacement is refused', async () => {
    await engine.write('things', [index('a', { id: 'a', n: 1 })])
    expect(await engine.write('things', [index('a', { id: 'a', n: 'x' })])).toMatchObject([{ ok: false, status: 400 }])
    expect((await engine.search(await plan(everything))).hits[0]?.source).toEqual({ id: 'a', n: 1 })
  })

  it('compares integers exactly in 64 bits, as they were sent', async () => {
    await engine.createIndex('long', { dynamic: false, properties: { n: { type: 'long' } } })
    const text = '{"n":9007199254740993,"other":9223372036854775807}'
    await engine.write('long', [{ kind: 'index', id: 'a', source: JSON.parse(text), text }])
    await engine.write('long', [{ kind: 'update', id: 'a', doc: { more: true } }])
    const n = schemaOf(await engine.indices('long')).lookup('n')
    if (!n) throw new Error('field is missing')
    const countOf = (value: bigint): Promise<number> =>
      engine.count({ indices: ['long'], predicate: { kind: 'equals', field: n, values: [value] } })
    expect([await countOf(9007199254740992n), await countOf(9007199254740993n)]).toEqual([0, 1])
  })

  it('learns fields of an open index and widens stored rows', async () => {
    await engine.createIndex('open', { properties: {} })
    await engine.write('open', [index('1', { a: 'x' })])
    await engine.write('open', [index('2', { a: 'y', b: { c: 3 } }), index('1', { a: 'z' })])
    const [info] = await engine.indices('open')
    expect(info?.mapping.properties).toMatchObject({
      a: { type: 'keyword' },
      b: { properties: { c: { type: 'long' } } },
    })
    expect(await engine.documentCounts('open')).toEqual(new Map([['open', 2]]))
  })

  it('refuses unknown keys of a strict index', async () => {
    await engine.createIndex('strict', { dynamic: 'strict', properties: { a: { type: 'keyword' } } })
    const results = await engine.write('strict', [index('1', { a: 'x', b: 1 }), index('2', { a: 'x' })])
    expect(results.map((r) => r.ok)).toEqual([false, true])
  })

  it('reads keys with dots and copies values', async () => {
    await engine.createIndex('copied', {
      dynamic: false,
      properties: {
        id: { type: 'keyword', copy_to: ['internal.all'] },
        internal: { properties: { all: { type: 'text' } } },
        deep: { properties: { leaf: { type: 'keyword' } } },
      },
    })
    await engine.write('copied', [index('1', { id: 'One Two', 'deep.leaf': 'x' })])
    const schema = schemaOf(await engine.indices('copied'))
    const all = schema.lookup('internal.all')
    const leaf = schema.lookup('deep.leaf')
    if (!all || !leaf) throw new Error('fields are missing')
    const predicate = and([
      { kind: 'phrase', field: all, tokens: ['one', 'two'], lastIsPrefix: false, slop: 0 },
      { kind: 'equals', field: leaf, values: ['x'] },
    ])
    expect(await engine.count({ indices: ['copied'], predicate })).toBe(1)
  })

  it('knows the ids it made itself when another write named some for the first time', async () => {
    const [, made] = await Promise.all([
      engine.write('things', [index('named', { id: 'named' })]),
      engine.write('things', [{ kind: 'index', source: { id: 'unnamed' } }]),
    ])
    const id = made[0]?.id ?? ''
    expect(await engine.write('things', [{ kind: 'delete', id }])).toMatchObject([{ ok: true, result: 'deleted' }])
  })

  it('makes one batch visible whole, while readers run', async () => {
    const counts = new Set<number>()
    let writing = true
    // Needs a scan. The number of all documents is known without one.
    const predicate: Predicate = { kind: 'exists', field: await fieldOf('id') }
    const readers = [1, 2].map(async () => {
      while (writing) counts.add(await engine.count({ indices: ['things'], predicate }))
    })
    for (let batch = 0; batch < 20; batch++) {
      await engine.write(
        'things',
        Array.from({ length: 50 }, (_, i) =>
          index(`${batch}-${i}`, { id: `${batch}-${i}`, tags: batch % 5 === 4 ? ['p', 'q'] : 'p' }),
        ),
      )
      if (batch % 7 === 6) await engine.arrange('things')
    }
    writing = false
    await Promise.all(readers)
    expect([...counts].filter((n) => n % 50 !== 0)).toEqual([])
  })
})

describe('stored documents', () => {
  const points = Array.from({ length: 500 }, (_, i) => ({
    id: `p${i}`,
    lon: ((i * 37) % 360) - 180,
    lat: ((i * 17) % 170) - 85,
  }))

  beforeEach(async () => {
    await engine.createIndex('things', mapping)
    await engine.write(
      'things',
      points.map((p) => index(p.id, { id: p.id, n: Number(p.id.slice(1)), where: [p.lon, p.lat] })),
    )
    await engine.arrange('things')
  })

  it('are found by an identifying keyword, whenever they were added', async () => {
    const id = await fieldOf('id')
    expect(await ids({ kind: 'equals', field: id, values: ['p3'] })).toEqual(['p3'])
    expect(await ids({ kind: 'equals', field: id, values: ['nobody'] })).toEqual([])
    expect((await engine.document('things', 'p4'))?.source.id).toBe('p4')
    await engine.write('things', [index('new', { id: 'new' }), index('p7', { id: 'p7', n: -7 })])
    for (const value of ['p3', 'new', 'p7'])
      expect(await ids({ kind: 'equals', field: id, values: [value] })).toEqual([value])
    const { hits } = await engine.search(await plan({ kind: 'equals', field: id, values: ['p7', 'nobody', 'p8'] }))
    expect(hits.map((h) => h.source.n)).toEqual([-7, 8])
    await engine.write('things', [{ kind: 'delete', id: 'p8' }])
    expect(await ids({ kind: 'equals', field: id, values: ['p8'] })).toEqual([])
  })

  it('are counted in every box as a plain look at them does', async () => {
    const where = await fieldOf('where')
    const boxes = [
      { west: -180, south: -90, east: 180, north: 90 },
      { west: -10, south: -10, east: 10, north: 10 },
      { west: 0, south: -90, east: 0, north: 90 },
      { west: 100, south: 20, east: 179, north: 85 },
      { west: -180, south: -85, east: -179, north: 84 },
    ]
    for (const box of boxes) {
      const predicate: Predicate = {
        kind: 'geo',
        field: where,
        relation: 'within',
        area: { boxes: [box], polygons: [], lines: [], points: [] },
      }
      const expected = points.filter(
        (p) => p.lon >= box.west && p.lon <= box.east && p.lat >= box.south && p.lat <= box.north,
      )
      expect(await engine.count({ indices: ['things'], predicate })).toBe(expected.length)
    }
  })

  it('are counted by keywords with few values, whenever they were added', async () => {
    const tags = await fieldOf('tags')
    const colours = ['red', 'green', 'blue', 'Ünder']
    const painted = points.map((p, i) => index(p.id, { id: p.id, tags: colours[i % 3] ?? '' }))
    await engine.write('things', painted)
    await engine.arrange('things')
    const later = [
      index('later', { id: 'later', tags: ['red', 'Ünder'] }),
      index('last', { id: 'last', tags: 'green' }),
    ]
    const countOf = (...values: string[]): Promise<number> =>
      engine.count({ indices: ['things'], predicate: { kind: 'equals', field: tags, values } })
    expect(await Promise.all([countOf('red'), countOf('green', 'blue'), countOf('Ünder')])).toEqual([167, 333, 0])
    await engine.write('things', later)
    expect(await Promise.all([countOf('red'), countOf('green', 'blue'), countOf('Ünder')])).toEqual([168, 334, 1])
    await engine.close()
    engine = await open()
    expect(await Promise.all([countOf('red'), countOf('green', 'blue'), countOf('Ünder')])).toEqual([168, 334, 1])
    expect(
      await engine.count({
        indices: ['things'],
        predicate: { kind: 'not', member: { kind: 'equals', field: tags, values: ['red'] } },
      }),
    ).toBe(334)
  })

  it('are listed from any place on, before and after a compaction', async () => {
    const tags = { kind: 'field', field: await fieldOf('tags'), descending: true } as const
    const id = { kind: 'field', field: await fieldOf('id'), descending: false } as const
    await engine.write(
      'things',
      points.map((p, i) => index(p.id, i % 4 === 3 ? { id: p.id } : { id: p.id, tags: `t${i % 4}` })),
    )
    const walk = async (): Promise<unknown[]> => {
      const seen: unknown[] = []
      let cursor: SearchPlan['cursor']
      for (;;) {
        const { hits } = await engine.search(
          await plan(everything, { sort: [tags, id], size: 99, ...(cursor ? { cursor } : {}) }),
        )
        const last = hits.at(-1)
        if (!last) return seen
        seen.push(...hits.map((h) => h.source.id))
        const tag = last.source.tags
        cursor = { direction: 'after', values: [typeof tag === 'string' ? tag : null, String(last.source.id)] }
      }
    }
    const before = await walk()
    await engine.arrange('things')
    expect(await walk()).toEqual(before)
    expect(new Set(before).size).toBe(500)
  })

  it('get new fields after all others were deleted', async () => {
    await engine.extendMapping('things', { properties: { first: { type: 'keyword' } } })
    await engine.write(
      'things',
      points.map((p) => ({ kind: 'delete', id: p.id })),
    )
    await engine.write('things', [index('a', { n: 1 }), index('b', { n: 2 })])
    await engine.arrange('things')
    await engine.extendMapping('things', { properties: { second: { type: 'long' } } })
    await engine.write('things', [index('c', { id: 'c', first: 'one', second: 2 })])
    await engine.arrange('things')
    const [first, second] = [await fieldOf('first'), await fieldOf('second')]
    expect(await ids({ kind: 'equals', field: first, values: ['one'] })).toEqual(['c'])
    expect(await ids({ kind: 'equals', field: second, values: [2n] })).toEqual(['c'])
  })

  it('are not lost when the engine closes during a compaction', async () => {
    const many = Array.from({ length: 30_000 }, (_, i) => index(`m${i}`, { id: `m${i}`, note: `words ${i}` }))
    await engine.write('things', many)
    const compacting = engine.arrange('things').catch((error: unknown) => error)
    await engine.close()
    await compacting
    engine = await open()
    expect(await engine.count({ indices: ['things'], predicate: everything })).toBe(30_500)
  })

  it('stay the same over a restart', async () => {
    await engine.close()
    engine = await open()
    const { total, hits } = await engine.search(await plan(everything, { size: 3 }))
    expect([total, hits.map((h) => h.source.id)]).toEqual([500, ['p0', 'p1', 'p10']])
  })
})

describe('indices', () => {
  it('are listed by name and by pattern, made once and dropped once', async () => {
    for (const name of ['b1', 'a2', 'b0', 'B9']) await engine.createIndex(name, mapping)
    expect((await engine.indices('b*')).map((i) => i.name)).toEqual(['b0', 'b1'])
    expect((await engine.indices('*')).map((i) => i.name)).toEqual(['B9', 'a2', 'b0', 'b1'])
    expect(await engine.indices('nope')).toEqual([])
    await expect(engine.createIndex('b1', mapping)).rejects.toMatchObject({ code: 'CONFLICT' })
    await engine.dropIndex('b1')
    await expect(engine.dropIndex('b1')).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
    await expect(engine.write('b1', [])).rejects.toMatchObject({ code: 'INDEX_NOT_FOUND' })
  })

  it('take new fields and refuse a change of type', async () => {
    await engine.createIndex('things', mapping)
    await engine.write('things', [index('1', { id: '1' })])
    await engine.extendMapping('things', { properties: { extra: { type: 'double' } } })
    await engine.write('things', [index('2', { id: '2', extra: 1.5 })])
    expect(await ids({ kind: 'exists', field: await fieldOf('extra') })).toEqual(['2'])
    await expect(engine.extendMapping('things', { properties: { n: { type: 'keyword' } } })).rejects.toMatchObject({
      code: 'INVALID_INDEX',
    })
  })

  it('change their version with every write', async () => {
    await engine.createIndex('things', mapping)
    const version = async (): Promise<string | undefined> => (await engine.indices('things'))[0]?.version
    const first = await version()
    await engine.write('things', [index('1', { id: '1' })])
    expect(await version()).not.toBe(first)
  })
})

describe('stopping', () => {
  it('interrupts a running query when the signal aborts', async () => {
    await engine.createIndex('things', mapping)
    const operations = Array.from({ length: 20_000 }, (_, i) =>
      index(`${i}`, { id: `${i}`, note: `some words number ${i}` }),
    )
    await engine.write('things', operations)
    const note = await fieldOf('note')
    const slow: Predicate = { kind: 'fuzzy', field: note, word: 'nothinglikethis', edits: 2 }
    const controller = new AbortController()
    const running = engine.count({ indices: ['things'], predicate: slow }, controller.signal)
    controller.abort(new Error('the client left'))
    await expect(running).rejects.toThrow('the client left')
    expect(await engine.count({ indices: ['things'], predicate: everything })).toBe(20_000)
  })
})

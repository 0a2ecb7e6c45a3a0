import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Mapping } from '../../model/mapping.ts'
import { everything } from '../../query/plan/predicate.ts'
import { schemaOf } from '../../query/schema/schema.ts'
import type { Engine, StoredDocument, WriteOperation } from '../engine.ts'
import { Database } from './database/database.ts'
import { openDuckdbEngine } from './open-engine.ts'

const mapping: Mapping = {
  dynamic: false,
  properties: { id: { type: 'keyword' }, round: { type: 'integer' }, where: { type: 'geo_point' } },
}

let directory: string
let engine: Engine

const options = () => ({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })
const open = (): Promise<Engine> => openDuckdbEngine(options())

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-storage-'))
  engine = await open()
  await engine.createIndex('things', mapping)
})

afterEach(async () => {
  await engine.close()
  rmSync(directory, { recursive: true })
})

const files = (): readonly string[] => readdirSync(join(directory, 'sources'))
const only = (): string => join(directory, 'sources', files()[0] ?? '')

const DOCUMENTS = 1_200
const FILLING = 'é'.repeat(2_000)

const documentOf = (n: number, round: number) => ({
  id: `d${n}`,
  round,
  where: [((n * 37) % 360) - 180, ((n * 17) % 170) - 85],
  filling: `${n}.${round}${FILLING}`,
})

/** Rewrites all documents: about 5 MiB. */
const writeRound = (round: number) =>
  engine.write(
    'things',
    Array.from(
      { length: DOCUMENTS },
      (_, n): WriteOperation => ({ kind: 'index', id: `d${n}`, source: documentOf(n, round) }),
    ),
  )

async function scanAll(): Promise<StoredDocument[]> {
  const found: StoredDocument[] = []
  for await (const batch of engine.scan({ indices: ['things'], predicate: everything })) found.push(...batch)
  return found
}

/** Checks that every document is found unchanged by all kinds of queries. */
async function expectRound(round: number, documents = DOCUMENTS): Promise<void> {
  const expected = Array.from({ length: documents }, (_, n) => documentOf(n, round))
  const scanned = (await scanAll()).sort((a, b) => Number(a.id.slice(1)) - Number(b.id.slice(1)))
  expect(scanned.map((d) => d.source)).toEqual(expected)
  const id = schemaOf(await engine.indices('things')).lookup('id')
  if (!id) throw new Error('no field id')
  const sort = [{ kind: 'field', field: id, descending: false }] as const
  const page = { indices: ['things'], predicate: everything, sort, size: 5_000, from: 0, wantsTotal: true }
  const { hits, total } = await engine.search(page)
  expect(total).toBe(documents)
  expect(hits.map((h) => h.source)).toEqual(expected.toSorted((a, b) => (a.id < b.id ? -1 : 1)))
  expect((await engine.document('things', 'd77'))?.source).toEqual(documentOf(77, round))
}

describe('the source file of an index', () => {
  it('goes with the index, and a new index of the name has its own', async () => {
    const [first] = files()
    await writeRound(0)
    await engine.dropIndex('things')
    expect(files()).toEqual([])
    await engine.createIndex('things', mapping)
    expect(files()).toHaveLength(1)
    expect(files()).not.toEqual([first])
    await expect(engine.createIndex('things', mapping)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(files()).toHaveLength(1)
  })

  it('is read to the end by those who read an index that is dropped', async () => {
    await writeRound(0)
    await engine.write(
      'things',
      Array.from({ length: 3_000 }, (_, n) => ({ kind: 'index', source: { id: `m${n}` } })),
    )
    const scan = engine.scan({ indices: ['things'], predicate: everything })[Symbol.asyncIterator]()
    let seen = (await scan.next()).value?.length ?? 0
    await engine.dropIndex('things')
    for (let next = await scan.next(); !next.done; next = await scan.next()) seen += next.value.length
    expect(seen).toBe(DOCUMENTS + 3_000)
  })

  it('is not read beyond its end, where a crash left bytes; other files are removed', async () => {
    await writeRound(0)
    await engine.close()
    appendFileSync(only(), '{"id":"never acknowledged","round":')
    writeFileSync(join(directory, 'sources', 'stray.7'), 'left by a crash')
    engine = await open()
    expect(files()).toHaveLength(1)
    await expectRound(0)
    await engine.write('things', [{ kind: 'update', id: 'd0', doc: { round: 9 } }])
    await engine.close()
    engine = await open()
    expect((await engine.document('things', 'd0'))?.source).toEqual({ ...documentOf(0, 0), round: 9 })
    await engine.write('things', [{ kind: 'update', id: 'd0', doc: { round: 0 } }])
    await expectRound(0)
  })

  it('is missed when it is not there or too short', async () => {
    await writeRound(0)
    await engine.close()
    const path = only()
    truncateSync(path, statSync(path).size - 1)
    await expect(open()).rejects.toThrow('is too short')
    rmSync(path)
    await expect(open()).rejects.toThrow('is missing')
    rmSync(directory, { recursive: true })
    engine = await open()
  })

  it('of a database stored another way is not looked for', async () => {
    await engine.close()
    const database = await Database.open(options())
    await database.write((c) =>
      c.run(`UPDATE periplus_catalog SET definition = replace(definition, '"storage":4', '"storage":1')`),
    )
    await database.close({ checkpoint: true })
    await expect(open()).rejects.toThrow('load the data again')
    rmSync(directory, { recursive: true })
    engine = await open()
  })
})

describe('compaction', () => {
  it('leaves the file alone while most of it is used', async () => {
    await writeRound(0)
    const before = files()
    await engine.arrange('things')
    expect(files()).toEqual(before)
    await expectRound(0)
  })

  it('rewrites a file most of which is not used any more', async () => {
    for (const round of [0, 1, 2, 3]) await writeRound(round)
    const before = { files: files(), size: statSync(only()).size }
    await engine.arrange('things')
    expect(files()).toHaveLength(1)
    expect(files()).not.toEqual(before.files)
    expect(statSync(only()).size).toBeLessThan(before.size / 3)
    await expectRound(3)
    await writeRound(4)
    await expectRound(4)
    await engine.close()
    engine = await open()
    await expectRound(4)
    for (const round of [5, 6]) await writeRound(round)
    await engine.arrange('things')
    await expectRound(6)
  })

  it('comes by itself when most of the file is of no use, although a part of that was so at the last compaction', async () => {
    for (const round of [0, 1]) await writeRound(round)
    await engine.arrange('things')
    const before = files()
    await writeRound(2)
    await expect.poll(() => files().some((name) => !before.includes(name))).toBe(true)
    await expect.poll(files).toHaveLength(1)
    await expectRound(2)
  })

  it('frees the room of deleted documents', async () => {
    for (const round of [0, 1]) await writeRound(round)
    await engine.arrange('things')
    await engine.write(
      'things',
      Array.from({ length: 1_000 }, (_, n) => ({ kind: 'delete', id: `d${n + 200}` })),
    )
    const before = statSync(only()).size
    await engine.arrange('things')
    expect(statSync(only()).size).toBeLessThan(before / 2)
    await expectRound(1, 200)
  })

  it('does not disturb those who read meanwhile', async () => {
    for (const round of [0, 1, 2]) await writeRound(round)
    const extra = Array.from(
      { length: 3_000 },
      (_, n): WriteOperation => ({ kind: 'index', id: `m${n}`, source: { round: 2 } }),
    )
    await engine.write('things', extra)
    const scan = engine.scan({ indices: ['things'], predicate: everything })[Symbol.asyncIterator]()
    const rounds = ((await scan.next()).value ?? []).map((d: StoredDocument) => d.source.round)
    let compacting = true
    const readers = [1, 2].map(async () => {
      while (compacting) {
        const [a, b] = await Promise.all([engine.document('things', 'd5'), engine.document('things', 'd1100')])
        expect([a?.source.filling, b?.source.filling]).toEqual([`5.2${FILLING}`, `1100.2${FILLING}`])
      }
    })
    const before = files()
    await engine.arrange('things')
    compacting = false
    await Promise.all(readers)
    expect(files()).not.toEqual(before)
    await writeRound(3)
    for (let next = await scan.next(); !next.done; next = await scan.next())
      rounds.push(...next.value.map((d) => d.source.round))
    expect(rounds).toHaveLength(DOCUMENTS + 3_000)
    expect(new Set(rounds)).toEqual(new Set([2]))
  })

  it('leaves no second file when it is given up', async () => {
    for (const round of [0, 1, 2]) await writeRound(round)
    const compacting = engine.arrange('things').catch((error: unknown) => error)
    await engine.close()
    await compacting
    expect(files()).toHaveLength(1)
    engine = await open()
    await expectRound(2)
  })
})

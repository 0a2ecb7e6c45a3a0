import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { everything, type Predicate } from '../../../query/plan/predicate.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import type { Engine } from '../../engine.ts'
import { Database } from '../database/database.ts'
import { openDuckdbEngine } from '../open-engine.ts'

/**
 * A data directory of storage 3. The index `things` has what a rewrite of its table stored beside the rows, and rows
 * that were added, replaced and deleted afterwards; `plain` was never rewritten.
 */
const fixture = join(import.meta.dirname, 'storage-3.fixture')

let directory: string
const options = () => ({ directory, memoryMiB: 256, threads: 2, concurrency: 2 })

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-storage-3-'))
  cpSync(fixture, directory, { recursive: true })
  writeFileSync(join(directory, 'periplus.duckdb'), gunzipSync(readFileSync(join(fixture, 'periplus.duckdb.gz'))))
})
afterEach(() => rmSync(directory, { recursive: true }))

const sourceOf = (i: number) => ({
  id: `thing-${i}`,
  kind: ['red', 'green', 'blue'][i % 3],
  tags: i % 5 === 0 ? ['a', `t${i % 4}`] : `t${i % 4}`,
  text: `word${i % 7} common`,
  at: 1_700_000_000_000 + i * 3_600_000,
  n: i === 8 ? 1008 : i,
  place: { lon: ((i * 37) % 360) - 180, lat: ((i * 17) % 170) - 85 },
  ...(i === 450 ? { late: 'yes' } : {}),
})
const documents = new Map(
  Array.from({ length: 451 }, (_, i) => [`d${i}`, sourceOf(i)] as const).filter(([id]) => id !== 'd7'),
)

async function sourcesOf(engine: Engine, index: string): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>()
  for await (const batch of engine.scan({ indices: [index], predicate: everything })) {
    for (const { id, source } of batch) found.set(id, source)
  }
  return found
}

/** Counts documents by a keyword and by a time span. */
async function countsOf(engine: Engine): Promise<readonly number[]> {
  const schema = schemaOf(await engine.indices('things'))
  const count = async (path: string, test: (field: never) => Predicate): Promise<number> =>
    engine.count({ indices: ['things'], predicate: test(schema.lookup(path) as never) })
  const upper = { value: 1_700_000_000_000 + 99 * 3_600_000, inclusive: true }
  return [
    await count('kind', (field) => ({ kind: 'equals', field, values: ['red'] })),
    await count('id', (field) => ({ kind: 'equals', field, values: ['thing-399', 'thing-449'] })),
    await count('tags', (field) => ({ kind: 'equals', field, values: ['a'] })),
    await count('at', (field) => ({ kind: 'range', field, upper })),
    await count('late', (field) => ({ kind: 'exists', field })),
  ]
}

it('is converted with all documents, once, and can be written to', async () => {
  const converted: string[] = []
  const onConverted = (index: string): void => void converted.push(index)
  let engine = await openDuckdbEngine({ ...options(), onConverted })
  expect(converted).toEqual(['plain', 'things'])
  expect(await sourcesOf(engine, 'things')).toEqual(documents)
  expect(await sourcesOf(engine, 'plain')).toEqual(new Map([['p1', { name: 'one' }]]))
  expect(await countsOf(engine)).toEqual([151, 2, 91, 99, 1])
  await engine.write('things', [
    { kind: 'delete', id: 'd3' },
    { kind: 'update', id: 'd9', doc: { n: -9 } },
    { kind: 'index', id: 'new', source: { id: 'new', kind: 'red', extra: 5 } },
  ])
  await engine.close()
  engine = await openDuckdbEngine({ ...options(), onConverted })
  expect(converted).toHaveLength(2)
  const expected = new Map<string, unknown>(documents)
  expected.delete('d3')
  expected.set('d9', { ...sourceOf(9), n: -9 }).set('new', { id: 'new', kind: 'red', extra: 5 })
  expect(await sourcesOf(engine, 'things')).toEqual(expected)
  expect(await countsOf(engine)).toEqual([151, 2, 91, 98, 1])
  await engine.close()
})

it('leaves no table, column or file that is no longer used', async () => {
  const engine = await openDuckdbEngine(options())
  await engine.close()
  expect(readdirSync(join(directory, 'sources')).every((name) => /\.\d+$/.test(name))).toBe(true)
  const database = await Database.open(options())
  const [tables, columns, [entry]] = await database.readAside(async (connection) => {
    const rows = async (sql: string) => (await (await connection.run(sql)).getRows()).map(([value]) => String(value))
    return [
      await rows("SELECT table_name FROM duckdb_tables() WHERE table_name LIKE 'index_%'"),
      await rows("SELECT column_name FROM duckdb_columns() WHERE table_name LIKE 'index_%_g3' ORDER BY column_index"),
      await rows("SELECT definition FROM periplus_catalog WHERE name = 'things'"),
    ] as const
  })
  await database.close({ checkpoint: false })
  expect(tables).toHaveLength(2)
  const { layout, sourceStale, sourceEnd, ...others } = JSON.parse(entry ?? '')
  expect(columns).toEqual(layout.columns.map(({ name }: { name: string }) => name))
  expect(columns.filter((name) => /_(rank|day)$/.test(name))).toEqual([])
  expect(JSON.stringify(layout.fields)).not.toMatch(/ranked|complete|hasDay/)
  expect(Object.keys(others).sort()).toEqual([
    'documents',
    'mapping',
    'name',
    'nextSeq',
    'segments',
    'sourceFile',
    'storage',
    'table',
    'uuid',
    'version',
  ])
  const used = [...documents.values()].reduce((sum, source) => sum + Buffer.byteLength(JSON.stringify(source)), 0)
  expect(sourceEnd - sourceStale).toBe(used)
})

import { type DuckDBConnection, DuckDBInstance, type DuckDBValue } from '@duckdb/node-api'
import { beforeAll, describe, expect, it } from 'vitest'
import { seededRandom } from '../../../../bench/data/random.ts'
import { seed } from '../../../../test/support/seed.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { BodyDocument, BodyDocumentWrite } from '../../body-document.ts'
import { layoutOf, type TableLayout, withSeveral } from '../index/table-layout.ts'
import { UnreadableValue } from './document-columns.ts'
import { RowBatch } from './row-batch.ts'
import { canReadRows, readRows } from './row-reading.ts'
import { StringHeap } from './string-heap.ts'

let connection: DuckDBConnection
beforeAll(async () => {
  connection = await (await DuckDBInstance.create(':memory:')).connect()
})

const mapping: Mapping = {
  dynamic: false,
  properties: {
    k: { type: 'keyword' },
    t: { type: 'text' },
    d: { type: 'double' },
    f: { type: 'float' },
    l: { type: 'long' },
    i: { type: 'integer' },
    s: { type: 'short' },
    b: { type: 'byte' },
    z: { type: 'boolean' },
    a: { type: 'ip' },
    w: { type: 'date' },
    e: { type: 'date', format: 'epoch_second' },
    y: { type: 'date', format: 'yyyyMMdd' },
    p: { type: 'geo_point' },
    g: { type: 'geo_shape' },
    o: { type: 'object', properties: { k: { type: 'keyword' }, d: { type: 'double' } } },
    closed: { type: 'object', enabled: false },
    é: { type: 'keyword' },
  },
}

interface Outcome {
  readonly faults: readonly (string | undefined)[]
  readonly unmapped: number
  readonly rows: readonly (readonly DuckDBValue[])[]
  readonly sources: string
}

let tables = 0

/** Offset of the first source. */
const FIRST_AT = 2 ** 33 + 1

type Way = 'in place' | 'on another thread' | 'parsed'

/** Returns a batch of rows as received from the worker thread. */
function readBefore(used: Mapping, layout: TableLayout, body: Buffer, documents: readonly BodyDocument[]): RowBatch {
  const shape = structuredClone({ mapping: used, layout })
  if (!canReadRows(shape)) return new RowBatch(used, layout, documents.length, body)
  const starts = Uint32Array.from(documents, ({ start }) => start)
  const { memory, end } = StringHeap.of(body)
  const read = structuredClone(readRows(shape, { bytes: memory, end, starts }))
  return new RowBatch(used, layout, documents.length, body, read)
}

/** Returns the table content after reading the documents in place, on the worker thread, or parsed. */
async function store(texts: readonly string[], way: Way, used: Mapping): Promise<Outcome> {
  const body = Buffer.from(texts.join('\n'))
  const layout = layoutOf(used)
  let start = 0
  const documents = texts.map((text) => {
    const document = new BodyDocument(body, start, start + Buffer.byteLength(text))
    start = document.end + 1
    return document
  })
  const batch =
    way === 'on another thread'
      ? readBefore(used, layout, body, documents)
      : new RowBatch(used, layout, texts.length, way === 'in place' ? body : undefined)
  const faults = documents.map((inBody, n) => {
    const document = new BodyDocumentWrite('index', `${n}`, inBody)
    try {
      const row = batch.add(`${n}`, document)
      if (n % 7 === 3) batch.remove(row)
      return undefined
    } catch (error) {
      if (error instanceof UnreadableValue) return error.message
      throw error
    }
  })
  const wider = withSeveral(layout, batch.several)
  const table = `t${tables++}`
  await connection.run(`CREATE TABLE ${table} (${wider.columns.map((c) => `${c.name} ${c.sqlType}`).join(', ')})`)
  const { sources, appendTo } = batch.settle(wider, (row) => 10 + row, FIRST_AT)
  await appendTo(connection, table)
  const rows = await (await connection.run(`SELECT * FROM ${table} ORDER BY _seq`)).getRows()
  return { faults, unmapped: batch.unmapped.length, rows, sources: sources.toString() }
}

async function expectSame(texts: readonly string[], used = mapping, note = ''): Promise<Outcome> {
  const parsed = await store(texts, 'parsed', used)
  expect(await store(texts, 'in place', used), note).toEqual(parsed)
  expect(await store(texts, 'on another thread', used), note).toEqual(parsed)
  return parsed
}

const VALUES = [
  'null',
  'true',
  '"true"',
  '0',
  '-0',
  '1',
  '-1.5',
  '127',
  '128',
  '40000',
  '0.1',
  '16.140000000000001',
  '123456789012345',
  '1234567890123456',
  '9223372036854775807',
  '-9007199254740993',
  '1e3',
  '1E-7',
  '1e400',
  '1510115312722',
  '20240229',
  '""',
  '" "',
  '"a"',
  '"twelve bytes"',
  '"thirteen byte"',
  '"The quick BROWN fox_7"',
  '"it\'s 3.14 o\'clock, e.g. a_b _c"',
  '"naïve café"',
  '"Ünicode ΣΑΣ"',
  '"漢字 x"',
  '"esc\\"aped \\u0041\\n"',
  '"\\ud800"',
  '"nul \\u0000 inside of it"',
  `"${'long '.repeat(60)}"`,
  `"${'x'.repeat(300)}"`,
  '"2024-05-01T10:00:00Z"',
  '"192.168.0.1"',
  '"2001:db8::1"',
  '"12.5,48.25"',
  '"POINT (1 2)"',
  '"POLYGON ((0 0, 1 0, 1 1, 0 0))"',
  '{"lat":48.25,"lon":2.5}',
  '{ "lon" : 181 , "lat" : -90 }',
  '{"lat":-0,"lon":-0}',
  '{"lat":91,"lon":0}',
  '{"lat":1,"lat":2}',
  '{"lat":1,"lon":2,"alt":3}',
  '{"lat":"1","lon":"2"}',
  '{"type":"Point","coordinates":[1,2]}',
  '[1,2]',
  '[]',
  '[null]',
  '["a","b"]',
  '[[1],2]',
  '{}',
  '{"k":"x","d":2}',
  '{"k":"x","k":"y"}',
  '{"k":null,"u":{"v":"}]\\""}}',
  '[{"k":"x"},{"k":"y","d":1}]',
]
const KEYS = [...Object.keys(mapping.properties), 'o.k', 'unknown', '\\u006b', '__proto__', '']

describe('reading documents where they lie', () => {
  it.each(VALUES)('reads %s as the general way does, in every field', async (value) => {
    await expectSame(KEYS.map((key) => `{"${key}":${value}}`))
  })

  it('reads whole documents as the general way does', async () => {
    const random = seededRandom(seed)
    const pick = (from: readonly string[]) => from[random.below(from.length)] ?? ''
    const space = () => (random.next() < 0.1 ? pick([' ', '\t', '\r ']) : '')
    // Mostly the same few keys in the same order, as in bulk loads.
    const usual: Readonly<Record<string, string>> = {
      k: '"owner-17"',
      t: '"Reef cargo light"',
      d: '16.14',
      w: '1510115312722',
      p: '{"lat":-16.390742,"lon":-15.166539}',
      l: '77',
      z: 'true',
      o: '{"k":"x","d":2}',
    }
    const texts = Array.from({ length: 6_000 }, () => {
      const members = Object.entries(usual).map(([key, value]): [string, string] => [key, value])
      for (let i = random.below(3); i > 0; i--)
        members.splice(random.below(members.length), 1, [pick(KEYS), pick(VALUES)])
      const written = members.map(([key, value]) => `${space()}"${key}"${space()}:${space()}${value}${space()}`)
      return `{${written.join(',')}}`
    })
    const { rows, faults } = await expectSame(texts, mapping, `seed ${seed}`)
    expect(rows.length).toBeGreaterThan(2_500)
    expect(faults.filter((f) => f !== undefined).length).toBeGreaterThan(100)
  })

  it('stores texts of every length as they are', async () => {
    const words = Array.from({ length: 5_000 }, (_, n) => 'aé漢😀'.repeat(n % 12).slice(0, n % 41) + String(n))
    const texts = words.map((word) => JSON.stringify({ k: word }))
    const { rows, sources } = await expectSame(texts)
    const kept = words.flatMap((word, n) => (n % 7 === 3 ? [] : [[`${n}`, word.toWellFormed(), texts[n]]]))
    const bytes = Buffer.from(sources)
    const stored = rows.map(([, id, at, size, word]) => {
      const start = Number(at) - FIRST_AT
      return [id, word, bytes.toString('utf8', start, start + Number(size))]
    })
    expect(stored).toEqual(kept)
  })

  it.each(['strict', true] as const)('meets keys unknown to a mapping that is %s', async (dynamic) => {
    const texts = ['{"k":"a"}', '{"k":"b","new":1}', '{"new":null}', '{"o":{"new":1}}', '{"o":{"k":"c"}}']
    await expectSame(texts, { ...mapping, dynamic })
  })

  it('copies values where the mapping says so', async () => {
    const copying: Mapping = {
      dynamic: false,
      properties: { k: { type: 'keyword', copy_to: ['all'] }, all: { type: 'text' } },
    }
    const { rows } = await expectSame(['{"k":"One Two"}', '{"all":"x","k":"y"}'], copying)
    expect(rows[0]?.at(-1)).toBe(' one two ')
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../model/json/document.ts'
import { isBroken } from '../../row.ts'
import { readParquet } from './parquet-rows.ts'

let directory = ''
beforeAll(() => {
  directory = mkdtempSync(path.join(tmpdir(), 'periplus-parquet-'))
})
afterAll(() => rmSync(directory, { recursive: true, force: true }))

async function write(name: string, query: string, options: string): Promise<string> {
  const file = path.join(directory, name)
  const instance = await DuckDBInstance.create()
  const connection = await instance.connect()
  await connection.run(`COPY (${query}) TO '${file}' (FORMAT parquet${options})`)
  connection.closeSync()
  instance.closeSync()
  return file
}

async function read(file: string) {
  const shares: number[] = []
  const documents: JsonObject[] = []
  const reading = await readParquet(file, (share) => shares.push(share))
  for await (const rows of reading.rows) {
    for (const row of rows) if (!isBroken(row)) documents.push(row.document)
  }
  return { documents, shares }
}

describe('readParquet', () => {
  it('turns the types of Parquet into JSON', async () => {
    const query = `SELECT 1::BIGINT AS n, 9007199254740993::BIGINT AS big, 1.5::DOUBLE AS d, true AS b, 'é' AS s,
      TIMESTAMP '2024-05-01 10:00:00' AS t, DATE '2024-05-01' AS day, ['x', 'y'] AS tags, {'a': 1, 'b': 'c'} AS o,
      NULL::INTEGER AS nothing`
    for (const compression of ['snappy', 'zstd', 'gzip', 'uncompressed']) {
      const file = await write(`types-${compression}.parquet`, query, `, COMPRESSION ${compression}`)
      expect((await read(file)).documents).toEqual([
        {
          n: 1,
          big: '9007199254740993',
          d: 1.5,
          b: true,
          s: 'é',
          t: '2024-05-01T10:00:00.000Z',
          day: '2024-05-01T00:00:00.000Z',
          tags: ['x', 'y'],
          o: { a: 1, b: 'c' },
        },
      ])
    }
  })

  it('reads the geometries of GeoParquet', async () => {
    // little-endian WKB of POINT (2 48)
    const point = "unhex('010100000000000000000000400000000000004840')"
    const geo = JSON.stringify({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: { geometry: { encoding: 'WKB', geometry_types: ['Point'] } },
    })
    const file = await write('geo.parquet', `SELECT 'a' AS id, ${point} AS geometry`, `, KV_METADATA {geo: '${geo}'}`)
    expect((await read(file)).documents).toEqual([{ id: 'a', geometry: { type: 'Point', coordinates: [2, 48] } }])
  })

  it('leaves out the boxes of the geometries', async () => {
    const point = "unhex('010100000000000000000000400000000000004840')"
    const side = (name: string) => ['box', name]
    const bbox = { xmin: side('xmin'), ymin: side('ymin'), xmax: side('xmax'), ymax: side('ymax') }
    const geo = JSON.stringify({
      version: '1.1.0',
      primary_column: 'geometry',
      columns: { geometry: { encoding: 'WKB', geometry_types: ['Point'], covering: { bbox } } },
    })
    const query = `SELECT 'a' AS id, ${point} AS geometry, [1, 2] AS bbox,
      {'xmin': 2.0, 'ymin': 48.0, 'xmax': 2.0, 'ymax': 48.0} AS box`
    const file = await write('covered.parquet', query, `, KV_METADATA {geo: '${geo}'}`)
    expect((await read(file)).documents).toEqual([
      { id: 'a', geometry: { type: 'Point', coordinates: [2, 48] }, bbox: [1, 2] },
    ])
  })

  it('reads row groups one after the other, in steps', async () => {
    const file = await write('many.parquet', 'SELECT range AS n FROM range(70000)', ', ROW_GROUP_SIZE 30720')
    const { documents, shares } = await read(file)
    expect(documents).toHaveLength(70_000)
    expect(documents.at(-1)).toEqual({ n: 69_999 })
    expect(shares.at(-1)).toBe(1)
    expect(shares.length).toBeGreaterThan(3)
  })
})

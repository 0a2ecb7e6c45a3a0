import { hash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hashOf } from '../condition/located-rows.ts'
import { HASH_RECORD, IdentifierFile, type IdentifierSection, ORDER_RECORD } from './identifier-file.ts'
import { SourceFile } from './source-file.ts'

let directory: string
let file: SourceFile

beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-identifiers-'))
  file = await SourceFile.create(join(directory, 'file'))
})

afterEach(async () => {
  await file.close()
  rmSync(directory, { recursive: true })
})

const hashed = (value: string): bigint => hash('md5', value, 'buffer').readBigUInt64LE(8)

/** Writes the lists of identifiers, which may have duplicates. The source of the nth in order is at n * 100. */
async function write(
  values: readonly string[],
  hashing: (value: string) => bigint = hashed,
): Promise<[IdentifierFile, IdentifierSection]> {
  const ordered = values.toSorted()
  const ranks = new Map<string, number>()
  for (const [i, value] of ordered.entries()) if (!ranks.has(value)) ranks.set(value, i + 1)
  const rankOf = (value: string): number => ranks.get(value) ?? 0
  const hashes = ordered
    .map((value) => ({ h: hashing(value), rank: rankOf(value) }))
    .toSorted((a, b) => (a.h < b.h ? -1 : a.h > b.h ? 1 : 0))
  // Other data before the lists.
  const hashesAt = 7
  const orderAt = hashesAt + values.length * HASH_RECORD
  const bytes = Buffer.alloc(orderAt + values.length * ORDER_RECORD)
  for (const [i, { h, rank }] of hashes.entries()) {
    bytes.writeBigUInt64LE(h, hashesAt + i * HASH_RECORD)
    bytes.writeUInt32LE(rank, hashesAt + i * HASH_RECORD + 8)
  }
  for (const [i, value] of ordered.entries()) {
    bytes.writeDoubleLE(i * 100, orderAt + i * ORDER_RECORD)
    bytes.writeUInt32LE(i + 1, orderAt + i * ORDER_RECORD + 8)
    bytes.writeUInt32LE(rankOf(value), orderAt + i * ORDER_RECORD + 12)
    bytes.writeUInt32LE(i * 7, orderAt + i * ORDER_RECORD + 16)
  }
  await file.write(0, [bytes])
  const section = { path: 'id', count: values.length, hashesAt, orderAt }
  return [new IdentifierFile(file, { file: 'ids', end: bytes.length, sections: [section], tellsRows: true }), section]
}

const numbered = (count: number): readonly string[] => Array.from({ length: count }, (_, i) => `id-${i}`)

it('hashes as the database does', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  for (const value of ['', 'a', 'id-1234', 'é 漢 😀', '0'.repeat(1_000)]) {
    const rows = await (await connection.run(`SELECT ${hashOf('CAST($1 AS VARCHAR)')}`, [value])).getRows()
    expect(rows[0]?.[0]).toBe(hashed(value))
  }
  connection.closeSync()
  instance.closeSync()
})

describe('a document is found by its identifier', () => {
  it.each([1, 2, 255, 256, 257, 5_000])('among %d', async (count) => {
    const values = numbered(count)
    const [identifiers, section] = await write(values)
    for (const [i, value] of values.toSorted().entries()) {
      expect(await identifiers.find(section, value)).toEqual({
        place: { at: i * 100, size: i + 1, rank: i + 1, row: i * 7 },
      })
    }
    for (const value of ['', 'id-', 'id--1', `id-${count}`]) expect(await identifiers.find(section, value)).toEqual({})
  })

  it('where there are none', async () => {
    const [identifiers, section] = await write([])
    expect(await identifiers.find(section, 'id-1')).toEqual({})
    expect(await identifiers.read(section, 0, 10)).toEqual([])
  })

  it('unless several have it', async () => {
    const values = [...numbered(1_000), 'id-7', 'id-500', 'id-500', 'id-500']
    const [identifiers, section] = await write(values)
    for (const value of values) {
      const found = await identifiers.find(section, value)
      if (value === 'id-7' || value === 'id-500') expect(found).toBeUndefined()
      else expect(found?.place?.at).toBe(values.toSorted().indexOf(value) * 100)
    }
  })

  it('when hashes are not spread evenly', async () => {
    // All other hashes are clustered, so that guesses go wrong.
    const sought = numbered(20)
    const crowd = Array.from({ length: 20_000 }, (_, i) => `x${i}`)
    const [identifiers, section] = await write([...sought, ...crowd], (value) =>
      value.startsWith('x') ? BigInt(value.slice(1)) : hashed(value),
    )
    const ordered = [...sought, ...crowd].toSorted()
    for (const value of sought) {
      expect((await identifiers.find(section, value))?.place?.at).toBe(ordered.indexOf(value) * 100)
    }
    expect(await identifiers.find(section, 'id-20')).toEqual({})
  })
})

describe('the order of identifiers', () => {
  it('is read from any place, and ends', async () => {
    const [identifiers, section] = await write(numbered(100))
    const at = async (first: number, most: number): Promise<readonly number[]> =>
      (await identifiers.read(section, first, most)).map((place) => place.at / 100)
    expect(await at(0, 3)).toEqual([0, 1, 2])
    expect(await at(97, 10)).toEqual([97, 98, 99])
    expect(await at(100, 10)).toEqual([])
    expect(await at(1_000, 10)).toEqual([])
  })

  it('tells where those after a rank begin, also when several have it', async () => {
    const values = ['a', 'b', 'b', 'b', 'c', 'd', 'd']
    const [identifiers, section] = await write(values)
    const after = (rank: number): Promise<number> => identifiers.firstAbove(section, rank)
    expect(await Promise.all([1, 2, 5, 6].map(after))).toEqual([1, 4, 5, 7])
  })
})

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Mapping, MappingType } from '../../../model/mapping.ts'
import { everything } from '../../../query/plan/predicate.ts'
import type { Field } from '../../../query/schema/field.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import { selectRows } from '../condition/selected-rows.ts'
import { Database } from '../database/database.ts'
import { SourceFile } from '../files/source-file.ts'
import { layoutOf } from '../index/table-layout.ts'
import { IndexParts } from '../parts/index-parts.ts'
import { IndexTable } from '../table/index-table.ts'
import { countDistinct } from './cardinality.ts'
import { nextSample } from './cardinality-sample.ts'

let directory: string
let database: Database
const files: SourceFile[] = []

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'periplus-cardinality-'))
  database = await Database.open({ directory, memoryMiB: 512, threads: 2, concurrency: 1 })
})

afterAll(async () => {
  await database.close({ checkpoint: false })
  for (const file of files) await file.close()
  rmSync(directory, { recursive: true })
})

/** Creates a table with this many rows in the database, which is much faster than loading documents. */
async function makeTable(
  type: MappingType,
  value: string,
  documents: number,
): Promise<{ table: IndexTable; field: Field }> {
  const mapping: Mapping = { properties: { v: { type } } }
  const layout = layoutOf(mapping)
  const [column] = layout.fields
  const name = `t_${type}_${documents}`
  const columns = `i AS _seq, ${value} AS ${column?.column}`
  await database.write((c) => c.run(`CREATE TABLE ${name} AS SELECT ${columns} FROM range(${documents}) r(i)`))
  const counts = { documents, nextSeq: documents, version: 1 }
  const sources = { sourceFile: name, sourceEnd: 0, sourceStale: 0, segments: [] }
  const definition = { name, uuid: name, table: name, mapping, layout, ...counts, ...sources }
  const file = await SourceFile.create(join(directory, name))
  files.push(file)
  const table = new IndexTable(definition, file, IndexParts.none)
  const field = schemaOf([{ name, mapping }]).lookup('v')
  if (!field) throw new Error('no field v')
  return { table, field }
}

async function count(
  type: MappingType,
  value: string,
  documents: number,
): Promise<{ total: number; distinct: number }> {
  const { table, field } = await makeTable(type, value, documents)
  return database.read(undefined, async (reader) => {
    const rows = selectRows(reader, [table], everything)
    const { total, counts } = await countDistinct(rows, [{ kind: 'cardinality', field }], 100_000)
    return { total, distinct: counts[0] ?? 0 }
  })
}

describe('distinct values', () => {
  it.each<[MappingType, string, number, number]>([
    ['long', 'i % 100000', 300_000, 100_000],
    ['keyword', "'id-' || (i % 99999)", 400_000, 99_999],
    ['date', '1600000000000 + (i % 3) * 86400000', 250_000, 3],
    ['double', 'CASE WHEN i % 2 = 0 THEN i / 4 END', 200_000, 100_000],
    ['byte', 'CAST(i % 100 AS TINYINT)', 500_000, 100],
  ])('of type %s, up to the bound: exact', async (type, value, documents, distinct) => {
    expect(await count(type, value, documents)).toEqual({ total: documents, distinct })
  })

  it.each<[MappingType, string, number, number]>([
    ['long', 'i % 120000', 360_000, 120_000],
    ['keyword', "'id-' || (i % 250000)", 260_000, 250_000],
    ['date', '1600000000000 + i * 1000', 1_200_000, 1_200_000],
    ['double', 'CAST(i % 450000 AS DOUBLE) / 8', 600_000, 450_000],
    ['integer', 'CAST(i % 600000 AS INTEGER)', 900_000, 600_000],
    ['keyword', "printf('%08d', i)", 850_000, 850_000],
  ])('of type %s, above the bound: within 2 percent', async (type, value, documents, distinct) => {
    const counted = await count(type, value, documents)
    expect(counted.total).toBe(documents)
    expect(Math.abs(counted.distinct / distinct - 1)).toBeLessThan(0.02)
  })
})

describe('the sample after the first', () => {
  it.each([
    ['all of few values', 100, 4, 0],
    ['all of about the bound', 100_000 / 16, 4, 0],
    ['half of somewhat more', 150_000 / 16, 4, 1],
    ['a larger share of some hundred thousands', 500_000 / 16, 4, 3],
    ['none of very many', 2_000_000 / 16, 4, undefined],
    ['none when all were counted', 70, 0, undefined],
  ])('is %s', (_name, counted, bits, next) => expect(nextSample(counted, bits, 100_000)).toBe(next))

  it('is everything below a bound that is higher', () => expect(nextSample(900_000 / 16, 4, 1_000_000)).toBe(0))
})

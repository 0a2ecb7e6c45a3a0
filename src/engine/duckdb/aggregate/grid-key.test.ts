import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { documents as sampleDocuments, mapping as sampleMapping } from '../../../../test/conformance/dataset.ts'
import { geohashOf } from '../../../geo/geohash.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import { cellGrid, cellsAround } from '../../../geo/grid/cell-grid.ts'
import { h3CellOf } from '../../../geo/grid/h3-cell.ts'
import { meetsCell, shapeCells } from '../../../geo/grid/shape-cells.ts'
import { tileOf } from '../../../geo/grid/tile.ts'
import { pointValues, shapeValues } from '../../../geo/shape/document-geometry.ts'
import { planarCentroid } from '../../../geo/shape/planar-centroid.ts'
import { normaliseShape, type Shape, shapeOfAll } from '../../../geo/shape/shape.ts'
import type { Position } from '../../../model/geometry.ts'
import type { Json, JsonObject } from '../../../model/json/document.ts'
import type { BucketKey } from '../../../query/aggregation/bucket.ts'
import { compareKeys } from '../../../query/aggregation/bucket-order.ts'
import type { AggregationLevel, AggregationPlan, GridGrouping } from '../../../query/plan/aggregation-plan.ts'
import type { Field } from '../../../query/schema/field.ts'
import { compilePredicate } from '../condition/predicate-sql.ts'
import { Database } from '../database/database.ts'
import { SqlBuilder, withSql } from '../database/sql-builder.ts'
import { SourceDirectory } from '../files/source-directory.ts'
import { openDuckdbEngine } from '../open-engine.ts'
import { readCatalog } from '../table/catalog.ts'
import type { IndexTable } from '../table/index-table.ts'
import { awkwardDocuments, awkwardMapping } from './awkward-places.fixture.ts'
import { bucketRows } from './bucket-rows.ts'

const directory = mkdtempSync(join(tmpdir(), 'periplus-grid-'))
const options = { directory, memoryMiB: 256, threads: 2, concurrency: 2 }
const awkward = awkwardDocuments()
const LIMIT = 65_535

let database: Database
let tables: ReadonlyMap<string, IndexTable>

beforeAll(async () => {
  const engine = await openDuckdbEngine(options)
  const load = async (index: string, sources: readonly JsonObject[]): Promise<void> => {
    const results = await engine.write(
      index,
      sources.map((source) => ({ kind: 'index', id: String(source.id), source })),
    )
    expect(results.every((r) => r.ok)).toBe(true)
  }
  await engine.createIndex('sample', sampleMapping)
  await load('sample', JSON.parse(JSON.stringify(sampleDocuments())))
  await engine.createIndex('awkward', awkwardMapping)
  await load('awkward', awkward)
  await engine.close()
  database = await Database.open(options)
  const sources = await SourceDirectory.open(directory)
  tables = await database.write((connection) => readCatalog(connection, sources, (_, file) => file))
})

afterAll(async () => {
  await database.close({ checkpoint: false })
  for (const table of tables.values()) await table.sources.close()
  rmSync(directory, { recursive: true })
})

function tableOf(index: string): IndexTable {
  const table = tables.get(index)
  if (!table) throw new Error(`no index ${index}`)
  return table
}

const field = (path: string, type: Field['type']): Field => ({ path, type, indexed: true, nested: false })

const grouped = (kind: GridGrouping['kind'], level: number, on: Field, scope?: Cell): GridGrouping => ({
  kind,
  level,
  field: on,
  ...(scope ? { scope } : {}),
})

/** Keys of every document, in SQL order. */
async function keysOf(index: string, grouping: GridGrouping, most = LIMIT): Promise<Map<string, BucketKey[]>> {
  const table = tableOf(index)
  const layout = table.field(grouping.field)
  if (!layout) throw new Error(`no field ${grouping.field.path}`)
  const found = new Map<string, BucketKey[]>()
  const level: AggregationLevel = { grouping, order: { by: 'key', descending: false }, metrics: [], tops: [] }
  const plan: AggregationPlan = {
    indices: [index],
    predicate: { kind: 'everything' },
    levels: [level],
    limits: { buckets: most, bucketHits: 1 },
  }
  const sql = new SqlBuilder()
  const { sources, keys } = bucketRows(plan, [table], 0, sql)
  const [key] = keys
  const cells = sources.map((source) => `SELECT _id, ${source.keys[0]} AS k FROM ${source.rows} WHERE ${source.where}`)
  const text = `SELECT _id, k FROM (${cells.join(' UNION ALL ')}) WHERE k IS NOT NULL ORDER BY ${key?.ascending?.('k') ?? 'k'}`
  const rows = await database.read(undefined, (reader) => reader.rows(text, sql.values))
  for (const [id, code = null] of rows) {
    found.set(String(id), [...(found.get(String(id)) ?? []), ...(key ? [key.decode(code)] : [])])
  }
  return found
}

async function countsOf(index: string, grouping: GridGrouping): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const keys of (await keysOf(index, grouping)).values()) {
    for (const key of keys.map(nameOf)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

const nameOf = (key: BucketKey): string => (typeof key === 'object' ? `${key.x}/${key.y}` : String(key))
const total = (counts: ReadonlyMap<string, number>): number => [...counts.values()].reduce((sum, n) => sum + n, 0)

describe('the sample', () => {
  const centroid = field('geo_params.centroid', 'GEO_POINT')
  const geometry = field('geo_params.geometry', 'GEO_SHAPE')

  it('has the cells of points that the specification tells', async () => {
    const hashes = await countsOf('sample', grouped('geohash', 1, centroid))
    expect(hashes.size).toBe(32)
    expect(['d', 's', 'w', '4', 'y'].map((hash) => hashes.get(hash))).toEqual([25, 25, 25, 20, 20])
    expect((await countsOf('sample', grouped('geohash', 3, centroid))).size).toBe(595)
    const tiles = await countsOf('sample', grouped('geotile', 1, centroid))
    expect([...tiles].sort()).toEqual([
      ['0/0', 136],
      ['0/1', 153],
      ['1/0', 144],
      ['1/1', 162],
    ])
    for (const [zoom, cells] of [1, 4, 16, 64, 192, 512, 595].entries()) {
      expect((await countsOf('sample', grouped('geotile', zoom, centroid))).size).toBe(cells)
    }
  })

  it('has the same hexagons by point and by the centroid of its shape', async () => {
    const ofPoints = await countsOf('sample', grouped('geohex', 0, centroid))
    expect(ofPoints.size).toBe(122)
    expect(total(ofPoints)).toBe(595)
    const first = ['8001fffffffffff', '8003fffffffffff', '80effffffffffff', '80f1fffffffffff']
    expect(first.map((cell) => ofPoints.get(cell))).toEqual([16, 16, 16, 16])
    expect(await countsOf('sample', grouped('geohex', 0, geometry))).toEqual(ofPoints)
  })

  it('has the cells of shapes that the specification tells', async () => {
    expect([...(await countsOf('sample', grouped('geotile', 1, geometry))).values()]).toEqual([162, 162, 162, 162])
    for (const [zoom, cells, sum] of [
      [2, 16, 684],
      [3, 64, 836],
    ] as const) {
      const counts = await countsOf('sample', grouped('geotile', zoom, geometry))
      expect([counts.size, total(counts)]).toEqual([cells, sum])
    }
    const hashes = await countsOf('sample', grouped('geohash', 1, geometry))
    expect([hashes.size, total(hashes)]).toEqual([32, 684])
  })
})

const points = (document: JsonObject): readonly Position[] => pointValues((document.where ?? null) as Json)

function shapeOf(document: JsonObject): Shape | undefined {
  const shapes = shapeValues((document.area ?? null) as Json).flatMap((g) => normaliseShape(g) ?? [])
  return shapes.length === 0 ? undefined : shapeOfAll(shapes)
}

function cellOfPoint({ kind, level }: GridGrouping, [lon = 0, lat = 0]: Position): BucketKey {
  if (kind === 'geotile') return tileOf(lon, lat, level)
  return kind === 'geohash' ? geohashOf(lon, lat, level) : h3CellOf(lon, lat, level)
}

function cellsOfShape({ kind, level, scope }: GridGrouping, shape: Shape): BucketKey[] {
  if (kind === 'geohex') return [cellOfPoint({ kind, level, field: area }, planarCentroid(shape))]
  const grid = cellGrid(kind, level)
  const cells = shapeCells(shape, grid, LIMIT, scope && cellsAround(grid, scope)) ?? []
  const columns = 2 ** Math.ceil((5 * level) / 2)
  const rows = 2 ** Math.floor((5 * level) / 2)
  return cells.map(({ column, row }) =>
    kind === 'geotile'
      ? { x: column, y: row }
      : geohashOf(((column + 0.5) / columns) * 360 - 180, ((row + 0.5) / rows) * 180 - 90, level),
  )
}

const distinct = (keys: readonly BucketKey[]): BucketKey[] =>
  [...new Map(keys.map((key) => [nameOf(key), key])).values()].sort(compareKeys)

const where = field('where', 'GEO_POINT')
const area = field('area', 'GEO_SHAPE')

describe('awkward places', () => {
  const levels: readonly (readonly [GridGrouping['kind'], number])[] = [
    ...[0, 1, 2, 7, 15, 28, 29].map((level) => ['geotile', level] as const),
    ...[1, 2, 3, 6, 9, 11, 12].map((level) => ['geohash', level] as const),
    ...[0, 3, 7, 15].map((level) => ['geohex', level] as const),
  ]

  it.each(levels)('points lie in the %s cells of level %d that the formulas tell, in order', async (kind, level) => {
    const grouping = grouped(kind, level, where)
    const expected = new Map<string, BucketKey[]>()
    for (const document of awkward) {
      const keys = distinct(points(document).map((point) => cellOfPoint(grouping, point)))
      if (keys.length > 0) expected.set(String(document.id), keys)
    }
    expect(await keysOf('awkward', grouping)).toEqual(expected)
  })

  it.each(levels.filter(([kind, level]) => kind === 'geohex' || level < (kind === 'geohash' ? 5 : 12)))(
    'shapes lie in the %s cells of level %d that the exact test tells',
    async (kind, level) => {
      const grouping = grouped(kind, level, area)
      const expected = new Map<string, BucketKey[]>()
      for (const document of awkward) {
        const shape = shapeOf(document)
        if (shape) expected.set(String(document.id), distinct(cellsOfShape(grouping, shape)))
      }
      expect(await keysOf('awkward', grouping)).toEqual(expected)
    },
  )

  const scopes: readonly Cell[] = [
    { kind: 'tile', z: 2, x: 2, y: 1 },
    { kind: 'tile', z: 6, x: 32, y: 32 },
    { kind: 'tile', z: 1, x: 1, y: 0 },
    { kind: 'tile', z: 3, x: 7, y: 0 },
    { kind: 'geohash', hash: 's' },
    { kind: 'geohash', hash: 's00' },
    { kind: 'geohash', hash: 'zz' },
    { kind: 'geohash', hash: '7zz' },
  ]

  async function idsIn(cell: Cell, by: 'point' | 'shape', on: Field): Promise<Set<string>> {
    const table = tableOf('awkward')
    const rows = await withSql((sql) => {
      const condition = compilePredicate({ kind: 'cell', field: on, cell, by }, table, sql)
      const text = `SELECT _id FROM ${table.table} WHERE ${condition}`
      return database.read(undefined, (reader) => reader.rows(text, sql.values))
    })
    return new Set(rows.map(([id]) => String(id)))
  }

  const isIn = (cell: Cell, [lon = 0, lat = 0]: Position): boolean => {
    if (cell.kind === 'geohash') return geohashOf(lon, lat, cell.hash.length) === cell.hash
    const { x, y } = tileOf(lon, lat, cell.z)
    return x === cell.x && y === cell.y
  }

  it.each(scopes)('a cell selects the points and shapes in it: %j', async (cell) => {
    const ids = (test: (document: JsonObject) => boolean): Set<string> =>
      new Set(awkward.filter(test).map((document) => String(document.id)))
    expect(await idsIn(cell, 'point', where)).toEqual(ids((d) => points(d).some((point) => isIn(cell, point))))
    const meets = meetsCell(cell)
    const ofShapes = (test: (shape: Shape) => boolean) => (d: JsonObject) => {
      const shape = shapeOf(d)
      return shape !== undefined && test(shape)
    }
    expect(await idsIn(cell, 'shape', area)).toEqual(ids(ofShapes(meets)))
    expect(await idsIn(cell, 'point', area)).toEqual(ids(ofShapes((shape) => isIn(cell, planarCentroid(shape)))))
  })

  it.each(scopes)('in the scope of a cell other points and cells do not count: %j', async (cell) => {
    for (const [kind, level] of [
      ['geotile', 3],
      ['geohash', 2],
      ['geohex', 2],
    ] as const) {
      const ofPoints = grouped(kind, level, where, cell)
      const found = await keysOf('awkward', ofPoints)
      for (const document of awkward.filter((d) => points(d).some((point) => isIn(cell, point)))) {
        const counted = points(document).filter((point) => isIn(cell, point))
        expect(found.get(String(document.id))).toEqual(distinct(counted.map((point) => cellOfPoint(ofPoints, point))))
      }
      const ofShapes = grouped(kind, level, area, cell)
      const cells = await keysOf('awkward', ofShapes)
      for (const document of awkward) {
        const shape = shapeOf(document)
        if (!shape || (kind !== 'geohex' && !meetsCell(cell)(shape))) continue
        expect(cells.get(String(document.id))).toEqual(distinct(cellsOfShape(ofShapes, shape)))
      }
    }
  })
})

describe('a shape in too many cells', () => {
  it('is told by the setting, and the database goes on', async () => {
    const failed = keysOf('awkward', grouped('geotile', 29, area), 1000)
    await expect(failed).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('limits.buckets'),
    })
    expect((await keysOf('awkward', grouped('geotile', 1, area), 4)).size).toBeGreaterThan(0)
  })
})

import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { expect, it } from 'vitest'
import type { FieldType } from '../../model/field-type.ts'
import { countRounds } from '../../turn.fixture.ts'
import type { ExportColumn } from './export-column.ts'
import type { ExportRow } from './export-row.ts'
import { writeGeoparquet } from './geoparquet.ts'
import { withSpooledRows } from './row-spool.ts'

const column = (name: string, type: FieldType): ExportColumn => ({
  name,
  field: { path: name, type, indexed: true, nested: false },
})

const columns = [
  column('word', 'KEYWORD'),
  column('whole', 'LONG'),
  column('small', 'INTEGER'),
  column('share', 'DOUBLE'),
  column('flag', 'BOOLEAN'),
  column('at', 'DATE'),
  column('tags', 'KEYWORD'),
]

async function write(rows: readonly ExportRow[], of = columns): Promise<ArrayBuffer> {
  async function* given(): AsyncIterable<readonly ExportRow[]> {
    yield rows
  }
  const pieces: Uint8Array[] = []
  for await (const piece of withSpooledRows(of, given(), (spooled) => writeGeoparquet(of, spooled))) {
    pieces.push(piece)
  }
  return new Uint8Array(Buffer.concat(pieces)).buffer
}

const polygon = {
  type: 'Polygon',
  coordinates: [
    [
      [0, 0],
      [4, 0],
      [4, 4],
      [0, 0],
    ],
  ],
} as const

it('keeps values, gaps and geometries', async () => {
  const file = await write([
    {
      geometry: { type: 'Point', coordinates: [10, -20] },
      cells: [['a'], [7], [-3], [0.5], [false], [1000], ['x', 'y']],
    },
    { geometry: polygon, cells: [[], [], [], [], [], [], []] },
    { cells: [['c'], [], [], [], [], [], []] },
  ])
  const rows = await parquetReadObjects({ file })
  expect(rows).toMatchObject([
    {
      word: 'a',
      whole: 7n,
      small: -3,
      share: 0.5,
      flag: false,
      at: new Date(1000),
      tags: '["x","y"]',
      geometry: { type: 'Point', coordinates: [10, -20] },
    },
    { geometry: polygon },
    { word: 'c' },
  ])
  expect(rows.map((row) => row.word ?? null)).toEqual(['a', null, 'c'])
  expect(rows[1]?.whole ?? null).toBeNull()
  expect(rows[2]?.geometry ?? null).toBeNull()
  const [geo] = parquetMetadata(file).key_value_metadata ?? []
  expect(JSON.parse(geo?.value ?? '')).toMatchObject({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: { geometry: { encoding: 'WKB', geometry_types: ['Point', 'Polygon'], bbox: [0, -20, 10, 4] } },
  })
})

it('has a column with the box of each geometry', async () => {
  const file = await write([
    { geometry: { type: 'Point', coordinates: [10, -20] }, cells: [] },
    { geometry: polygon, cells: [] },
    { cells: [] },
  ])
  const rows = await parquetReadObjects({ file })
  expect(rows.map(({ bbox }) => bbox ?? null)).toEqual([
    { xmin: 10, ymin: -20, xmax: 10, ymax: -20 },
    { xmin: 0, ymin: 0, xmax: 4, ymax: 4 },
    null,
  ])
  const { key_value_metadata, row_groups } = parquetMetadata(file)
  const side = (name: string) => ['bbox', name]
  const bbox = { xmin: side('xmin'), ymin: side('ymin'), xmax: side('xmax'), ymax: side('ymax') }
  expect(JSON.parse(key_value_metadata?.[0]?.value ?? '')).toMatchObject({
    columns: { geometry: { covering: { bbox } } },
  })
  const ymin = row_groups[0]?.columns.find(({ meta_data }) => meta_data?.path_in_schema.join('.') === 'bbox.ymin')
  expect(ymin?.meta_data?.statistics).toMatchObject({ min_value: -20, max_value: 0 })
})

it('names the column of the boxes differently if a field is called so', async () => {
  const file = await write([{ geometry: polygon, cells: [['mine']] }], [column('BBox', 'KEYWORD')])
  expect(await parquetReadObjects({ file })).toMatchObject([{ BBox: 'mine', bbox_: { xmin: 0, xmax: 4 } }])
})

it('is a file even without rows', async () => {
  expect(await parquetReadObjects({ file: await write([]) })).toEqual([])
})

it('gives way between the columns of a row group', async () => {
  const text = (i: number): readonly string[] => [`${i} ${'word '.repeat(20)}`]
  const rows = Array.from({ length: 8_000 }, (_, i) => ({
    cells: [text(i), [], [], [i / 7], [], [], [...text(i), ...text(-i)]],
  }))
  async function* read(): AsyncIterable<readonly ExportRow[]> {
    yield rows
  }
  const spooled = { located: 0, several: new Set(['tags']), geometryTypes: new Set<never>(), read }
  const pieces: Uint8Array[] = []
  const rounds = await countRounds(async () => {
    for await (const piece of writeGeoparquet(columns, spooled)) pieces.push(piece)
  })
  expect(rounds).toBeGreaterThan(2)
  const file = new Uint8Array(Buffer.concat(pieces)).buffer
  const { row_groups, num_rows } = parquetMetadata(file)
  expect(num_rows).toBe(8_000n)
  expect(row_groups.map((group) => [Number(group.num_rows), group.columns.length])).toEqual([[8_000, 12]])
  const found = await parquetReadObjects({ file })
  expect(found[7_999]).toMatchObject({ word: text(7_999)[0], share: 7_999 / 7 })
})

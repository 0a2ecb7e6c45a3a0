import { ByteBuffer } from 'flatbuffers'
import { geojson } from 'flatgeobuf'
import { Header } from 'flatgeobuf/lib/mjs/flat-geobuf/header.js'
import { describe, expect, it } from 'vitest'
import type { FieldType } from '../../model/field-type.ts'
import type { Geometry } from '../../model/geometry.ts'
import type { Field } from '../../query/schema/field.ts'
import type { ExportColumn } from './export-column.ts'
import type { ExportRow } from './export-row.ts'
import { writeFlatgeobuf } from './flatgeobuf.ts'
import { withSpooledRows } from './row-spool.ts'

const column = (name: string, type: FieldType): ExportColumn => {
  const field: Field = { path: name, type, indexed: true, nested: false }
  return { name, field }
}

const columns = [
  column('word', 'KEYWORD'),
  column('whole', 'LONG'),
  column('share', 'DOUBLE'),
  column('flag', 'BOOLEAN'),
  column('at', 'DATE'),
]

async function* only(rows: readonly ExportRow[]): AsyncIterable<readonly ExportRow[]> {
  yield rows
}

async function write(rows: readonly ExportRow[], layer = 'harbours'): Promise<Uint8Array> {
  const pieces: Uint8Array[] = []
  const written = withSpooledRows(columns, only(rows), (spooled) => writeFlatgeobuf(layer, columns, spooled))
  for await (const piece of written) pieces.push(piece)
  return new Uint8Array(Buffer.concat(pieces))
}

/** Reads the rows back with the reference implementation of the format. */
async function readBack(rows: readonly ExportRow[]) {
  const features = []
  for await (const feature of geojson.deserialize(await write(rows))) features.push(feature)
  return features
}

const point: Geometry = { type: 'Point', coordinates: [1, 2] }
const ring = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 0],
]
const hole = [
  [1, 0.5],
  [2, 0.5],
  [2, 1],
  [1, 0.5],
]

const geometries: readonly Geometry[] = [
  point,
  {
    type: 'MultiPoint',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: 'LineString',
    coordinates: [
      [1, 2],
      [3, 4],
    ],
  },
  {
    type: 'MultiLineString',
    coordinates: [
      [
        [1, 2],
        [3, 4],
      ],
      [
        [5, 6],
        [7, 8],
        [9, 9],
      ],
    ],
  },
  { type: 'Polygon', coordinates: [ring] },
  { type: 'Polygon', coordinates: [ring, hole] },
  { type: 'MultiPolygon', coordinates: [[ring], [ring, hole]] },
  { type: 'GeometryCollection', geometries: [point, { type: 'LineString', coordinates: ring }] },
]

describe('writeFlatgeobuf', () => {
  it.each(geometries)('keeps a $type', async (geometry) => {
    const [feature] = await readBack([{ geometry, cells: [] }])
    expect(feature?.geometry).toEqual(geometry)
  })

  it('keeps geometries of several kinds apart', async () => {
    const features = await readBack(geometries.map((geometry) => ({ geometry, cells: [] })))
    expect(features.map((feature) => feature.geometry)).toEqual(geometries)
  })

  it('writes values by the types of their fields, and none for what is missing', async () => {
    const cells = [['a'], [7], [0.5], [false], [1000]]
    const features = await readBack([
      { geometry: point, cells },
      { geometry: point, cells: [[], [], [], [], []] },
    ])
    expect(features[0]?.properties).toEqual({
      word: 'a',
      whole: 7,
      share: 0.5,
      flag: false,
      at: '1970-01-01T00:00:01.000Z',
    })
    expect(
      Object.values(features[1]?.properties ?? {}).filter((value) => value !== undefined && value !== null),
    ).toEqual([])
  })

  it('writes several values as one text', async () => {
    const [first] = await readBack([
      {
        geometry: point,
        cells: [
          ['a', 'b'],
          [1, 2],
        ],
      },
    ])
    expect(first?.properties).toMatchObject({ word: '["a","b"]', whole: '[1,2]' })
  })

  it('names the layer, and states the number of features and the coordinate system', async () => {
    const header = new ByteBuffer((await write([{ geometry: point, cells: [] }, { cells: [] }], 'häfen')).subarray(8))
    const read = Header.getSizePrefixedRootAsHeader(header)
    expect(read.name()).toBe('häfen')
    expect(read.featuresCount()).toBe(1n)
    expect(read.crs()?.code()).toBe(4326)
  })

  it('has no place for rows without geometry', async () => {
    expect(await readBack([{ cells: [['a']] }])).toEqual([])
  })
})

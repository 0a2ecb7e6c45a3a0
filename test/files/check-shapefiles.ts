import { readFile } from 'node:fs/promises'
import shp from 'shpjs'
import { expect } from 'vitest'
import type { Geometry } from '../../src/model/geometry.ts'
import { addressOf, featuresOf, type Searched } from './check-tables.ts'
import { comparableNumber, type Feature } from './expected-cells.ts'
import { type ReadFeature, readWithGdal } from './gdal.ts'
import { boxOf, type GeometryParts, partsOf } from './geometry-parts.ts'
import { filesOfZip } from './zip.ts'

const KINDS = ['points', 'multipoints', 'lines', 'polygons'] as const

interface Column {
  readonly name: string
  readonly property: string
  readonly type: string
}

/** Reads the shapefiles of a search with GDAL and shpjs, and compares them with the flat JSON response. */
export async function checkShapefiles(searched: Searched): Promise<void> {
  const features = (await featuresOf(searched, '&flat=true')).map((feature) => withoutShapes(feature, searched.shapes))
  const path = await searched.downloads.fetch(addressOf(searched, '_shapesearch', 'size=10000'), 'shapes.zip')
  await compareShapefiles(path, searched.collection, features)
}

/** Shapes are excluded, because each would have thousands of columns. */
function withoutShapes({ geometry, properties }: Feature, shapes: readonly string[]): Feature {
  const isShape = (name: string): boolean =>
    shapes.some((path) => name === flatName(path) || name.startsWith(`${flatName(path)}_`))
  const kept = Object.entries(properties).filter(([name]) => !isShape(name))
  return { geometry, properties: Object.fromEntries(kept) }
}

const flatName = (path: string): string => path.replaceAll('.', '_')

/** `features`: the flat features that the zip must contain. */
export async function compareShapefiles(path: string, name: string, features: readonly Feature[]): Promise<void> {
  const files = await filesOfZip(path)
  if (features.length === 0) {
    expect([...files.keys()]).toEqual(['README.txt'])
    return
  }
  const columns = readMapping(String(files.get('column_mapping.txt')))
  expect(columns.map(({ property }) => property).toSorted()).toEqual(propertiesOf(features))
  const records = features.flatMap(({ geometry, properties }) =>
    partsOf(geometry).map(({ kind, parts }) => ({ kind, parts, properties })),
  )
  const kinds = KINDS.filter((kind) => records.some((record) => record.kind === kind))
  expect([...files.keys()]).toEqual([
    ...kinds.flatMap((kind) => ['shp', 'shx', 'dbf', 'prj', 'cpg'].map((ending) => `${name}_${kind}.${ending}`)),
    'column_mapping.txt',
  ])
  const byGdal = new Map((await readWithGdal(`/vsizip/${path}`)).map((layer) => [layer.name, layer]))
  const byShpjs = await readWithShpjs(path)
  for (const kind of kinds) {
    const expected = records.filter((record) => record.kind === kind)
    const layer = byGdal.get(`${name}_${kind}`)
    expect(layer?.count).toBe(expected.length)
    const geometries = features.map(({ geometry }) => geometry)
    if (kinds.length === 1) {
      expect(layer?.extent?.map((side) => side.toFixed(6))).toEqual(boxOf(geometries).map((side) => side.toFixed(6)))
    }
    const written = expected.map(({ properties }) =>
      columns.map((column) => writtenCell(column, properties[column.property])),
    )
    // shpjs does not represent missing booleans.
    const withoutMissing = written.map((row) => row.map((cell, i) => (columns[i]?.type === 'L' ? cell === true : cell)))
    compareRecords(layer?.features, expected, columns, written)
    compareRecords(byShpjs.get(`${name}_${kind}`), expected, columns, withoutMissing)
  }
}

function compareRecords(
  read: readonly ReadFeature[] = [],
  expected: readonly GeometryParts[],
  columns: readonly Column[],
  cells: readonly (readonly unknown[])[],
): void {
  // Some readers return a multipoint with one point as a point.
  const parts = read.map(({ geometry }) => geometry && partsOf(geometry).flatMap((part) => part.parts))
  expect(parts).toEqual(expected.map((record) => record.parts))
  expect(read.map(({ properties }) => columns.map((column) => readCell(column, properties[column.name])))).toEqual(
    cells,
  )
}

const propertiesOf = (features: readonly Feature[]): readonly string[] =>
  [...new Set(features.flatMap(({ properties }) => Object.keys(properties)))].filter((name) => name !== 'md').toSorted()

/** Returns the records of one shapefile, which all have the same columns. */
function readMapping(text: string): readonly Column[] {
  const [, ...lines] = text.trimEnd().split('\n')
  const rows = lines.map((line) => [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(cellText))
  return rows
    .filter(([shapefile]) => shapefile === rows[0]?.[0])
    .map(([, name = '', property = '', type = '']) => ({ name, property, type }))
}

const cellText = ([, quoted, plain = '']: readonly (string | undefined)[]): string =>
  quoted === undefined ? plain : quoted.replaceAll('""', '"')

const LONGEST_TEXT = 254

/** Texts are truncated and trimmed; blank texts are missing values. */
function writtenCell({ type }: Column, value: unknown): unknown {
  if (value === undefined) return null
  if (type === 'N') return comparableNumber(value)
  if (type !== 'C') return value
  let text = String(value)
  while (Buffer.byteLength(text) > LONGEST_TEXT) text = [...text].slice(0, -1).join('')
  return text.trim() === '' ? null : text.trim()
}

/** Depending on its version, GDAL returns booleans as such or as letters. */
function readCell({ type }: Column, value: unknown): unknown {
  if (value === undefined || value === null || Number.isNaN(value)) return null
  if (type === 'L') return value === '?' ? null : value === true || value === 'T'
  if (type === 'N') return comparableNumber(value)
  const text = (typeof value === 'object' ? JSON.stringify(value) : String(value)).trim()
  return text === '' ? null : text
}

async function readWithShpjs(path: string): Promise<ReadonlyMap<string, readonly Feature[]>> {
  const bytes = await readFile(path)
  const read = await shp(new Uint8Array(bytes).buffer)
  const collections = 'features' in read ? [read] : read
  return new Map(
    collections.map(({ fileName = '', features }) => [
      fileName,
      features.map(({ geometry, properties }) => ({ geometry: unprojected(geometry), properties })),
    ]),
  )
}

/** shpjs projects coordinates that are already in degrees, which changes the last digit. */
function unprojected(geometry: { readonly type: string; readonly coordinates: unknown }): Geometry {
  const rounded = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(rounded) : Math.round(Number(value) * 1e10) / 1e10
  return { ...geometry, coordinates: rounded(geometry.coordinates) } as Geometry
}

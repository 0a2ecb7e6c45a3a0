import { expect } from 'vitest'
import { must } from '../support/http-client.ts'
import type { Downloads } from './downloads.ts'
import { type Feature, type Leaf, readTextCells, readTypedCells, textCells, typedCells } from './expected-cells.ts'
import { readWithGdal } from './gdal.ts'
import { boxOf, flatGeometry } from './geometry-parts.ts'
import { readParquet } from './parquet.ts'

/** A search whose response is compared with the exported files. */
export interface Searched {
  readonly base: string
  readonly collection: string
  /** Filters and other parameters; the order must be total. */
  readonly query: string
  readonly downloads: Downloads
  /** Fields that become columns. */
  readonly leaves: readonly Leaf[]
  /** Paths of shapes, which are not columns of shapefiles. */
  readonly shapes: readonly string[]
}

export const addressOf = ({ base, collection, query }: Searched, operation: string, more: string): string =>
  `${base}/explore/${collection}/${operation}?${query}&${more}`

/** Returns the features of the JSON response. */
export async function featuresOf(searched: Searched, more = ''): Promise<readonly Feature[]> {
  const answer = await must(searched.base, {
    path: addressOf({ ...searched, base: '' }, '_geosearch', `size=10000${more}`),
  })
  return (answer as { readonly features?: readonly Feature[] }).features ?? []
}

/** Reads all table formats of a search and compares them with the JSON response. */
export async function checkTables(searched: Searched): Promise<void> {
  const features = await featuresOf(searched)
  await checkCsv(searched, features)
  await checkFlatgeobuf(searched, features)
  await checkGeoparquet(searched, features)
  await checkLines(searched, features)
}

const geometriesOf = (features: readonly { readonly geometry: unknown }[]) => features.map(({ geometry }) => geometry)
const flatGeometriesOf = (features: readonly Feature[]) => features.map(({ geometry }) => flatGeometry(geometry))

function expectExtent(extent: readonly number[] | undefined, features: readonly Feature[]): void {
  if (features.length === 0) return
  const box = boxOf(features.map(({ geometry }) => geometry))
  expect(extent?.map((side) => side.toFixed(6))).toEqual(box.map((side) => side.toFixed(6)))
}

async function checkCsv(searched: Searched, features: readonly Feature[]): Promise<void> {
  const { downloads, leaves } = searched
  const path = await downloads.fetch(addressOf(searched, '_geosearch', 'format=csv'), 'table.csv')
  const [layer] = await readWithGdal(path, { openOptions: ['KEEP_GEOM_COLUMNS=NO', 'EMPTY_STRING_AS_NULL=NO'] })
  expect(layer?.count).toBe(features.length)
  expect([...(layer?.fields.keys() ?? [])]).toEqual(leaves.map((leaf) => leaf.path))
  expectExtent(layer?.extent, features)
  expect(readTextCells(leaves, layer?.features ?? [])).toEqual(textCells(leaves, features))
  expect(geometriesOf(layer?.features ?? [])).toEqual(geometriesOf(features))
}

/** Geometry types that GDAL reports for layers, by GeoJSON type. */
const LAYER_TYPES: Readonly<Record<string, string>> = {
  Point: 'Point',
  MultiPoint: 'Multi Point',
  LineString: 'Line String',
  MultiLineString: 'Multi Line String',
  Polygon: 'Polygon',
  MultiPolygon: 'Multi Polygon',
  GeometryCollection: 'Geometry Collection',
}

function layerType(features: readonly Feature[]): string {
  const [type, ...others] = new Set(features.map(({ geometry }) => geometry.type))
  return (others.length === 0 && type !== undefined && LAYER_TYPES[type]) || 'Unknown (any)'
}

async function checkFlatgeobuf(searched: Searched, features: readonly Feature[]): Promise<void> {
  const { downloads, leaves } = searched
  const path = await downloads.fetch(addressOf(searched, '_geosearch', 'format=flatgeobuf'), 'table.fgb')
  const [layer] = await readWithGdal(path)
  const name = searched.collection
  expect(layer).toMatchObject({ name, count: features.length, geometryType: layerType(features) })
  expect([...(layer?.fields.keys() ?? [])]).toEqual(leaves.map((leaf) => leaf.path))
  expectExtent(layer?.extent, features)
  expect(readTypedCells(leaves, features, layer?.features ?? [])).toEqual(typedCells(leaves, features))
  expect(geometriesOf(layer?.features ?? [])).toEqual(flatGeometriesOf(features))
}

async function checkGeoparquet(searched: Searched, features: readonly Feature[]): Promise<void> {
  const { downloads, leaves } = searched
  const path = await downloads.fetch(addressOf(searched, '_geosearch', 'format=geoparquet'), 'table.parquet')
  const table = await readParquet(path)
  expect(table.features).toHaveLength(features.length)
  expect([...table.columns.keys()]).toEqual([...leaves.map((leaf) => leaf.path), 'geometry', 'bbox'])
  expect(table.boxes).toEqual(features.map(({ geometry }) => boxOf([geometry])))
  const side = (name: string) => ['bbox', name]
  const types = [...new Set(features.map(({ geometry }) => geometry.type))].sort()
  expect(table.geo).toEqual({
    version: '1.1.0',
    primary_column: 'geometry',
    columns: {
      geometry: {
        encoding: 'WKB',
        geometry_types: types,
        ...(features.length === 0 ? {} : { bbox: boxOf(features.map(({ geometry }) => geometry)) }),
        covering: { bbox: { xmin: side('xmin'), ymin: side('ymin'), xmax: side('xmax'), ymax: side('ymax') } },
      },
    },
  })
  expect(readTypedCells(leaves, features, table.features)).toEqual(typedCells(leaves, features))
  expect(geometriesOf(table.features)).toEqual(flatGeometriesOf(features))
}

/**
 * Checks that the lines equal the features of the response, and that GDAL reads the same number at the same locations.
 */
async function checkLines(searched: Searched, features: readonly Feature[]): Promise<void> {
  const { downloads } = searched
  const path = await downloads.fetch(addressOf(searched, '_geosearch', 'format=geojsonl&flat=true'), 'table.geojsonl')
  // An empty file is a table without rows, which GDAL rejects.
  if (features.length === 0) return
  const [layer] = await readWithGdal(path)
  expect(layer?.count).toBe(features.length)
  expectExtent(layer?.extent, features)
  expect(geometriesOf(layer?.features ?? [])).toEqual(geometriesOf(features))
}

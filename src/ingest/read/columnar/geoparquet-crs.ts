import { isRecord } from '../../../model/json/json-object.ts'
import { type CoordinateSystem, parseProjJson } from '../../crs/coordinate-system.ts'

/** What the `geo` metadata of GeoParquet and GeoArrow files says about the primary geometry. */
export interface GeoMetadata {
  readonly crs?: CoordinateSystem
  readonly primary?: string
  /** Columns with the boxes of geometries, which are computed from them. */
  readonly boxes: readonly string[]
}

const NOTHING: GeoMetadata = { boxes: [] }

/** Parses the metadata; without a CRS the coordinates are longitude and latitude (GeoParquet 1.1, section "crs"). */
export function parseGeoMetadata(text: string | undefined): GeoMetadata {
  if (text === undefined) return NOTHING
  let geo: unknown
  try {
    geo = JSON.parse(text)
  } catch {
    // metadata of another program under the same key
    return NOTHING
  }
  if (!isRecord(geo) || !isRecord(geo.columns)) return NOTHING
  const primary = typeof geo.primary_column === 'string' ? geo.primary_column : Object.keys(geo.columns)[0]
  const column = primary === undefined ? undefined : geo.columns[primary]
  const crs = isRecord(column) ? parseProjJson(column.crs) : undefined
  const boxes = Object.values(geo.columns).flatMap(boxColumn)
  return { ...(crs === undefined ? {} : { crs }), ...(primary === undefined ? {} : { primary }), boxes }
}

/** The column that `covering.bbox` names by the paths of the four sides. */
function boxColumn(column: unknown): readonly string[] {
  const covering = isRecord(column) ? column.covering : undefined
  const box = isRecord(covering) ? covering.bbox : undefined
  const side = isRecord(box) ? box.xmin : undefined
  const name: unknown = Array.isArray(side) && side.length === 2 ? side[0] : undefined
  return typeof name === 'string' ? [name] : []
}

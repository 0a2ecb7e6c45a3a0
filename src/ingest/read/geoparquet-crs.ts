import { isRecord } from '../../model/json/json-object.ts'
import { type CoordinateSystem, parseProjJson } from '../crs/coordinate-system.ts'

/** What the `geo` metadata of GeoParquet and GeoArrow files says about the primary geometry. */
export interface GeoMetadata {
  readonly crs?: CoordinateSystem
  readonly primary?: string
}

/** Parses the metadata; without a CRS the coordinates are longitude and latitude (GeoParquet 1.1, section "crs"). */
export function parseGeoMetadata(text: string | undefined): GeoMetadata {
  if (text === undefined) return {}
  let geo: unknown
  try {
    geo = JSON.parse(text)
  } catch {
    // metadata of another program under the same key
    return {}
  }
  if (!isRecord(geo) || !isRecord(geo.columns)) return {}
  const primary = typeof geo.primary_column === 'string' ? geo.primary_column : Object.keys(geo.columns)[0]
  const column = primary === undefined ? undefined : geo.columns[primary]
  const crs = isRecord(column) ? parseProjJson(column.crs) : undefined
  return { ...(crs === undefined ? {} : { crs }), ...(primary === undefined ? {} : { primary }) }
}

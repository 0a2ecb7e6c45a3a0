import { problem } from '../errors.ts'
import type { Bbox, CollectionReferenceParameters } from '../model/collection.ts'
import { compilePatterns } from '../query/schema/field-pattern.ts'
import { checkInspire } from './inspire/inspire-rules.ts'

const INT32_MIN = -2147483648
const INT32_MAX = 2147483647

/** The four paths every collection has. None of them may be excluded. */
export const PATH_KEYS = ['id_path', 'geometry_path', 'centroid_path', 'timestamp_path'] as const

/**
 * Validates the values of parameters except the filter (spec 4.1 and 4.2). Throws INVALID_COLLECTION with key and
 * value.
 */
export function checkValues(params: CollectionReferenceParameters): void {
  checkExcluded(params)
  checkInteger('update_max_hits', params.update_max_hits, 0)
  checkInteger('raster_tile_url.min_z', params.raster_tile_url?.min_z)
  checkInteger('raster_tile_url.max_z', params.raster_tile_url?.max_z)
  checkInteger('raster_tile_width', params.raster_tile_width)
  checkInteger('raster_tile_height', params.raster_tile_height)
  if (params.inspire !== undefined) checkInspire(params.inspire)
  if (params.dublin_core_element_name?.bbox !== undefined) checkBbox(params.dublin_core_element_name.bbox)
}

function checkExcluded(params: CollectionReferenceParameters): void {
  if (params.exclude_fields === undefined) return
  const hidden = compilePatterns(params.exclude_fields)
  const key = PATH_KEYS.find((candidate) => hidden.selects(params[candidate]))
  if (key === undefined) return
  refuse('exclude_fields', params.exclude_fields, `must not select the ${key} ${params[key]} or an ancestor of it`)
}

function checkInteger(key: string, value: number | undefined, least = INT32_MIN): void {
  if (value === undefined || (value >= least && value <= INT32_MAX)) return
  refuse(key, value, `must be an integer from ${least} to ${INT32_MAX}`)
}

function checkBbox({ north, south, east, west }: Bbox): void {
  const bbox = 'dublin_core_element_name.bbox'
  for (const [side, lat] of Object.entries({ north, south })) {
    if (Math.abs(lat) > 90) refuse(`${bbox}.${side}`, lat, 'must be a latitude from -90 to 90')
  }
  for (const [side, lon] of Object.entries({ east, west })) {
    if (Math.abs(lon) > 180) refuse(`${bbox}.${side}`, lon, 'must be a longitude from -180 to 180')
  }
  if (north <= south) refuse(`${bbox}.north`, north, `must be greater than south (${south})`)
}

function refuse(parameter: string, value: unknown, reason: string): never {
  throw problem('INVALID_COLLECTION', { parameter, value, reason })
}

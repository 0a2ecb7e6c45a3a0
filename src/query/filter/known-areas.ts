import { LRUCache } from 'lru-cache'
import { type AreaOptions, parseArea } from '../../geo/area/filter-area.ts'
import type { Area } from '../../geo/area.ts'

/** Shorter texts are parsed in less than a millisecond, so they are not cached. */
const LONG_CHARACTERS = 4_000
/** More than any realistic text; numbers may have any number of digits. */
const MOST_CHARACTERS = 500_000
/** Number of cached areas. The least recently used are evicted. */
const MOST_AREAS = 16

/** By options and text. */
const known = new LRUCache<string, Area>({ max: MOST_AREAS })

/**
 * Parses a bbox or WKT value. The areas of the last few long values are cached: the widgets of a page send the same
 * one, and the filter of a collection is parsed with every request. Prepared forms are cached with the area.
 */
export function knownArea(value: string, options: AreaOptions): Area {
  if (value.length < LONG_CHARACTERS || value.length > MOST_CHARACTERS) return parseArea(value, options)
  const key = `${options.righthand} ${options.boxOnly === true} ${options.maxVertices} ${value}`
  const area = known.get(key) ?? parseArea(value, options)
  known.set(key, area)
  return area
}

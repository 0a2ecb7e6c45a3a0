import { type AreaOptions, parseArea } from '../../geo/area/filter-area.ts'
import type { Area } from '../../geo/area.ts'

/** Shorter texts are read in less than a millisecond. */
const LONG_CHARACTERS = 4_000
/** A text may have any number of digits; these are more than any real one has. */
const MOST_CHARACTERS = 500_000
const MOST_AREAS = 16

/** What long texts stand for, those used last at the end. */
const known = new Map<string, Area>()

/**
 * The area of a bbox or WKT value. Of long ones the last few are kept: the widgets of a page send the same, and the
 * filter of a collection is read with every request. What was prepared of an area stays with it.
 */
export function knownArea(value: string, options: AreaOptions): Area {
  if (value.length < LONG_CHARACTERS || value.length > MOST_CHARACTERS) return parseArea(value, options)
  const key = `${options.righthand} ${options.boxOnly === true} ${options.maxVertices} ${value}`
  const area = known.get(key) ?? parseArea(value, options)
  known.delete(key)
  known.set(key, area)
  const [oldest] = known.keys()
  if (known.size > MOST_AREAS && oldest !== undefined) known.delete(oldest)
  return area
}

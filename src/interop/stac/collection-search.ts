import { boxArea } from '../../geo/area/box-area.ts'
import type { Box } from '../../geo/area.ts'
import { boxesMeet } from '../../geo/ring.ts'
import { readTime } from '../../query/cql2/time-literal.ts'
import type { CollectionExtent } from '../ogc/collection-extent.ts'
import { crs84 } from '../ogc/crs.ts'
import { readBbox } from '../ogc/items-question.ts'
import { readPeriod } from './item-search.ts'

export interface CollectionConditions {
  readonly bbox: string | undefined
  readonly datetime: string | undefined
}

/** Returns a test whether the extent of a collection meets a box and a period. */
export function extentTest({ bbox, datetime }: CollectionConditions): (extent: CollectionExtent) => boolean {
  const boxes = bbox === undefined ? undefined : boxArea(readBbox(bbox, crs84)).boxes
  const period = datetime === undefined ? undefined : readPeriod(datetime)
  return (extent) =>
    (boxes === undefined || boxes.some((box) => meetsExtent(box, extent))) &&
    (period === undefined || happensWithin(period, extent))
}

function meetsExtent(box: Box, { bbox }: CollectionExtent): boolean {
  if (bbox === undefined) return false
  const [west, south, east, north] = bbox
  return boxArea([west, south, east, north]).boxes.some((other) => boxesMeet(box, other))
}

function happensWithin([from, to]: readonly [string, string], { interval: [first, last] }: CollectionExtent): boolean {
  if (first === null || last === null) return false
  const [begins, ends] = [readTime(from)?.first ?? -Infinity, readTime(to)?.last ?? Infinity]
  return Date.parse(first) <= ends && Date.parse(last) >= begins
}

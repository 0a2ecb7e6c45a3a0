import type { Box } from '../../geo/area.ts'
import { boxPolygon } from '../../geo/box.ts'
import { cellBounds } from '../../geo/grid/cell.ts'
import { h3Boundary, h3Centre } from '../../geo/grid/h3-cell.ts'
import type { Point, Polygon, Position } from '../../model/geometry.ts'
import type { BucketKey } from '../../query/aggregation/bucket.ts'
import type { GridGrouping } from '../../query/plan/aggregation-plan.ts'

/** Returns the centre of a grid cell: the middle of its bounds, or the H3 centre (spec 2.5 of aggregations). */
export function cellCentreOf({ kind, level }: GridGrouping): (key: BucketKey) => Position {
  if (kind === 'geohex') return (key) => h3Centre(String(key))
  return (key) => {
    const { west, south, east, north } = boundsOf(level, key)
    return [(west + east) / 2, (south + north) / 2]
  }
}

/** Returns the outline of a grid cell. */
export function cellPolygonOf({ kind, level }: GridGrouping): (key: BucketKey) => Polygon {
  if (kind === 'geohex') return (key) => ({ type: 'Polygon', coordinates: [h3Boundary(String(key))] })
  return (key) => boxPolygon(boundsOf(level, key))
}

function boundsOf(level: number, key: BucketKey): Box {
  if (typeof key === 'object') return cellBounds({ kind: 'tile', z: level, ...key })
  return cellBounds({ kind: 'geohash', hash: String(key) })
}

export const pointAt = ([lon = 0, lat = 0]: Position): Point => ({ type: 'Point', coordinates: [lon, lat] })

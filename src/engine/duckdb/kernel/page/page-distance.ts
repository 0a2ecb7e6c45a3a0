import type { SortKey } from '../../../../query/plan/plan.ts'
import type { PointColumn, ShapeColumn } from '../../segment/column.ts'
import type { Direction, PartKey, Ranks } from './sort-key.ts'

/** Radius of the geodistance sphere in metres (spec 2.3.5). */
const EARTH_RADIUS = 6371008.7714
const RADIANS = Math.PI / 180
const DECIMETRES = 10 * EARTH_RADIUS
/** More than distances change when they are rounded. */
const SLACK = 2

export type DistanceKey = Extract<SortKey, { kind: 'distance' }>

/**
 * Haversine distance in whole decimetres. Smaller differences count as equal, whatever the rounding, and the next sort
 * key decides (spec 2.5).
 */
function distanceFrom({ lon, lat }: DistanceKey): (lon: number, lat: number) => number {
  const cosLat = Math.cos(lat * RADIANS)
  return (pointLon, pointLat) => {
    const halfLat = Math.sin(((pointLat - lat) * RADIANS) / 2)
    const halfLon = Math.sin(((pointLon - lon) * RADIANS) / 2)
    const h = halfLat * halfLat + cosLat * Math.cos(pointLat * RADIANS) * halfLon * halfLon
    return Math.floor(2 * DECIMETRES * Math.asin(Math.min(1, Math.sqrt(h))))
  }
}

/** Distances as a sort key. With several points, the nearest counts if ascending, the farthest if descending. */
export function distanceKey(column: PointColumn | ShapeColumn, key: DistanceKey, direction: Direction): PartKey {
  const { sign, missing, takesLargest } = direction
  const { lon, lat } = column
  const starts = column.kind === 'point' ? column.starts : undefined
  const distance = distanceFrom(key)
  const at = (position: number): number => {
    const x = lon[position] ?? Number.NaN
    return Number.isNaN(x) ? missing : sign * distance(x, lat[position] ?? Number.NaN)
  }
  const takesLowest = takesLargest === sign < 0
  const of = (row: number): number => {
    if (!starts) return at(row)
    const end = starts[row + 1] ?? 0
    let chosen = missing
    for (let position = starts[row] ?? 0; position < end; position++) {
      const rank = at(position)
      if (chosen === missing || (takesLowest ? rank < chosen : rank > chosen)) chosen = rank
    }
    return chosen
  }
  // The first places are those nearest to the point, or to its antipode.
  const centre = sign > 0 ? key : antipodeOf(key)
  const offset = sign > 0 ? 0 : Math.PI * DECIMETRES
  const fill: Ranks['fill'] = (from, to, into, limit) => {
    // Most rows are too far north or south, which is far cheaper to tell than the distance.
    const band = starts ? Infinity : (limit + offset + SLACK) / (DECIMETRES * RADIANS) + 1e-9
    for (let row = from; row < to; row++) {
      into[row - from] = Math.abs((lat[row] ?? 0) - centre.lat) > band ? Infinity : of(row)
    }
  }
  const ranks: Ranks = {
    of,
    ofValue: (value) => (typeof value === 'number' ? sign * value : missing),
    fill,
    ...(missing > 0 ? lowerBounds(column, centre, offset) : {}),
  }
  return {
    ranks,
    value: (row) => {
      const rank = of(row)
      return rank === missing ? null : sign * rank
    },
    compare: (a, b) => {
      const x = of(a)
      const y = of(b)
      return x < y ? -1 : x > y ? 1 : 0
    },
  }
}

interface Place {
  readonly lon: number
  readonly lat: number
}

const antipodeOf = ({ lon, lat }: Place): Place => ({ lon: lon > 0 ? lon - 180 : lon + 180, lat: -lat })

/** Lower bounds of the distances from a block to a place, by its box, less an offset. */
function lowerBounds(column: PointColumn | ShapeColumn, { lon, lat }: Place, offset: number): Pick<Ranks, 'lowest'> {
  // The boxes of shapes enclose envelopes, hence centroids.
  const { blockBoxes } = column
  if (!blockBoxes) return {}
  const cosLat = Math.cos(lat * RADIANS)
  return {
    lowest: (block) => {
      const west = blockBoxes[4 * block] ?? -Infinity
      const south = blockBoxes[4 * block + 1] ?? -Infinity
      const east = blockBoxes[4 * block + 2] ?? Infinity
      const north = blockBoxes[4 * block + 3] ?? Infinity
      // No row has a point.
      if (west > east) return Infinity
      const byLat = Math.max(south - lat, lat - north, 0) * RADIANS
      const degrees = lon >= west && lon <= east ? 0 : Math.min(turnBetween(lon, west), turnBetween(lon, east))
      // Distance to the nearer meridian; the nearest place of one beyond 90 degrees is a pole.
      const byLon = Math.asin(Math.min(1, (degrees >= 90 ? 1 : Math.sin(degrees * RADIANS)) * cosLat))
      // Rounding must not make the bound too high.
      return Math.max(byLat, byLon) * DECIMETRES * (1 - 1e-9) - SLACK - offset
    },
  }
}

function turnBetween(a: number, b: number): number {
  const turn = Math.abs(a - b) % 360
  return Math.min(turn, 360 - turn)
}

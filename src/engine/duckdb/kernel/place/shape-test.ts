import { type PreparedArea, prepareArea } from '../../../../geo/area/prepared-area.ts'
import type { Box } from '../../../../geo/area.ts'
import type { Location } from '../../../../geo/polygon/region.ts'
import { insideBox } from '../../../../geo/polygon/region.ts'
import { boxesMeet } from '../../../../geo/ring.ts'
import type { Shape } from '../../../../geo/shape/shape.ts'
import { decodeShape } from '../../../../geo/shape/wkb.ts'
import type { GeoPredicate } from '../../../../query/plan/predicate.ts'
import type { ShapeColumn } from '../../segment/column.ts'
import type { RowTest } from '../row-test.ts'
import { blockDecision } from './geo-blocks.ts'

/** What shapes have to match. Envelopes decide most of them. */
interface ShapeArea {
  /** Closed boxes: shapes whose envelope meets none of them do not match. */
  readonly bounds: readonly Box[]
  /** 1 if all shapes in a box match, -1 if none does, 0 if unknown. */
  readonly locate: (box: Box) => Location
  /** As `locate`, for a shape that touches all sides of the box. */
  readonly locateEnvelope: (box: Box) => Location
  readonly matches: (shape: Shape) => boolean
}

/** Compiles a test of the shapes of a part. */
export function compileShapeTest(column: ShapeColumn, rows: number, area: ShapeArea): RowTest {
  const { west, south, east, north, wkb, wkbStarts } = column
  const { bounds, locateEnvelope, matches } = area

  /** Requires an envelope that meets the bounds. */
  const test = (row: number): boolean => {
    const envelope = {
      west: west[row] ?? Number.NaN,
      south: south[row] ?? Number.NaN,
      east: east[row] ?? Number.NaN,
      north: north[row] ?? Number.NaN,
    }
    const location = locateEnvelope(envelope)
    if (location !== 0) return location > 0
    return matches(decodeShape(wkb.subarray(wkbStarts[row] ?? 0, wkbStarts[row + 1] ?? 0)))
  }
  const isNear = (row: number): boolean => {
    for (const box of bounds) {
      if (
        (west[row] ?? Number.NaN) <= box.east &&
        (east[row] ?? Number.NaN) >= box.west &&
        (south[row] ?? Number.NaN) <= box.north &&
        (north[row] ?? Number.NaN) >= box.south
      ) {
        return true
      }
    }
    return false
  }
  const decide = blockDecision(column, rows, (box) =>
    bounds.some((other) => boxesMeet(box, other)) ? area.locate(box) : -1,
  )
  return {
    ...(decide ? { decide } : {}),
    isExpensive: true,
    fill: (from, to, mask) => {
      markMeeting(column, bounds, from, to, mask)
      for (let row = from; row < to; row++) if (mask[row - from] === 1 && !test(row)) mask[row - from] = 0
    },
    refine: (from, to, mask) => {
      for (let row = from; row < to; row++) {
        if (mask[row - from] === 1 && !(isNear(row) && test(row))) mask[row - from] = 0
      }
    },
    holds: (row) => isNear(row) && test(row),
  }
}

/** Marks the rows whose envelope meets a box. */
function markMeeting(
  { west, south, east, north }: ShapeColumn,
  boxes: readonly Box[],
  from: number,
  to: number,
  mask: Uint8Array,
): void {
  mask.fill(0, 0, to - from)
  for (const box of boxes) {
    for (let row = from; row < to; row++) {
      if (
        (west[row] ?? 0) <= box.east &&
        (east[row] ?? 0) >= box.west &&
        (south[row] ?? 0) <= box.north &&
        (north[row] ?? 0) >= box.south
      ) {
        mask[row - from] = 1
      }
    }
  }
}

/** Returns the area of `within` or `intersects`. */
export function areaOfShapes({ area: asked, relation }: GeoPredicate): ShapeArea {
  const area = prepareArea(asked, 'many')
  const { bounds, locateBox, isBoxes } = area
  if (relation === 'intersects') {
    return {
      bounds,
      locate: locateBox,
      locateEnvelope: pointsFirst(area, anySideIn(locateBox)),
      matches: area.intersectsShape,
    }
  }
  const [only] = bounds
  const isOneBox = isBoxes && bounds.length === 1 && only !== undefined
  const hull = asked.uncut?.length ? undefined : hullOf(bounds)
  const isOutside = (box: Box): boolean => hull !== undefined && !insideBox(box, hull)
  return {
    bounds,
    locate: locateBox,
    locateEnvelope: pointsFirst(area, (box) => {
      if (isOutside(box)) return -1
      const location = locateBox(box)
      return isOneBox && location === 0 ? -1 : location
    }),
    matches: area.coversShape,
  }
}

type Locate = ShapeArea['locate']

/** Decides points, whose envelope is a point, without decoding them. */
const pointsFirst =
  ({ coversPoint }: PreparedArea, locate: Locate): Locate =>
  (box) => {
    const { west, south, east, north } = box
    if (west === east && south === north) return coversPoint(west, south) ? 1 : -1
    return locate(box)
  }

/** A shape has a point on each side of its envelope, so it meets an area that contains a side. */
const anySideIn =
  (locate: Locate): Locate =>
  (box) => {
    const location = locate(box)
    if (location !== 0) return location
    const { west, south, east, north } = box
    return locate({ west, south, east: west, north }) > 0 ||
      locate({ west: east, south, east, north }) > 0 ||
      locate({ west, south, east, north: south }) > 0 ||
      locate({ west, south: north, east, north }) > 0
      ? 1
      : 0
  }

const hullOf = (boxes: readonly Box[]): Box => ({
  west: Math.min(...boxes.map((box) => box.west)),
  south: Math.min(...boxes.map((box) => box.south)),
  east: Math.max(...boxes.map((box) => box.east)),
  north: Math.max(...boxes.map((box) => box.north)),
})

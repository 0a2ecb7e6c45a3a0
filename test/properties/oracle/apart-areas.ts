import fc from 'fast-check'
import { holedRings, lineString, position, rectangleRing, triangleRing, wktRing } from './documents.ts'
import { type Position, type Ring, signedArea } from './geometry.ts'

/** Moves a ring with whole degrees away from all other whole degrees. */
const moved = (path: readonly Position[]): Ring => path.map(([x, y]) => [x + 0.371829, y + 0.213457])

/** Makes the exterior ring counter-clockwise, so that it selects its inside. */
const drawn = (ring: Ring): Ring => (signedArea(ring) > 0 ? ring : ring.toReversed())

const narrow = (path: readonly Position[]): boolean => path.every(([x]) => Math.abs(x) < 179)

const polygon = fc
  .oneof(
    rectangleRing.map((ring) => [ring]),
    triangleRing.map((ring) => [ring]),
    holedRings,
  )
  .filter((rings) => rings.every(narrow))
  .map((rings) => {
    const written = rings.map((ring, i) => wktRing(i === 0 ? drawn(moved(ring)) : moved(ring)))
    return `POLYGON (${written.join(', ')})`
  })

const bbox = fc
  .tuple(position, position)
  .filter(([a, b]) => a[1] !== b[1])
  .map(([[x1, y1], [x2, y2]]) => `${x1},${Math.min(y1, y2)},${x2},${Math.max(y1, y2)}`)

/**
 * Areas without any random document on their borders, and boxes with many documents on their borders, which count as
 * inside on every engine (spec 2.5).
 */
const apartArea: fc.Arbitrary<string> = fc.oneof(
  { weight: 2, arbitrary: bbox },
  { weight: 3, arbitrary: polygon },
  { weight: 1, arbitrary: lineString.filter(narrow).map((line) => `LINESTRING ${wktRing(moved(line))}`) },
  { weight: 1, arbitrary: position.filter((p) => narrow([p])).map((p) => `POINT ${wktRing(moved([p]))}`) },
)

export interface AreaClause {
  readonly field: string
  readonly op: string
  readonly value: string
}

export const apartClause: fc.Arbitrary<AreaClause> = fc.record({
  field: fc.constantFrom('where', 'area'),
  op: fc.constantFrom('within', 'notwithin', 'intersects', 'notintersects'),
  value: apartArea,
})

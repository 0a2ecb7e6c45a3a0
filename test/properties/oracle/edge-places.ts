import fc from 'fast-check'
import type { Position } from './geometry.ts'

/** A document with at most one value per field, at a corner or edge of cells. */
export interface EdgeDocument {
  readonly id: string
  readonly all: string
  readonly label?: string
  readonly rank?: number
  readonly weight?: number
  readonly seen?: number
  readonly where?: Position
}

export const edgeMapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    all: { type: 'keyword' },
    label: { type: 'keyword' },
    rank: { type: 'integer' },
    weight: { type: 'double' },
    seen: { type: 'date' },
    where: { type: 'geo_point' },
  },
}

/** Returns the edge between rows `y - 1` and `y` of zoom `z`, as exact as a double can be. */
const tileEdge = (z: number, y: number): number =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI

const edges = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(), fc.nat(), fc.constantFrom(0, 0, 1e-9, -1e-9))
  .map(([z, x, y, off]): Position => {
    const lon = ((x % (2 ** z + 1)) / 2 ** z) * 360 - 180
    return [Math.max(-180, Math.min(180, lon + off)), tileEdge(z, y % (2 ** z + 1)) + off]
  })
const hashEdges = fc
  .tuple(fc.integer({ min: 1, max: 12 }), fc.nat(), fc.nat())
  .map(([b, x, y]): Position => [((x % (2 ** b + 1)) / 2 ** b) * 360 - 180, ((y % (2 ** b + 1)) / 2 ** b) * 180 - 90])
const extremes = fc.tuple(
  fc.constantFrom(-180, 180, 0, -90, 90, 179.9999999999),
  fc.constantFrom(-90, 90, 0, 85.0511287798066, -85.0511287798066, 85.05112877980659, 89.999999, -85.06),
)
const anywhere = fc.tuple(
  fc.double({ min: -180, max: 180, noNaN: true }),
  fc.double({ min: -90, max: 90, noNaN: true }),
)
const where: fc.Arbitrary<Position> = fc.oneof(edges, hashEdges, extremes, anywhere)

const document = fc.record(
  {
    all: fc.constant('x'),
    label: fc.constantFrom('red', 'green', 'blue', 'a,b', 'a:b', 'Été', 'x.y', '(z)', '7', 'north west', 'a-b'),
    rank: fc.integer({ min: -20, max: 20 }),
    weight: fc.integer({ min: -40, max: 40 }).map((n) => n / 8),
    seen: fc.integer({ min: -400, max: 400 }).map((n) => n * 7_200_000),
    where,
  },
  { requiredKeys: ['all'] },
)

export const edgeDocuments = (count: number): fc.Arbitrary<readonly EdgeDocument[]> =>
  fc
    .array(document, { minLength: count, maxLength: count })
    .map((list) => list.map((d, i) => JSON.parse(JSON.stringify({ ...d, id: `e${i}` }))))

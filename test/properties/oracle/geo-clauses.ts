import fc from 'fast-check'
import type { Clause } from './clauses.ts'
import { holedRings, lineString, position, rectangleRing, triangleRing, wktRing } from './documents.ts'
import {
  intersects,
  lineRegion,
  type Position,
  pointRegion,
  polygonRegion,
  type Region,
  type Ring,
  rectangle,
  signedArea,
  union,
  within,
} from './geometry.ts'

interface AreaText {
  readonly text: string
  readonly region: Region
}

/** Makes the exterior ring counter-clockwise, so that it selects its inside. */
const drawn = (ring: Ring): Ring => (signedArea(ring) > 0 ? ring : ring.toReversed())

type Move = (path: readonly Position[]) => readonly Position[]

const asDrawn: Move = (path) => path
/** The oracle computes with integers: degrees, or this fraction of a degree. */
const FINE = 1024
/** Moves a path so that no border touches a location with whole degrees, or a line between two. */
const aside: Move = (path) => path.map(([x, y]) => [x + 385 / FINE, y + 219 / FINE])
const fits = (move: Move, path: readonly Position[]): boolean => move(path).every(([x]) => x <= 180)

const bbox = (move: Move): fc.Arbitrary<AreaText> =>
  fc
    .tuple(position, position)
    .filter(([a, b]) => a[1] !== b[1] && fits(move, [a, b]))
    .map((corners) => move(corners))
    .map(([[x1, y1] = [0, 0], [x2, y2] = [0, 0]]) => {
      const [south, north] = [Math.min(y1, y2), Math.max(y1, y2)]
      const text = `${x1},${south},${x2},${north}`
      if (x1 === x2) {
        return {
          text,
          region: lineRegion([
            [x1, south],
            [x1, north],
          ]),
        }
      }
      if (x1 < x2) return { text, region: polygonRegion(rectangle(x1, south, x2, north)) }
      const halves = [
        ...(x1 < 180 ? [polygonRegion(rectangle(x1, south, 180, north))] : [edge(180, south, north)]),
        ...(x2 > -180 ? [polygonRegion(rectangle(-180, south, x2, north))] : [edge(-180, south, north)]),
      ]
      return { text, region: union(halves) }
    })

const edge = (x: number, south: number, north: number): Region =>
  lineRegion([
    [x, south],
    [x, north],
  ])

const wkt = (move: Move): fc.Arbitrary<AreaText> => {
  const [places, lines] = [position.filter((p) => fits(move, [p])), lineString.filter((l) => fits(move, l)).map(move)]
  const rings = fc.oneof(rectangleRing, triangleRing).filter((ring) => fits(move, ring))
  return fc.oneof(
    places.map((p) => move([p])).map(([p = [0, 0]]) => ({ text: `POINT(${p[0]} ${p[1]})`, region: pointRegion(p) })),
    fc
      .array(places, { minLength: 1, maxLength: 3 })
      .map(move)
      .map((list) => ({
        text: `multipoint (${list.map(([x, y]) => `(${x} ${y})`).join(',')})`,
        region: { polygons: [], lines: [], points: list },
      })),
    lines.map((l) => ({ text: `LINESTRING${wktRing(l)}`, region: lineRegion(l) })),
    rings.map(move).map((ring) => ({ text: `POLYGON(${wktRing(drawn(ring))})`, region: polygonRegion(ring) })),
    holedRings
      .map((pair) => pair.map(move))
      .map((pair) => ({
        text: `Polygon ( ${pair.map((r, i) => wktRing(i === 0 ? drawn(r) : r)).join(' , ')} )`,
        region: polygonRegion(...pair),
      })),
  )
}

const area: fc.Arbitrary<AreaText> = fc.oneof(bbox(asDrawn), wkt(asDrawn))

function enlarged(region: Region, times: number): Region {
  if (times === 1) return region
  const path = (positions: readonly Position[]): Ring => positions.map(([x, y]) => [x * times, y * times])
  return {
    polygons: region.polygons.map((rings) => rings.map(path)),
    lines: region.lines.map(path),
    points: path(region.points),
  }
}

const relations = ['within', 'notwithin', 'intersects', 'notintersects'] as const

/** The four geographic operators on points and on shapes. */
const clauseOn = (
  fields: readonly ('where' | 'area')[],
  areas: fc.Arbitrary<AreaText>,
  parts: number,
): fc.Arbitrary<Clause> =>
  fc
    .tuple(fc.constantFrom(...fields), fc.constantFrom(...relations), areas)
    .map(([field, op, { text, region: drawnRegion }]) => {
      const region = enlarged(drawnRegion, parts)
      const relate = op.endsWith('within') ? within : intersects
      // Cached, because exact arithmetic is slow and documents of large sets share their values.
      const answers = new WeakMap<object, boolean>()
      return {
        field,
        op,
        value: text,
        holds: (d) => {
          const values = field === 'where' ? d.where : d.area
          const known = answers.get(values)
          if (known !== undefined) return known
          const matches =
            field === 'where'
              ? d.where.some((p) => intersects(enlarged(pointRegion(p), parts), region))
              : d.area.length > 0 && relate(enlarged(union(d.area), parts), region)
          answers.set(values, matches !== op.startsWith('not'))
          return matches !== op.startsWith('not')
        },
      }
    })

export const geoClause: fc.Arbitrary<Clause> = clauseOn(['where', 'area'], area, 1)
/**
 * Same, for engines that round too (spec 2.5): points may be on the sides of a box, but nothing touches the border of
 * another area, and no oblique side of a shape touches the corner of a box.
 */
export const apartGeoClause: fc.Arbitrary<Clause> = fc.oneof(
  clauseOn(['where'], fc.oneof(bbox(asDrawn), wkt(aside)), FINE),
  clauseOn(['area'], fc.oneof(bbox(aside), wkt(aside)), FINE),
)

import fc from 'fast-check'
import type { Clause } from './clauses.ts'
import { holedRings, lineString, position, rectangleRing, triangleRing, wktRing } from './documents.ts'
import {
  intersects,
  lineRegion,
  pointRegion,
  polygonRegion,
  type Region,
  type Ring,
  rectangle,
  signedArea,
  union,
  within,
} from './geometry.ts'

export interface AreaText {
  readonly text: string
  readonly region: Region
}

/** The exterior ring counter-clockwise, so that it is taken as drawn. */
const drawn = (ring: Ring): Ring => (signedArea(ring) > 0 ? ring : ring.toReversed())

const bbox: fc.Arbitrary<AreaText> = fc
  .tuple(position, position)
  .filter(([a, b]) => a[1] !== b[1])
  .map(([[x1, y1], [x2, y2]]) => {
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

const wkt: fc.Arbitrary<AreaText> = fc.oneof(
  position.map((p) => ({ text: `POINT(${p[0]} ${p[1]})`, region: pointRegion(p) })),
  fc.array(position, { minLength: 1, maxLength: 3 }).map((list) => ({
    text: `multipoint (${list.map(([x, y]) => `(${x} ${y})`).join(',')})`,
    region: { polygons: [], lines: [], points: list },
  })),
  lineString.map((l) => ({ text: `LINESTRING${wktRing(l)}`, region: lineRegion(l) })),
  fc.oneof(rectangleRing, triangleRing).map((ring) => ({
    text: `POLYGON(${wktRing(drawn(ring))})`,
    region: polygonRegion(ring),
  })),
  holedRings.map((rings) => ({
    text: `Polygon ( ${rings.map((r, i) => wktRing(i === 0 ? drawn(r) : r)).join(' , ')} )`,
    region: polygonRegion(...rings),
  })),
)

export const area: fc.Arbitrary<AreaText> = fc.oneof(bbox, wkt)

const relations = ['within', 'notwithin', 'intersects', 'notintersects'] as const

/** The four geographic operators on points and on shapes. */
export const geoClause: fc.Arbitrary<Clause> = fc
  .tuple(fc.constantFrom('where', 'area'), fc.constantFrom(...relations), area)
  .map(([field, op, { text, region }]) => {
    const relate = op.endsWith('within') ? within : intersects
    // Exact arithmetic is slow, and documents of large sets share their values.
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
            ? d.where.some((p) => intersects(pointRegion(p), region))
            : d.area.length > 0 && relate(union(d.area), region)
        answers.set(values, matches !== op.startsWith('not'))
        return matches !== op.startsWith('not')
      },
    }
  })

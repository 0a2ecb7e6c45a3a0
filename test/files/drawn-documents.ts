import { seededRandom } from '../../bench/data/random.ts'

/** A fictional sea to draw: harbours with boats, routes between harbours, and zones, some with an island. */
export const drawnMapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    at: { type: 'date' },
    where: { type: 'geo_point' },
    shape: { type: 'geo_shape' },
  },
}

export const drawnParams = { id_path: 'id', geometry_path: 'shape', centroid_path: 'where', timestamp_path: 'at' }

type Position = readonly [number, number]

interface Drawn {
  readonly id: string
  readonly kind: string
  readonly at: number
  readonly where: Position
  readonly shape?: { readonly type: string; readonly coordinates: unknown }
}

const HARBOURS = 40
const BOATS = 6_000
const ROUTES = 60
const ZONES = 25

const rounded = (value: number): number => Math.round(value * 1e5) / 1e5
const at = (lon: number, lat: number): Position => [rounded(lon), rounded(lat)]

/** Generates the same documents in every run. */
export function drawnDocuments(): readonly Drawn[] {
  const random = seededRandom(7)
  const harbours = Array.from({ length: HARBOURS }, () => at(random.between(-150, 150), random.between(-55, 65)))
  const harbour = (): Position => harbours[random.skewed(HARBOURS)] ?? [0, 0]
  const boats = Array.from({ length: BOATS }, (_, i): Drawn => {
    const [lon, lat] = harbour()
    const spread = random.between(0.02, 4)
    const where = at(lon + random.normal() * spread, lat + random.normal() * spread)
    return { id: `boat-${i}`, kind: 'boat', at: i, where }
  })
  const routes = Array.from({ length: ROUTES }, (_, i): Drawn => {
    const [from, to] = [harbour(), harbours[random.below(HARBOURS)] ?? [0, 0]]
    const bend = random.between(-12, 12)
    const coordinates = Array.from({ length: 21 }, (__, step) => {
      const part = step / 20
      const curve = Math.sin(part * Math.PI) * bend
      return at(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part + curve)
    })
    return { id: `route-${i}`, kind: 'route', at: i, where: from, shape: { type: 'LineString', coordinates } }
  })
  const zones = Array.from({ length: ZONES }, (_, i): Drawn => {
    const [lon, lat] = harbour()
    const radius = random.between(0.5, 14)
    const ring = (share: number, uneven: readonly number[]): readonly Position[] => {
      const corners = uneven.map((factor, corner) => {
        const angle = (corner / uneven.length) * 2 * Math.PI
        return at(
          lon + Math.cos(angle) * radius * share * factor,
          lat + Math.sin(angle) * radius * share * factor * 0.7,
        )
      })
      return [...corners, corners[0] ?? [lon, lat]]
    }
    const uneven = Array.from({ length: 24 }, () => random.between(0.75, 1.1))
    const coordinates = i % 3 === 0 ? [ring(1, uneven), ring(0.4, uneven).toReversed()] : [ring(1, uneven)]
    return { id: `zone-${i}`, kind: 'zone', at: i, where: [lon, lat], shape: { type: 'Polygon', coordinates } }
  })
  return [...zones, ...routes, ...boats]
}

import { clusters, FIRST_DAY, KINDS, kindOf, LAST_DAY, type Place, placeOf, scatter } from './documents.ts'
import { type Random, seededRandom } from './random.ts'

/** Mapping of documents with an area, such as parcels and images. */
export const shapeMapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    seen: { type: 'date', format: 'epoch_millis' },
    area: { type: 'geo_shape' },
    centre: { type: 'geo_point' },
  },
}

export const shapeCollection = {
  index_name: 'shapes',
  id_path: 'id',
  geometry_path: 'area',
  centroid_path: 'centre',
  timestamp_path: 'seen',
}

type Position = readonly [lon: number, lat: number]

export interface ShapeDocument {
  readonly id: string
  readonly kind: string
  readonly seen: number
  readonly area: { readonly type: 'Polygon'; readonly coordinates: readonly [readonly Position[]] }
  readonly centre: Place
}

/** From 100 m to 50 km across. */
const LEAST_RADIUS_KM = 0.05
const LARGEST_RADIUS_KM = 25
const KM_PER_DEGREE = 111.32

const clamp = (v: number, limit: number): number => Math.max(-limit, Math.min(limit, v))
const rounded = (v: number): number => Math.round(v * 1e6) / 1e6

/** Generates documents in arrival order; the areas are valid polygons that do not cross the antimeridian. */
export function* shapes(count: number, seed: number): Generator<ShapeDocument> {
  const random = seededRandom(seed + 5)
  const gathering = clusters(seed)
  for (let n = 0; n < count; n++) {
    const place = placeOf(random, gathering)
    const ring = ringAround(random, { lon: clamp(place.lon, 178), lat: clamp(place.lat, 80) })
    yield {
      id: `shape-${String(scatter(n, count)).padStart(9, '0')}`,
      kind: kindOf(random.skewed(KINDS)),
      seen: Math.floor(random.between(FIRST_DAY, LAST_DAY)),
      area: { type: 'Polygon', coordinates: [ring] },
      centre: centroidOf(ring),
    }
  }
}

/** Draws a closed, counter-clockwise ring. Vertices at rising angles around a centre never make edges that cross. */
function ringAround(random: Random, centre: Place): readonly Position[] {
  const vertices = 5 + random.below(8)
  // Small areas are as frequent as large ones on a logarithmic scale.
  const radius = LEAST_RADIUS_KM * (LARGEST_RADIUS_KM / LEAST_RADIUS_KM) ** random.next()
  const height = radius / KM_PER_DEGREE
  const width = height / Math.cos((centre.lat * Math.PI) / 180)
  const ring = Array.from({ length: vertices }, (_, n): Position => {
    const angle = ((n + random.between(-0.4, 0.4)) * 2 * Math.PI) / vertices
    const reach = random.between(0.5, 1)
    return [
      rounded(centre.lon + width * reach * Math.cos(angle)),
      rounded(centre.lat + height * reach * Math.sin(angle)),
    ]
  })
  const [first] = ring
  return first === undefined ? [] : [...ring, first]
}

/** Centroid of the area of a ring. */
function centroidOf(ring: readonly Position[]): Place {
  const [[lon0, lat0] = [0, 0]] = ring
  let doubleArea = 0
  let x = 0
  let y = 0
  // Relative to the first vertex, because the products of small areas far from 0 lose their last digits.
  for (let n = 1; n < ring.length; n++) {
    const [ax, ay] = relative(ring[n - 1], lon0, lat0)
    const [bx, by] = relative(ring[n], lon0, lat0)
    const cross = ax * by - bx * ay
    doubleArea += cross
    x += (ax + bx) * cross
    y += (ay + by) * cross
  }
  return { lat: rounded(lat0 + y / (3 * doubleArea)), lon: rounded(lon0 + x / (3 * doubleArea)) }
}

const relative = ([lon, lat]: Position = [0, 0], lon0: number, lat0: number): Position => [lon - lon0, lat - lat0]

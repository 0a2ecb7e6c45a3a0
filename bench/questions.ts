import { type Cluster, clusters, FIRST_DAY, idOf, KINDS, kindOf, LAST_DAY, OWNERS, ownerOf } from './documents.ts'
import { bounds, f, filtered, type Tile } from './question-parts.ts'
import { type Random, seededRandom } from './random.ts'

export interface HttpCall {
  readonly method: 'GET' | 'POST'
  /** Path and query. */
  readonly path: string
  readonly body?: unknown
}

/** Varying parameters of one repetition. */
export interface Draw {
  readonly kind: string
  readonly owner: string
  readonly id: string
  readonly from: number
  readonly to: number
  readonly tile: Tile
  readonly ring: readonly (readonly [number, number])[]
}

/** One kind of question, in the syntax of both systems; both answers must have the same `size`. */
export interface Question {
  readonly name: string
  readonly tileZoom?: number
  /** Quick for any engine, so that the overhead of the request and of printing is visible. */
  readonly isQuick?: true
  readonly periplus: (d: Draw) => HttpCall
  readonly opensearch: (d: Draw) => unknown
}

const search = (path: string): HttpCall => ({ method: 'GET', path: `/explore/bench/${path}` })

const counting = { size: 0, track_total_hits: true }
const ringText = (d: Draw): string => `POLYGON((${d.ring.map(([x, y]) => `${x} ${y}`).join(',')}))`

export const searchQuestions: readonly Question[] = [
  {
    name: 'count all',
    isQuick: true,
    periplus: () => search('_count'),
    opensearch: () => ({ ...counting, query: { match_all: {} } }),
  },
  {
    name: 'count term + time range',
    isQuick: true,
    periplus: (d) => search(`_count?${f('kind', 'eq', d.kind)}&${f('seen', 'range', `[${d.from}<${d.to}]`)}`),
    opensearch: (d) => ({
      ...counting,
      ...filtered({ term: { kind: d.kind } }, { range: { seen: { gte: d.from, lte: d.to } } }),
    }),
  },
  {
    name: '10 newest hits',
    isQuick: true,
    periplus: () => search('_search?size=10&sort=-seen,id'),
    opensearch: () => ({ size: 10, track_total_hits: true, sort: [{ seen: 'desc' }, { id: 'asc' }] }),
  },
  {
    name: '10 newest of one owner',
    periplus: (d) => search(`_search?size=10&sort=-seen,id&${f('owner', 'eq', d.owner)}`),
    opensearch: (d) => ({
      size: 10,
      track_total_hits: true,
      sort: [{ seen: 'desc' }, { id: 'asc' }],
      ...filtered({ term: { owner: d.owner } }),
    }),
  },
  {
    name: '60 newest in a tile (z8)',
    isQuick: true,
    tileZoom: 8,
    periplus: ({ tile: t }) => search(`_geosearch/${t.z}/${t.x}/${t.y}?size=60&sort=-seen,id`),
    opensearch: (d) => ({
      size: 60,
      track_total_hits: false,
      sort: [{ seen: 'desc' }, { id: 'asc' }],
      ...filtered(bounds(d.tile)),
    }),
  },
  {
    name: 'page of 50 by id, no filter',
    periplus: (d) => search(`_search?size=50&sort=id&after=${d.id}`),
    opensearch: (d) => ({ size: 50, track_total_hits: true, sort: [{ id: 'asc' }], search_after: [d.id] }),
  },
  {
    name: 'one document by id',
    isQuick: true,
    periplus: (d) => search(d.id),
    opensearch: (d) => ({ size: 1, track_total_hits: false, ...filtered({ term: { id: d.id } }) }),
  },
  ...[2, 5, 8, 11].map(
    (z): Question => ({
      name: `1000 features of a tile (z${z})`,
      tileZoom: z,
      periplus: ({ tile: t }) => search(`_geosearch/${t.z}/${t.x}/${t.y}?size=1000`),
      opensearch: (d) => ({
        size: 1000,
        track_total_hits: false,
        sort: [{ id: 'asc' }],
        ...filtered(bounds(d.tile)),
      }),
    }),
  ),
  {
    name: 'count in a polygon of 24 vertices',
    periplus: (d) => search(`_count?${f('location', 'within', ringText(d))}`),
    opensearch: (d) => ({
      ...counting,
      ...filtered({ geo_polygon: { location: { points: d.ring } } }),
    }),
  },
]

function tileAt(lon: number, lat: number, z: number): Tile {
  const n = 2 ** z
  const sin = Math.sin((lat * Math.PI) / 180)
  const clamp = (v: number): number => Math.max(0, Math.min(n - 1, Math.floor(v)))
  return {
    z,
    x: clamp(((lon + 180) / 360) * n),
    y: clamp((0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * n),
  }
}

/** Draws the parameters of one repetition, around locations with documents. */
function draw(random: Random, gathering: readonly Cluster[], count: number, zoom: number): Draw {
  const cluster = gathering[random.skewed(gathering.length)] ?? { lon: 0, lat: 0, spread: 1 }
  const lon = cluster.lon + random.normal() * cluster.spread
  const lat = cluster.lat + random.normal() * cluster.spread
  const from = Math.floor(random.between(FIRST_DAY, LAST_DAY))
  const radius = random.between(0.5, 3)
  const ring = Array.from({ length: 24 }, (_, i): readonly [number, number] => {
    const angle = (2 * Math.PI * i) / 24
    return [cluster.lon + radius * Math.cos(angle), cluster.lat + radius * Math.sin(angle)]
  })
  return {
    kind: kindOf(random.skewed(KINDS)),
    owner: ownerOf(random.skewed(OWNERS)),
    id: idOf(random.below(count)),
    from,
    to: from + Math.floor(random.between(1, 365) * 86_400_000),
    tile: tileAt(lon, lat, zoom),
    ring: ring[0] === undefined ? [] : [...ring, ring[0]],
  }
}

/** Draws the parameters of all repetitions of a question; equal for every system. */
export function drawsOf(question: Question, { seed, documents, repetitions }: DrawOptions): readonly Draw[] {
  const random = seededRandom(seed + 2)
  const gathering = clusters(seed)
  return Array.from({ length: repetitions }, () => draw(random, gathering, documents, question.tileZoom ?? 6))
}

interface DrawOptions {
  readonly seed: number
  readonly documents: number
  readonly repetitions: number
}

import { type Random, seededRandom } from './random.ts'
import { drawWord } from './vocabulary.ts'

/** Mapping used by all systems with mappings. */
export const mapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    owner: { type: 'keyword' },
    kind: { type: 'keyword' },
    seen: { type: 'date', format: 'epoch_millis' },
    speed: { type: 'double' },
    title: { type: 'text' },
    tags: { type: 'keyword' },
    location: { type: 'geo_point' },
  },
}

export const collection = {
  index_name: 'bench',
  id_path: 'id',
  geometry_path: 'location',
  centroid_path: 'location',
  timestamp_path: 'seen',
  taggable_fields: 'tags',
}

export interface BenchDocument {
  readonly id: string
  readonly owner: string
  readonly kind: string
  readonly seen: number
  readonly speed: number
  readonly title: string
  readonly location: Place
}

export interface Place {
  readonly lat: number
  readonly lon: number
}

export const OWNERS = 5_000
export const KINDS = 20
export const FIRST_DAY = Date.UTC(2015, 0, 1)
export const LAST_DAY = Date.UTC(2025, 0, 1)
const CLUSTERS = 300
const TITLE_WORDS = 8

export interface Cluster {
  readonly lon: number
  readonly lat: number
  readonly spread: number
}

/** Returns the centres around which documents are placed, such as ports and cities. */
export function clusters(seed: number): readonly Cluster[] {
  const random = seededRandom(seed)
  return Array.from({ length: CLUSTERS }, () => ({
    lon: random.between(-170, 170),
    lat: random.between(-60, 70),
    spread: random.between(0.05, 2),
  }))
}

const clamp = (v: number, limit: number): number => Math.max(-limit, Math.min(limit, v))
const rounded = (v: number): number => Math.round(v * 1e6) / 1e6

/** Draws a place: nine in ten are near a cluster. */
export function placeOf(random: Random, gathering: readonly Cluster[]): Place {
  const cluster = gathering[random.skewed(gathering.length)]
  if (cluster === undefined || random.next() < 0.1) {
    return { lat: rounded(random.between(-80, 80)), lon: rounded(random.between(-180, 180)) }
  }
  return {
    lat: rounded(clamp(cluster.lat + random.normal() * cluster.spread, 85)),
    lon: rounded(clamp(cluster.lon + random.normal() * cluster.spread, 180)),
  }
}

export const idOf = (n: number): string => `doc-${String(n).padStart(9, '0')}`
export const ownerOf = (n: number): string => `owner-${n}`
export const kindOf = (n: number): string => `kind-${n}`

const titleOf = (random: Random): string => Array.from({ length: TITLE_WORDS }, () => drawWord(random)).join(' ')

/** Returns a function that draws the other fields of a document. */
export function documentDrawer(random: Random, seed: number): (id: string, seen: number) => BenchDocument {
  const gathering = clusters(seed)
  return (id, seen) => ({
    id,
    owner: ownerOf(random.skewed(OWNERS)),
    kind: kindOf(random.skewed(KINDS)),
    seen,
    speed: Math.round(random.between(0, 30) * 100) / 100,
    title: titleOf(random),
    location: placeOf(random, gathering),
  })
}

/** Generates documents in arrival order: ids and dates are not sorted, as in a real feed. */
export function* documents(count: number, seed: number): Generator<BenchDocument> {
  const random = seededRandom(seed + 1)
  const draw = documentDrawer(random, seed)
  for (let n = 0; n < count; n++) {
    yield draw(idOf(scatter(n, count)), Math.floor(random.between(FIRST_DAY, LAST_DAY)))
  }
}

/** A permutation of 0..count-1. */
export function scatter(n: number, count: number): number {
  // Multiplying by an odd number is a bijection modulo 2^k, so ids arrive out of order and stay unique.
  const size = 2 ** Math.ceil(Math.log2(Math.max(2, count)))
  let at = n
  do at = (at * 5 + 12345) % size
  while (at >= count)
  return at
}

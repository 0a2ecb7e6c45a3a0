import { datasets } from '../data/datasets.ts'
import { type Cluster, clusters, idOf, KINDS, kindOf, OWNERS, ownerOf } from '../data/documents.ts'
import { type Random, seededRandom } from '../data/random.ts'
import { frequentWord, ordinaryWord, rareWord } from '../data/vocabulary.ts'
import type { Draw, Question, Tile, TimeFilter, TimeRange } from './question.ts'

export interface DrawOptions {
  readonly seed: number
  /** Number of documents that were loaded. */
  readonly documents: number
  readonly repetitions: number
  readonly time: TimeFilter
}

const DAY_MS = 86_400_000
/** After all documents, also those that arrive during a measurement. */
const BEYOND = Date.UTC(2100, 0, 1)
/** Share of the dates that a changing time filter excludes at most. */
const EXCLUDED = 0.001
const ZOOM = 6

/** Draws the parameters of all repetitions of a question; equal for every system. */
export function drawsOf(question: Question, options: DrawOptions): readonly Draw[] {
  const { seed, repetitions } = options
  const random = seededRandom(seed + 2)
  // Not from `random`, so that the other parameters do not depend on the time filter.
  const timeRandom = seededRandom(seed + 3)
  const gathering = clusters(seed)
  return Array.from({ length: repetitions }, () => {
    const time = drawTime(timeRandom, question, options.time)
    return { ...draw(random, gathering, question, options), ...(time === undefined ? {} : { time }) }
  })
}

/** Draws the parameters of one repetition, around locations with documents. */
function draw(random: Random, gathering: readonly Cluster[], question: Question, { documents }: DrawOptions): Draw {
  const { tileZoom = ZOOM, ringVertices = 24 } = question
  const { time } = datasets[question.dataset ?? 'points']
  const cluster = gathering[random.skewed(gathering.length)] ?? { lon: 0, lat: 0, spread: 1 }
  const lon = cluster.lon + random.normal() * cluster.spread
  const lat = cluster.lat + random.normal() * cluster.spread
  const from = Math.floor(random.between(time.from, time.to))
  return {
    cluster,
    tile: tileAt(lon, lat, tileZoom),
    range: { from, to: from + Math.floor(random.between(1, 365) * DAY_MS) },
    kind: kindOf(random.skewed(KINDS)),
    owner: ownerOf(random.skewed(OWNERS)),
    id: idOf(random.below(documents)),
    words: { frequent: frequentWord(random), rare: rareWord(random), other: ordinaryWord(random) },
    ring: ringAround(random, cluster, ringVertices),
  }
}

function drawTime(random: Random, { dataset = 'points' }: Question, filter: TimeFilter): TimeRange | undefined {
  if (filter === 'none') return undefined
  const { from, to } = datasets[dataset].time
  const moved = filter === 'constant' ? 0 : random.below(Math.min(DAY_MS, (to - from) * EXCLUDED))
  return { from: from + moved, to: BEYOND }
}

/** Draws a closed, counter-clockwise ring; every second vertex of a ring with many is nearer to the centre. */
function ringAround(random: Random, centre: Cluster, vertices: 24 | 200): Draw['ring'] {
  const radius = random.between(0.5, 3)
  const ring = Array.from({ length: vertices }, (_, n): readonly [number, number] => {
    const angle = (2 * Math.PI * n) / vertices
    const reach = vertices === 24 ? 1 : n % 2 === 0 ? random.between(0.9, 1) : random.between(0.4, 0.7)
    return [
      rounded(centre.lon + radius * reach * Math.cos(angle)),
      rounded(centre.lat + radius * reach * Math.sin(angle)),
    ]
  })
  const [start] = ring
  return start === undefined ? [] : [...ring, start]
}

/** One digit more than documents have, so that they are hardly ever on a border. */
const rounded = (v: number): number => Math.round(v * 1e7) / 1e7

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

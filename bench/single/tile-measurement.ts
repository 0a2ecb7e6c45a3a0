import { clusters } from '../data/documents.ts'
import { type Random, seededRandom } from '../data/random.ts'
import { summarise, type Timing } from '../measure/timing.ts'
import { isAskedFor } from '../options.ts'
import type { MeasuredServer } from './export-measurement.ts'

const KINDS = { mvt: (place: string) => `_mvt/${place}.mvt`, png: (place: string) => `_tile/${place}.png` } as const
const ZOOMS = [2, 5, 8, 11]
/** Concurrent requests, as sent by a map. */
const PARALLEL = 6

export interface TileResult {
  readonly kind: string
  readonly zoom: number
  /** Sequential requests. */
  readonly alone: Timing
  /** Concurrent requests. */
  readonly tilesPerSecond: number
  readonly medianBytes: number
}

/** Measures tiles around the locations of documents. */
export async function measureTiles(
  { url }: MeasuredServer,
  { seed, repetitions, only }: { readonly seed: number; readonly repetitions: number; readonly only: string },
): Promise<readonly TileResult[]> {
  const results: TileResult[] = []
  for (const [kind, path] of Object.entries(KINDS).filter(([name]) => isAskedFor(only, name))) {
    for (const zoom of ZOOMS) {
      console.log(`tiles: ${kind} of zoom ${zoom}`)
      const random = seededRandom(seed + zoom)
      const addresses = Array.from(
        { length: repetitions },
        () => `${url}/explore/bench/${path(place(random, seed, zoom))}`,
      )
      await get(addresses[0] ?? url)
      const replies = []
      for (const address of addresses) replies.push(await get(address))
      results.push({
        kind,
        zoom,
        alone: summarise(replies.map(({ ms }) => ms)),
        tilesPerSecond: await rateOf(addresses),
        medianBytes: summarise(replies.map(({ bytes }) => bytes)).median,
      })
    }
  }
  return results
}

function place(random: Random, seed: number, zoom: number): string {
  const gathering = clusters(seed)
  const { lon, lat } = gathering[random.skewed(gathering.length)] ?? { lon: 0, lat: 0 }
  const n = 2 ** zoom
  const column = Math.min(n - 1, Math.floor(((lon + 180) / 360) * n))
  const row = Math.floor((0.5 - Math.asinh(Math.tan((lat * Math.PI) / 180)) / (2 * Math.PI)) * n)
  return `${zoom}/${column}/${row}`
}

async function get(url: string): Promise<{ readonly ms: number; readonly bytes: number }> {
  const started = performance.now()
  const response = await fetch(url)
  const bytes = (await response.arrayBuffer()).byteLength
  if (!response.ok) throw new Error(`${url} returned ${response.status}`)
  return { ms: performance.now() - started, bytes }
}

async function rateOf(addresses: readonly string[]): Promise<number> {
  const queue = addresses.values()
  const started = performance.now()
  const worker = async (): Promise<void> => {
    for (const address of queue) await get(address)
  }
  await Promise.all(Array.from({ length: PARALLEL }, worker))
  return (addresses.length * 1000) / (performance.now() - started)
}

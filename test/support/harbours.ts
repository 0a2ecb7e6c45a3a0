import { createIndex, putCollection } from './index-loading.ts'

/**
 * Documents with predictable results: the i-th is at `i % 90` degrees east and north, one hour after the previous one.
 */
export interface Harbour {
  readonly id: string
  readonly kind: string
  readonly seen: number
  readonly size: number
  readonly title: string
  readonly where: { readonly lat: number; readonly lon: number }
}

const FIRST = Date.UTC(2024, 0, 1)
const HOUR = 3_600_000
const KINDS = ['cargo', 'ferry', 'fishing', 'pilot'] as const

const harbourMapping = {
  dynamic: false,
  properties: {
    id: { type: 'keyword' },
    kind: { type: 'keyword' },
    seen: { type: 'date', format: 'epoch_millis' },
    size: { type: 'integer' },
    title: { type: 'text' },
    where: { type: 'geo_point' },
  },
}

const harbours = (count: number): readonly Harbour[] =>
  Array.from({ length: count }, (_, i) => ({
    id: `h${String(i).padStart(6, '0')}`,
    kind: KINDS[i % 4] ?? 'cargo',
    seen: FIRST + i * HOUR,
    size: i % 100,
    title: i % 10 === 0 ? 'quiet harbour in the north' : 'busy harbour',
    where: { lat: (i % 80) + 0.5, lon: (i % 90) + 0.5 },
  }))

/** Loads the documents as index and collection `harbours`. */
export async function loadHarbours(base: string, count: number): Promise<readonly Harbour[]> {
  const all = harbours(count)
  const bulk = all.map((d) => `${JSON.stringify({ index: { _id: d.id } })}\n${JSON.stringify(d)}\n`)
  await createIndex(base, 'harbours', harbourMapping, bulk.join(''))
  await putCollection(base, 'harbours', {
    index_name: 'harbours',
    id_path: 'id',
    geometry_path: 'where',
    centroid_path: 'where',
    timestamp_path: 'seen',
  })
  return all
}

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Limits } from '../config/settings.ts'
import type { IndexInfo } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import { type Collections, createCollections } from './collections.ts'
import { sampleIndex, sampleMapping } from './sample-collection.fixture.ts'
import type { ReferenceStore } from './store/reference-store.ts'
import { openSqliteReferenceStore } from './store/sqlite-reference-store.ts'

const limits: Limits = {
  size: 10_000,
  vertices: 5_000,
  filterVertices: 20_000,
  crossings: 2_000,
  patternLength: 1_000,
  expressions: 10_000,
  bodyBytes: 16 << 20,
  bulkBytes: 128 << 20,
  loadBytes: 2 * 2 ** 30,
  loadUnpackedBytes: 8 * 2 ** 30,
  loads: 2,
  liveStreams: 100,
  liveMs: 600_000,
  loadMemoryMiB: 1024,
  exploreBytes: 2 << 20,
  fields: 500,
  jsonNodes: 100_000,
  filterCost: 50_000,
  stacAggregations: 50,
  stacBuckets: 10_000,
  stacTerms: 100,
  stacSummaryFields: 16,
  stacSummaryTerms: 20,
  filterDepth: 100,
  queryLength: 32_000,
  ogcItems: 10_000,
  discardBytes: 256 << 20,
  discardMs: 10_000,
  arrivalMs: 300_000,
  urlBytes: 64 << 10,
  headerBytes: 64 << 10,
  timeMs: 30_000,
  exactDistinct: 100_000,
  concurrentRequests: 256,
  scan: 100_000,
  buckets: 65_535,
  aggregationDepth: 5,
  geotileDepth: 6,
  fetchHits: 100,
  bucketHits: 100_000,
  shapefileColumns: 255,
}

const alternative = {
  ...sampleMapping,
  properties: { ...sampleMapping.properties, added: { type: 'keyword' as const } },
}
const available = [
  sampleIndex('dataset'),
  sampleIndex('dataset_alt', alternative),
  sampleIndex('dataset_original'),
  sampleIndex('plain', { properties: { id: { type: 'long' }, at: { type: 'date' }, place: { type: 'geo_point' } } }),
]
const indices = async (pattern: string): Promise<readonly IndexInfo[]> => {
  const [start = '', end] = pattern.split('*')
  return available.filter(({ name }) => (end === undefined ? name === pattern : name.startsWith(start)))
}

/** Collections in a temporary store, over the indices above. `close` removes the store. */
export interface TemporaryCollections {
  readonly collections: Collections
  /** The same collections with the setting inspire.required. */
  readonly inspired: Collections
  readonly store: ReferenceStore
  close(): Promise<void>
}

export function openTemporaryCollections(): TemporaryCollections {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-collections-'))
  const store = openSqliteReferenceStore(join(directory, 'metadata.sqlite'))
  const now = () => Date.UTC(2024, 4, 6, 7, 8, 9, 123)
  const options = { store, engine: { indices }, now }
  return {
    collections: createCollections({ ...options, settings: { limits, inspire: { required: false } } }),
    inspired: createCollections({ ...options, settings: { limits, inspire: { required: true } } }),
    store,
    close: async () => {
      await store.close()
      rmSync(directory, { recursive: true })
    },
  }
}

/** Returns code and message of the problem `work` rejects with. The code is `none` if it succeeds. */
export async function faultOf(work: Promise<unknown>): Promise<{ readonly code: string; readonly message: string }> {
  try {
    await work
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, message: error.message }
    throw error
  }
  return { code: 'none', message: '' }
}

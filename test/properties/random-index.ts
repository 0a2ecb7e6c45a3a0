import fc from 'fast-check'
import { call } from '../support/http-client.ts'
import { createIndex, loadBulk, putCollection } from '../support/index-loading.ts'
import { PATIENT } from '../support/patience.ts'
import type { RunningServer } from '../support/running-server.ts'
import { seed } from '../support/seed.ts'
import {
  type AggregatedDocument,
  aggregatedDocuments,
  mapping as aggregatedMapping,
} from './oracle/aggregated-documents.ts'
import { collection, documents, mapping, type RandomDocument, renumbered } from './oracle/documents.ts'
import { type EdgeDocument, edgeDocuments, edgeMapping } from './oracle/edge-places.ts'

/** A kind of random documents with its mapping. */
export interface RandomDocuments<D extends RandomDocument> {
  readonly make: (count: number) => fc.Arbitrary<readonly D[]>
  readonly mapping: unknown
}

const plainDocuments: RandomDocuments<RandomDocument> = { make: documents, mapping }
/** Documents with a field of every type, points on cell edges, and axis-parallel shapes. */
export const documentsToAggregate = { make: aggregatedDocuments, mapping: aggregatedMapping }

/** Documents are generated once; larger sets repeat their content with other ids. */
const DISTINCT = 300

function makeDocuments<D extends RandomDocument>(kind: RandomDocuments<D>, count: number): readonly D[] {
  const [made = []] = fc.sample(kind.make(Math.min(count, DISTINCT)), { seed, numRuns: 1 })
  return Array.from({ length: count }, (_, n) => n).flatMap((n) => {
    const content = made[n % DISTINCT]
    return content === undefined ? [] : [renumbered(content, n)]
  })
}

const indexLine = (d: RandomDocument): string =>
  `${JSON.stringify({ index: { _id: d.id } })}\n${JSON.stringify(d.wire)}\n`

/** Loads random documents as index and collection `name`. The same seed gives the same documents. */
export async function loadRandom<D extends RandomDocument>(
  kind: RandomDocuments<D>,
  base: string,
  name: string,
  count: number,
): Promise<readonly D[]> {
  const made = makeDocuments(kind, count)
  await createIndex(base, name, kind.mapping, made.map(indexLine).join(''))
  await putCollection(base, name, { ...collection, index_name: name })
  return made
}

/**
 * Loads enough documents for an arrangement. With `tail`, also new, changed and deleted documents that are not
 * arranged, so that queries must read both parts.
 */
export async function loadArrangedDocuments(
  server: RunningServer,
  name: string,
  tail: boolean,
): Promise<readonly RandomDocument[]> {
  return loadArranged(plainDocuments, server, name, tail)
}

/** Same, with documents of one kind. */
export async function loadArranged<D extends RandomDocument>(
  kind: RandomDocuments<D>,
  server: RunningServer,
  name: string,
  tail: boolean,
): Promise<readonly D[]> {
  const first = await loadRandom(kind, server.base, name, 10_200)
  await server.arrange()
  if (!tail) return first
  const fresh = makeDocuments(kind, 10_300).slice(10_200)
  const changed = first.slice(0, 100).map((d, n) => renumbered(first[n + 150] ?? d, n))
  const deleted = first.slice(100, 150)
  const lines = [...fresh, ...changed].map(indexLine)
  const removals = deleted.map((d) => `${JSON.stringify({ delete: { _id: d.id } })}\n`)
  await loadBulk(server.base, name, [...lines, ...removals].join(''))
  return [...changed, ...first.slice(150), ...fresh]
}

/**
 * Creates one collection over two indices. The first one is arranged. The second one is not, and its mapping lacks
 * `half`, so its documents have no value for it.
 */
export async function loadInTwoIndices(server: RunningServer, name: string): Promise<readonly AggregatedDocument[]> {
  const made = makeDocuments(documentsToAggregate, 10_300)
  const [first, second] = [made.slice(0, 10_200), made.slice(10_200)]
  const { half: _, ...properties } = aggregatedMapping.properties
  await createIndex(server.base, `${name}_1`, aggregatedMapping, first.map(indexLine).join(''))
  await server.arrange()
  await createIndex(server.base, `${name}_2`, { ...aggregatedMapping, properties }, second.map(indexLine).join(''))
  await putCollection(server.base, name, { ...collection, index_name: `${name}_*` })
  return [...first, ...second.map((d) => ({ ...d, half: [] }))]
}

/** Loads documents with single values at corners and edges of cells, as index and collection `name`. */
export async function loadEdgePlaces(base: string, name: string, count: number): Promise<readonly EdgeDocument[]> {
  const [made = []] = fc.sample(edgeDocuments(count), { seed, numRuns: 1 })
  const lines = made.map((d) => `{"index":{}}\n${JSON.stringify(d)}\n`)
  await createIndex(base, name, edgeMapping, lines.join(''))
  const paths = { id_path: 'id', geometry_path: 'where', centroid_path: 'where', timestamp_path: 'seen' }
  await putCollection(base, name, { index_name: name, ...paths })
  return made
}

/** Factor of the time for random runs: a fifth by default, so that all tests take minutes. */
const PATIENCE = Number(process.env.TEST_PATIENCE ?? 0.2)

/**
 * Checks a property with `runs` values, or as many as fit into `ms`, but at least one, so that slow machines check less
 * instead of failing. Failures are shrunk within the timeout of the test.
 */
export async function tryWithin<T>(
  values: fc.Arbitrary<T>,
  law: (value: T) => Promise<void>,
  runs: number,
  ms: number,
): Promise<void> {
  const until = Date.now() + ms * PATIENCE
  let tried = 0
  let failed = false
  const property = fc.asyncProperty(values, async (value) => {
    if (tried > 0 && !failed && Date.now() > until) return
    try {
      await law(value)
      tried++
    } catch (error) {
      failed = true
      throw error
    }
  })
  await fc.assert(property, { seed, numRuns: runs, interruptAfterTimeLimit: PATIENT.timeout })
}

/** Returns the total of a `_count`. Throws if it is rejected. */
export async function countOf(base: string, collectionName: string, filter: unknown): Promise<number> {
  const answer = await call(base, { method: 'POST', path: `/explore/${collectionName}/_count`, body: { filter } })
  if (answer.status !== 200) throw new Error(`${JSON.stringify(filter)} returned ${answer.status} ${answer.text}`)
  return (answer.json() as { readonly totalnb: number }).totalnb
}

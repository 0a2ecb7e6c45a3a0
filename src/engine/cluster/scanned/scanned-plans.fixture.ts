import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  type AggregatedDocument,
  aggregatedDocuments,
  mapping as testMapping,
} from '../../../../test/properties/oracle/aggregated-documents.ts'
import { type Asked, writeBody } from '../../../../test/properties/oracle/aggregation-request.ts'
import { collection } from '../../../../test/properties/oracle/documents.ts'
import { seed } from '../../../../test/support/seed.ts'
import type { Cell } from '../../../geo/grid/cell.ts'
import type { Aggregation } from '../../../model/aggregation.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { Mapping } from '../../../model/mapping.ts'
import { cellPredicate, resolveAggregations } from '../../../query/aggregation/aggregation-resolver.ts'
import { parseAggregations } from '../../../query/aggregation/aggregation-syntax.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import { everything } from '../../../query/plan/predicate.ts'
import { indexInfo, limits } from '../../../query/request/sample-collection.fixture.ts'
import type { CollectionView } from '../../../query/schema/collection-view.ts'
import { compilePatterns } from '../../../query/schema/field-pattern.ts'
import { schemaOf } from '../../../query/schema/schema.ts'
import { openDuckdbEngine } from '../../duckdb/open-engine.ts'
import type { Engine, FoundDocument, StoredDocument } from '../../engine.ts'
import type { DocumentSupply } from './scanned-aggregation.ts'
import type { DocumentName } from './scanned-document.ts'

const mapping = testMapping as Mapping

export const view: CollectionView = {
  reference: { collection_name: 'scanned', params: collection },
  schema: schemaOf([indexInfo('scanned', mapping)]),
  hidden: compilePatterns(''),
}

/** Random documents with a field of every type; deterministic for a seed. */
export function randomDocuments(count: number): readonly StoredDocument[] {
  const [made = []] = fc.sample(aggregatedDocuments(count), { seed, numRuns: 1 })
  return made.map((document: AggregatedDocument) => ({
    index: 'scanned',
    id: document.id,
    source: document.wire as JsonObject,
  }))
}

/** Returns the plan of random aggregations, or of a tile request; undefined if they name an unknown field first. */
export function planOf(levels: readonly Asked[], cell?: Cell): AggregationPlan | undefined {
  const operation = cell === undefined ? ({ kind: 'aggregate' } as const) : ({ kind: 'geoaggregate', cell } as const)
  const context = { collection: view, limits: { ...limits, geotileDepth: 29 }, origin: 'body' as const, operation }
  const bodies = JSON.parse(JSON.stringify(levels.map(writeBody))) as readonly Aggregation[]
  const resolved = resolveAggregations(parseAggregations(bodies, context), context)
  const [main] = resolved
  if (main?.level === undefined) return undefined
  return {
    indices: ['scanned'],
    predicate: cell === undefined ? everything : cellPredicate(cell, main, view),
    levels: resolved.flatMap(({ level }) => level ?? []),
    limits: { buckets: limits.buckets, bucketHits: limits.bucketHits },
  }
}

/** Supplies documents in small batches. */
export function supplyOf(documents: readonly StoredDocument[]): DocumentSupply {
  const byId = new Map(documents.map((document) => [document.id, document]))
  const toFound = ({ index, source }: StoredDocument): FoundDocument => ({ index, source })
  return {
    batches: batchesOf(documents),
    fetch: async (names: readonly DocumentName[]) =>
      names.map(({ id }) => {
        const document = byId.get(id)
        return document && toFound(document)
      }),
  }
}

async function* batchesOf(documents: readonly StoredDocument[]): AsyncIterable<readonly StoredDocument[]> {
  for (let at = 0; at < documents.length; at += 70) yield documents.slice(at, at + 70)
}

/** Opens the embedded engine with the same documents. */
export async function openReference(
  documents: readonly StoredDocument[],
): Promise<{ readonly engine: Engine; readonly close: () => Promise<void> }> {
  const directory = mkdtempSync(join(tmpdir(), 'periplus-scanned-'))
  const engine = await openDuckdbEngine({ directory, memoryMiB: 256, threads: 2, concurrency: 4 })
  await engine.createIndex('scanned', mapping)
  await engine.write(
    'scanned',
    documents.map(({ id, source }) => ({ kind: 'index', id, source })),
  )
  const close = async (): Promise<void> => {
    await engine.close()
    rmSync(directory, { recursive: true })
  }
  return { engine, close }
}

import { problem } from '../../../errors.ts'
import type { AggregationPlan } from '../../../query/plan/aggregation-plan.ts'
import { Turn } from '../../../turn.ts'
import type { AggregationResult, BucketList, FoundDocument } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { fetchDocuments } from './document-fetch.ts'
import { SHAPE_GRIDS } from './missing-primitive.ts'
import { groupScanned, type ScannedBucket } from './scanned-buckets.ts'
import { type DocumentName, readScanned, type ScannedBatches } from './scanned-document.ts'
import { neededFields, readNeeded } from './scanned-fields.ts'

/** Batches of partial documents, and a way to fetch whole ones. */
export interface DocumentSupply extends ScannedBatches {
  /** In the order of the names; undefined for a deleted document. */
  readonly fetch: (names: readonly DocumentName[]) => Promise<readonly (FoundDocument | undefined)[]>
}

/**
 * Computes the buckets of a plan from the documents of its selection, because the cluster lacks a primitive. Throws
 * NOT_IMPLEMENTED if there are too many documents, and always for grids of shapes (spec aggregations 2.6).
 */
export async function aggregateByScan(
  context: ClusterContext,
  plan: AggregationPlan,
  primitive: string,
  signal?: AbortSignal,
): Promise<AggregationResult> {
  if (primitive === SHAPE_GRIDS) throw problem('NOT_IMPLEMENTED', { name: primitive, owner: context.dialect.label })
  const read = await readNeeded(context, plan, primitive, neededFields(plan.levels), signal)
  return aggregateScanned(plan, { ...read, fetch: (names) => fetchDocuments(context, names, signal) }, signal)
}

/** Computes the buckets of a plan over the given documents, which must all belong to its selection. */
export async function aggregateScanned(
  plan: AggregationPlan,
  supply: DocumentSupply,
  signal?: AbortSignal,
): Promise<AggregationResult> {
  const turn = new Turn(signal)
  const documents = await readScanned(neededFields(plan.levels), supply, turn)
  const root = await groupScanned(plan, documents, turn)
  const picked = [...new Set(picksBelow(root))]
  const found = picked.length === 0 ? [] : await supply.fetch(picked.map((document) => documents.name(document)))
  const byNumber = new Map(picked.map((document, i) => [document, found[i]]))
  return { total: documents.count, ...bucketList(root, plan.levels.length, byNumber) }
}

function* picksBelow({ children }: ScannedBucket): Generator<number> {
  for (const child of children) {
    for (const picks of child.picks) yield* picks
    yield* picksBelow(child)
  }
}

function bucketList(
  { children, others }: ScannedBucket,
  depth: number,
  documents: ReadonlyMap<number, FoundDocument | undefined>,
): BucketList {
  return {
    others,
    buckets: children.map((child) => ({
      key: child.key,
      count: child.count,
      metrics: child.metrics,
      tops: child.picks.map((picks) => picks.flatMap((document) => documents.get(document) ?? [])),
      ...(depth > 1 ? { children: bucketList(child, depth - 1, documents) } : {}),
    })),
  }
}

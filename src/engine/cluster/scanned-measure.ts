import type { MeasurePlan } from '../../query/aggregation-plan.ts'
import type { MeasureResult, StoredDocument } from '../engine.ts'
import { readMatching } from './bounded-scan.ts'
import type { ClusterContext } from './cluster-context.ts'
import { Pauses } from './event-loop-pauses.ts'
import { readScanned } from './scanned-document.ts'
import { neededFields } from './scanned-fields.ts'
import { scannedMetric } from './scanned-metric.ts'

/** The figures of a plan with a primitive the cluster lacks, from the documents of its selection. */
export function measureByScan(
  context: ClusterContext,
  plan: MeasurePlan,
  primitive: string,
  signal?: AbortSignal,
): Promise<MeasureResult> {
  const paths = neededFields([], plan.metrics).fields.map(({ path }) => path)
  return measureScanned(plan, readMatching(context, plan, primitive, paths, signal), signal)
}

/** The figures of a plan over the given documents, all of which belong to its selection. */
export async function measureScanned(
  { metrics }: MeasurePlan,
  batches: AsyncIterable<readonly StoredDocument[]>,
  signal?: AbortSignal,
): Promise<MeasureResult> {
  const documents = await readScanned(neededFields([], metrics), batches, new Pauses(signal))
  const all = Array.from({ length: documents.count }, (_, document) => document)
  return { total: documents.count, values: metrics.map((metric) => scannedMetric(metric, documents, all)) }
}

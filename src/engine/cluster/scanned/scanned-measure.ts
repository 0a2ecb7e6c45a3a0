import type { MeasurePlan } from '../../../query/plan/aggregation-plan.ts'
import { Turn } from '../../../turn.ts'
import type { MeasureResult } from '../../engine.ts'
import type { ClusterContext } from '../request/cluster-context.ts'
import { readScanned, type ScannedBatches } from './scanned-document.ts'
import { neededFields, readNeeded } from './scanned-fields.ts'
import { scannedMetric } from './scanned-metric.ts'

/** Computes the metrics of a plan from the documents of its selection, because the cluster lacks a primitive. */
export async function measureByScan(
  context: ClusterContext,
  plan: MeasurePlan,
  primitive: string,
  signal?: AbortSignal,
): Promise<MeasureResult> {
  const needed = neededFields([], plan.metrics)
  return measureScanned(plan, await readNeeded(context, plan, primitive, needed, signal), signal)
}

/** Computes the metrics of a plan over the given documents, which must all belong to its selection. */
export async function measureScanned(
  { metrics }: MeasurePlan,
  read: ScannedBatches,
  signal?: AbortSignal,
): Promise<MeasureResult> {
  const documents = await readScanned(neededFields([], metrics), read, new Turn(signal))
  const all = Array.from({ length: documents.count }, (_, document) => document)
  return { total: documents.count, values: metrics.map((metric) => scannedMetric(metric, documents, all)) }
}

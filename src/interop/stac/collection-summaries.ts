import { Problem } from '../../errors.ts'
import type { Operation } from '../../explore/operation.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { resolveSelection } from '../../query/request/effective-query.ts'
import { itemNames } from './item-names.ts'

/** Names of members of items that are the same everywhere. */
const GENERAL: ReadonlySet<string> = new Set(['collection', 'stac_version', 'stac_extensions', 'type'])

/** Returns the terms of the first fields that have few (`limits.stacSummary...`), by the names of the properties. */
export async function collectionSummaries(operation: Operation): Promise<JsonObject> {
  const { collection, engine, limits, signal } = operation
  const { indices } = collection.schema
  const { id_path } = collection.reference.params
  const fields = itemNames(collection)
    .queryables.filter(([name, { path, type }]) => type === 'KEYWORD' && path !== id_path && !GENERAL.has(name))
    .slice(0, limits.stacSummaryFields)
  const predicate = resolveSelection({}, operation)
  if (fields.length === 0 || predicate.kind === 'nothing') return {}
  try {
    const metrics = fields.map(([, field]) => ({ kind: 'cardinality', field }) as const)
    const { values } = await engine.measure({ indices, predicate, metrics, exactDistinct: 1000 }, signal)
    const few = fields.filter((_field, i) => Number(values[i] ?? 0) > 0 && Number(values[i]) <= limits.stacSummaryTerms)
    const summaries = await Promise.all(
      few.map(async ([name, field]): Promise<[string, Json]> => {
        const level = {
          grouping: { kind: 'term', field },
          order: { by: 'key', descending: false },
          size: limits.stacSummaryTerms,
          ...{ metrics: [], tops: [] },
        } as const
        const { buckets } = await engine.aggregate({ indices, predicate, levels: [level], limits }, signal)
        return [name, buckets.map(({ key }) => String(key))]
      }),
    )
    return Object.fromEntries(summaries)
  } catch (error) {
    // Summaries are optional; a cluster computes some things from a limited number of documents.
    if (error instanceof Problem && (error.code === 'LIMIT_EXCEEDED' || error.code === 'NOT_IMPLEMENTED')) return {}
    throw error
  }
}

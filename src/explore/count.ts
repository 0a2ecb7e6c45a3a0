import type { CountedHits } from '../model/answer/responses.ts'
import type { Count } from '../model/search.ts'
import { resolveSelection } from '../query/request/effective-query.ts'
import type { Operation } from './operation.ts'

/** Default page size. */
const DEFAULT_PAGE = 10

/** Counts the matching documents (spec 5.8). */
export async function countDocuments(request: Count, operation: Operation): Promise<CountedHits> {
  const { engine, collection, signal } = operation
  const predicate = resolveSelection(request, operation)
  const totalnb = await engine.count({ indices: collection.schema.indices, predicate }, signal)
  const { collection_name } = collection.reference
  return { collection: collection_name, nbhits: Math.min(DEFAULT_PAGE, totalnb), totalnb }
}

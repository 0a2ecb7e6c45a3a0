import { setTimeout } from 'node:timers/promises'
import { Problem } from '../../../errors.ts'
import { newFields } from '../../../mapping/learn-fields.ts'
import type { JsonObject } from '../../../model/json/document.ts'
import type { IndexCatalog } from '../catalog/index-catalog.ts'
import type { ClusterIndex } from '../catalog/index-listing.ts'

/**
 * Others may add the same fields concurrently with other types, which then take precedence. A cluster rejects the
 * change shortly before the conflicting fields become visible.
 */
const ATTEMPTS = 8
const PAUSE_MS = 50

/**
 * Adds the fields of these documents to the mapping, with the rules shared by all engines. Returns the updated index.
 */
export async function learnFields(
  catalog: IndexCatalog,
  index: ClusterIndex,
  documents: readonly JsonObject[],
): Promise<ClusterIndex> {
  let known = index
  for (let attempt = 1; ; attempt++) {
    const fields = newFields(known.mapping, documents, catalog.mostFields)
    if (fields === undefined) return known
    try {
      return await catalog.grow(known, fields)
    } catch (error) {
      const isConflict = error instanceof Problem && error.code === 'INVALID_INDEX'
      if (!isConflict || attempt === ATTEMPTS) throw error
      await setTimeout(attempt * PAUSE_MS)
      known = await catalog.only(index.name)
    }
  }
}

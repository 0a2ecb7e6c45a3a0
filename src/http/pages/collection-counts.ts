import type { FastifyBaseLogger } from 'fastify'
import { openReference } from '../../collections/open-collection.ts'
import type { CollectionReference } from '../../model/collection.ts'
import type { Access } from '../../query/access/access.ts'
import { resolveSelection } from '../../query/request/effective-query.ts'
import type { Services } from '../services.ts'
import type { HomeCollection } from './home-page.ts'

/** Maximum wait of a page for one count. */
const COUNT_MS = 2_000

/** Returns all collections visible to the caller with their document counts, counted concurrently. */
export async function countCollections(
  services: Services,
  access: Access,
  signal: AbortSignal,
  log: FastifyBaseLogger,
): Promise<readonly HomeCollection[]> {
  const references = await services.collections.list(access)
  return Promise.all(
    references.map(async (reference) => ({
      name: reference.collection_name,
      displayName: reference.params.display_names?.collection,
      documents: await countDocuments(services, reference, access, signal, log),
    })),
  )
}

async function countDocuments(
  { engine, settings, now }: Services,
  reference: CollectionReference,
  access: Access,
  signal: AbortSignal,
  log: FastifyBaseLogger,
): Promise<HomeCollection['documents']> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(COUNT_MS)])
  try {
    const collection = await openReference(engine, reference, access, limited)
    if (collection === undefined) return 'missing'
    const context = { collection, access, limits: settings.limits, now: now(), origin: 'query' } as const
    const indices = collection.infos.map((info) => info.name)
    return await engine.count({ indices, predicate: resolveSelection({}, context) }, limited)
  } catch (error) {
    // A failing count must not fail the whole page.
    log.warn({ err: error, collection: reference.collection_name }, 'a collection could not be counted')
    return 'unknown'
  }
}

import type { FastifyRequest } from 'fastify'
import { openReference } from '../../../collections/open-collection.ts'
import { type ErrorCode, Problem } from '../../../errors.ts'
import type { Operation } from '../../../explore/operation.ts'
import { callerAccess, requestSignal } from '../../request/caller.ts'
import type { Services } from '../../services.ts'
import { beginOperation } from '../begin-operation.ts'

/** For more names, the list of all collections is read once. */
const MOST_NAMES = 16

/** Opens the collections that the caller may see: all, or those with the given names. The others do not exist. */
export async function openCollections(
  services: Services,
  request: FastifyRequest,
  names?: readonly string[],
): Promise<readonly Operation[]> {
  const wanted = names === undefined ? undefined : new Set(names)
  if (wanted !== undefined && wanted.size <= MOST_NAMES) {
    const opened = [...wanted].map((name) => beginOperation(services, request, name).catch(hiddenIsMissing))
    return (await Promise.all(opened)).flatMap((operation) => operation ?? []).map(asQuery)
  }
  const { engine, settings } = services
  const access = callerAccess(request)
  const signal = requestSignal(request)
  const references = await services.collections.list(access)
  const operations = references.map(async (reference): Promise<readonly Operation[]> => {
    if (wanted !== undefined && !wanted.has(reference.collection_name)) return []
    const collection = await openReference(engine, reference, access, signal).catch(hiddenIsMissing)
    if (collection === undefined) return []
    const { limits } = settings
    return [{ ...{ engine, collection, access, limits, signal }, now: services.now(), origin: 'query' }]
  })
  return (await Promise.all(operations)).flat()
}

/** Bodies of STAC have the names of its parameters. */
export const asQuery = (operation: Operation): Operation => ({ ...operation, origin: 'query' })

const HIDDEN: readonly ErrorCode[] = ['COLLECTION_NOT_FOUND', 'COLLECTION_NOT_AVAILABLE', 'INDEX_NOT_FOUND']

/** A collection whose columns the caller may not see is left out. */
function hiddenIsMissing(error: unknown): undefined {
  if (error instanceof Problem && HIDDEN.includes(error.code)) return undefined
  throw error
}

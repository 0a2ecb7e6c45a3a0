import type { FastifyRequest } from 'fastify'
import type { Engine, ReadEngine } from '../../engine/engine.ts'
import { RecordedReads } from '../../explore/recorded-engine.ts'

/** What a request reads. */
interface RequestReads {
  /** Names of its collections. They exist, and the caller may see them. */
  readonly collections: Set<string>
  readonly reads: RecordedReads
}

const all = new WeakMap<FastifyRequest, RequestReads>()

export const readsOf = (request: FastifyRequest): RequestReads | undefined => all.get(request)

/** Returns an engine that records the reads of a request, of which `collection` is read. */
export function recordingEngine(request: FastifyRequest, engine: Engine, collection: string): ReadEngine {
  const known = all.get(request) ?? { collections: new Set(), reads: new RecordedReads(engine) }
  all.set(request, known)
  known.collections.add(collection)
  return known.reads.engine()
}

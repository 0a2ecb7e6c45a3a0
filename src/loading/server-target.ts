import { randomUUID } from 'node:crypto'
import type { Collections } from '../collections/collections.ts'
import type { Engine, WriteResult } from '../engine/engine.ts'
import { Problem } from '../errors.ts'
import { parseBulk } from '../ingest/bulk-request.ts'
import { runBulk } from '../ingest/run-bulk.ts'
import { parseMapping } from '../mapping/mapping-parser.ts'
import type { Access } from '../query/access/access.ts'
import { everything } from '../query/plan/predicate.ts'
import type { TargetCalls } from './load-messages.ts'

export interface ServerTargetOptions {
  readonly engine: Engine
  readonly collections: Collections
  readonly access: Access
  readonly signal: AbortSignal
}

/** Loads into the engine of this server, as a caller. */
export function serverTarget({ engine, collections, access, signal }: ServerTargetOptions): TargetCalls {
  const load = randomUUID()
  return {
    mappingOf: async (index) => (await engine.indices(index, signal))[0]?.mapping,
    countOf: async (index) => {
      const indices = (await engine.indices(index, signal)).map(({ name }) => name)
      return engine.count({ indices, predicate: everything }, signal)
    },
    createIndex: (index, given) => {
      const { mapping } = parseMapping(given, { subFields: engine.capabilities.subFields === true })
      return engine.createIndex(index, mapping)
    },
    dropIndex: (index) => engine.dropIndex(index),
    replaceIndex: (index, by) => engine.replaceIndex(index, by),
    referenceOf: async (name) => {
      try {
        return { ...(await collections.get(name, access)).params }
      } catch (error) {
        if (error instanceof Problem && error.code === 'COLLECTION_NOT_FOUND') return undefined
        throw error
      }
    },
    putReference: async (name, reference) => {
      // what was loaded must be found when the collection is
      await engine.refresh(String(reference.index_name))
      // without members that are undefined
      await collections.put(name, JSON.parse(JSON.stringify(reference)), access, { signal })
    },
    write: async (index, lines): Promise<readonly WriteResult[]> => {
      signal.throwIfAborted()
      const items = parseBulk(Buffer.from(lines.buffer, lines.byteOffset, lines.byteLength), index)
      return runBulk(engine, items, { load })
    },
  }
}

import type { Access } from '../access/access.ts'
import type { Collections } from '../collections/collections.ts'
import type { Engine, IndexInfo } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import type { CollectionReference } from '../model/collection.ts'
import { compilePatterns, type FieldPatterns } from '../query/field-pattern.ts'
import type { Schema } from '../query/schema.ts'
import { knownSchema } from './known-schemas.ts'

/** What explore operations need to find a collection and the indices behind it. */
export interface CollectionSources {
  readonly collections: Pick<Collections, 'get' | 'list'>
  readonly engine: Pick<Engine, 'indices'>
}

/** A collection with the schema its index has now; everything a request resolves paths against. */
export interface OpenCollection {
  readonly reference: CollectionReference
  /** The indices behind index_name, in name order; at least one. */
  readonly infos: readonly IndexInfo[]
  readonly schema: Schema
  /** Fields cut from every answer by exclude_fields. */
  readonly hidden: FieldPatterns
}

/** The first checks of every explore operation, in their order (spec 1.5): the collection is known and visible, its index present. */
export async function openCollection(
  sources: CollectionSources,
  name: string,
  access: Access,
  signal?: AbortSignal,
): Promise<OpenCollection> {
  const reference = await sources.collections.get(name, access)
  const collection = await openReference(sources.engine, reference, signal)
  if (collection === undefined) throw problem('INDEX_NOT_FOUND', { name: reference.params.index_name })
  return collection
}

/** A reference with the indices behind it; undefined when they are gone. */
export async function openReference(
  engine: Pick<Engine, 'indices'>,
  reference: CollectionReference,
  signal?: AbortSignal,
): Promise<OpenCollection | undefined> {
  const infos = await engine.indices(reference.params.index_name, signal)
  if (infos.length === 0) return undefined
  return { reference, infos, schema: knownSchema(infos), hidden: compilePatterns(reference.params.exclude_fields) }
}

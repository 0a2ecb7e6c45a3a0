import type { Engine, IndexInfo } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import { type DocumentReader, documentReader } from '../formats/document-reader.ts'
import type { CollectionReference } from '../model/collection.ts'
import type { Mapping } from '../model/mapping.ts'
import type { Access } from '../query/access/access.ts'
import { compilePatterns, type FieldPatterns } from '../query/schema/field-pattern.ts'
import { type Schema, schemaOf } from '../query/schema/schema.ts'
import {
  allColumns,
  hiddenFields,
  type VisibleColumns,
  visibleColumns,
  visibleSchema,
} from '../query/schema/visible-columns.ts'
import type { Collections } from './collections.ts'

/** What explore operations need to look up a collection and its indices. */
export interface CollectionSources {
  readonly collections: Pick<Collections, 'get' | 'recent' | 'list'>
  readonly engine: Pick<Engine, 'indices'>
}

/** A collection with the current schema of its indices. Requests resolve paths against it. */
export interface OpenCollection {
  readonly reference: CollectionReference
  /** The indices behind index_name, sorted by name. Never empty. */
  readonly infos: readonly IndexInfo[]
  /** The fields the caller may see. */
  readonly schema: Schema
  /** All fields, for filters that do not come from the caller. */
  readonly wholeSchema: Schema
  /** Columns the caller may use in a request. */
  readonly columns: VisibleColumns
  /** Fields removed from every response: those of exclude_fields, and those hidden from the caller. */
  readonly hidden: FieldPatterns
  /** Only those of exclude_fields, for filters that do not come from the caller. */
  readonly excluded: FieldPatterns
}

/**
 * The first checks of every explore operation, in order (spec 1.5): the collection exists and is visible, its index
 * exists.
 */
export async function openCollection(
  sources: CollectionSources,
  name: string,
  access: Access,
  signal?: AbortSignal,
): Promise<OpenCollection> {
  const reference = await sources.collections.recent(name, access)
  const collection = await openReference(sources.engine, reference, access, signal)
  if (collection === undefined) throw problem('INDEX_NOT_FOUND', { name: reference.params.index_name })
  return collection
}

/** Resolves the indices of a reference. Returns undefined if none exists. */
export async function openReference(
  engine: Pick<Engine, 'indices'>,
  reference: CollectionReference,
  access: Access,
  signal?: AbortSignal,
): Promise<OpenCollection | undefined> {
  const infos = await engine.indices(reference.params.index_name, signal)
  if (infos.length === 0) return undefined
  const wholeSchema = knownSchema(infos)
  const columns = columnsOf(reference, access)
  const excluded = excludedOf(reference)
  const schema = visibleSchema(wholeSchema, columns)
  const hidden = hiddenFields(excluded, columns, wholeSchema)
  return { reference, infos, schema, wholeSchema, columns, hidden, excluded }
}

const excludedFields = new WeakMap<CollectionReference, FieldPatterns>()

function excludedOf(reference: CollectionReference): FieldPatterns {
  const known = excludedFields.get(reference)
  if (known !== undefined) return known
  const compiled = compilePatterns(reference.params.exclude_fields)
  excludedFields.set(reference, compiled)
  return compiled
}

/** Column filters do not restrict public collections. */
function columnsOf({ collection_name, params }: CollectionReference, { columns }: Access): VisibleColumns {
  if (columns === undefined || params.organisations?.public === true) return allColumns
  const patterns = columns.patternsOf(collection_name)
  if (patterns === undefined) throw problem('COLLECTION_NOT_AVAILABLE', { name: collection_name })
  return visibleColumns(patterns, [params.id_path, params.geometry_path, params.centroid_path, params.timestamp_path])
}

/** Reads id, timestamp, geometry and centroid from the documents of a collection. */
export function documentReaderOf({ reference, schema }: OpenCollection): DocumentReader {
  return documentReader(reference.params, schema)
}

interface KnownSchema {
  readonly infos: readonly IndexInfo[]
  readonly schema: Schema
}

/** Keyed by the mapping of the first index. Engines return the same mapping object until the mapping changes. */
const knownSchemas = new WeakMap<Mapping, KnownSchema>()

/** Returns the combined schema of the indices. Cached until a mapping changes, because every request needs it. */
export function knownSchema(infos: readonly IndexInfo[]): Schema {
  const first = infos[0]
  if (first === undefined) return schemaOf(infos)
  const found = knownSchemas.get(first.mapping)
  if (found !== undefined && areSame(found.infos, infos)) return found.schema
  const schema = schemaOf(infos)
  knownSchemas.set(first.mapping, { infos, schema })
  return schema
}

function areSame(before: readonly IndexInfo[], now: readonly IndexInfo[]): boolean {
  return (
    before.length === now.length &&
    now.every((info, i) => info.name === before[i]?.name && info.mapping === before[i]?.mapping)
  )
}

import { type CollectionSources, type OpenCollection, openReference } from '../collections/open-collection.ts'
import type {
  CollectionReferenceDescription,
  DescribedType,
  FieldDescription,
  FieldDescriptions,
} from '../model/description.ts'
import type { ForeignType, Mapping, MappingField } from '../model/mapping.ts'
import { taggablePaths } from '../model/taggable-fields.ts'
import type { Access } from '../query/access/access.ts'
import type { FieldPatterns } from '../query/schema/field-pattern.ts'
import { typeOf } from '../query/schema/schema.ts'

/** Returns the reference of a collection and the fields visible to the caller (spec 5.12). */
export function describeCollection(collection: OpenCollection): CollectionReferenceDescription {
  const { reference, schema, hidden } = collection
  return {
    collection_name: reference.collection_name,
    params: reference.params,
    properties: describeFields(schema.tree, hidden, taggablePaths(reference.params.taggable_fields)),
  }
}

/** Returns the descriptions of all collections in creation order, without those whose index is missing (spec 5.12). */
export async function listCollections(
  sources: CollectionSources,
  access: Access,
  signal?: AbortSignal,
): Promise<readonly CollectionReferenceDescription[]> {
  const references = await sources.collections.list(access)
  const opened = await Promise.all(
    references.map((reference) => openReference(sources.engine, reference, access, signal)),
  )
  return opened.flatMap((collection) => (collection === undefined ? [] : [describeCollection(collection)]))
}

/** Converts a mapping to field descriptions, without hidden fields. */
export function describeFields(
  mapping: Mapping,
  hidden: FieldPatterns,
  taggable: ReadonlySet<string>,
): FieldDescriptions {
  const describeLevel = (fields: Mapping['properties'], prefix: string, reachable: boolean): FieldDescriptions => {
    const described: [string, FieldDescription][] = []
    for (const [name, field] of Object.entries(fields)) {
      const path = `${prefix}${name}`
      if (!hidden.selects(path)) described.push([name, describeField(field, path, reachable)])
    }
    return Object.fromEntries(described)
  }

  const describeField = (field: MappingField, path: string, reachable: boolean): FieldDescription => {
    const type = typeOf(field.type)
    const indexed = reachable && field.index !== false && field.enabled !== false
    const below =
      type === 'OBJECT' || type === 'NESTED' ? describeLevel(field.properties ?? {}, `${path}.`, indexed) : {}
    const hashField = hashFieldOf(field)
    return {
      type: foreignNames.get(field.type ?? 'object') ?? type,
      ...(field.format === undefined ? {} : { format: field.format }),
      ...(hashField === undefined ? {} : { hash_field: hashField }),
      taggable: taggable.has(path),
      indexed,
      ...(Object.keys(below).length === 0 ? {} : { properties: below }),
    }
  }

  return describeLevel(mapping.properties, '', true)
}

/** Cluster types with a dedicated name in descriptions, although their fields cannot be used (spec 2.1.4). */
const foreignNames: ReadonlyMap<string, DescribedType> = new Map<ForeignType, DescribedType>([
  ['binary', 'BINARY'],
  ['integer_range', 'INT_RANGE'],
  ['float_range', 'FLOAT_RANGE'],
  ['long_range', 'LONG_RANGE'],
  ['double_range', 'DOUBLE_RANGE'],
  ['date_range', 'DATE_RANGE'],
  ['completion', 'COMPLETION'],
  ['token_count', 'TOKEN_COUNT'],
  ['murmur3', 'MURMUR3'],
])

function hashFieldOf({ fields = {} }: MappingField): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.type === 'murmur3')
}

import type { OpenCollection } from '../../collections/open-collection.ts'
import type { Json, JsonObject } from '../../model/json/document.ts'
import { describeField } from '../ogc/queryables.ts'
import { itemNames } from './item-names.ts'

const SCHEMA = { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' }
const COLLECTION: readonly [string, Json] = ['collection', { title: 'Collection', type: 'string' }]

/** JSON Schema of the names that filters on a collection can use. */
export function collectionQueryables(collection: OpenCollection, url: string): JsonObject {
  return {
    ...SCHEMA,
    $id: url,
    title: collection.reference.params.display_names?.collection || collection.reference.collection_name,
    properties: Object.fromEntries([...namesOf(collection), COLLECTION]),
    additionalProperties: false,
  }
}

/** JSON Schema of the names that all collections have. Filters can use those of any collection. */
export function commonQueryables(collections: readonly OpenCollection[], url: string): JsonObject {
  const [first = [], ...others] = collections.map(namesOf)
  const sets = others.map((names) => new Set(names.map(([name]) => name)))
  const common = first.filter(([name]) => sets.every((names) => names.has(name)))
  return {
    ...SCHEMA,
    $id: url,
    title: 'Properties of all collections',
    properties: Object.fromEntries([...common, COLLECTION]),
    additionalProperties: true,
  }
}

const namesOf = (collection: OpenCollection): readonly (readonly [string, Json])[] =>
  itemNames(collection).queryables.map(([name, field]) => [name, describeField(field, collection)])

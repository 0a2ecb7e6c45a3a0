import type { OpenCollection } from '../../collections/open-collection.ts'
import { type Field, isGeo } from '../../query/schema/field.ts'
import { queryableFields } from '../properties.ts'

/** How names of STAC, such as `datetime` and `eo:cloud_cover`, relate to the fields of a collection. */
export interface ItemNames {
  /** True if the documents of the collection are STAC items. */
  readonly areItems: boolean
  /** The field that a name in a filter or an order means. Undefined if the caller cannot use one of this name. */
  readonly field: (name: string) => Field | undefined
  /** Name of a field among the `properties` of an item. */
  readonly nameOf: (path: string) => string
  /** Names for filters, with their fields; without `collection`, which is no field. */
  readonly queryables: readonly (readonly [name: string, field: Field])[]
}

const PROPERTIES = 'properties.'
const withoutPrefix = (name: string): string => (name.startsWith(PROPERTIES) ? name.slice(PROPERTIES.length) : name)

/** Reads the names of a collection from the fields that the caller may see. */
export function itemNames(collection: OpenCollection): ItemNames {
  const { id_path, geometry_path, timestamp_path } = collection.reference.params
  const fields = new Map(queryableFields(collection).map((field) => [field.path, field]))
  const areItems = ['stac_version', 'properties', 'assets'].every(
    (path) => collection.schema.lookup(path) !== undefined,
  )
  const special = new Map([
    ['id', id_path],
    ['geometry', geometry_path],
    ['datetime', timestamp_path],
  ])
  const nameOf = (path: string): string => (areItems ? withoutPrefix(path) : path)
  const field = (name: string): Field | undefined => {
    const bare = withoutPrefix(name)
    const path = special.get(bare)
    if (path !== undefined) return fields.get(path)
    const inProperties = fields.get(`${PROPERTIES}${bare}`)
    return (areItems ? inProperties : undefined) ?? fields.get(name) ?? fields.get(bare) ?? inProperties
  }
  const named = [...special].flatMap(([name, path]): [string, Field][] => {
    const found = fields.get(path)
    return found === undefined ? [] : [[name, found]]
  })
  const others = [...fields.values()].map((one): [string, Field] => [nameOf(one.path), one])
  // A special name hides a field of the same name.
  return { areItems, field, nameOf, queryables: [...new Map([...others, ...named])] }
}

/** True for fields by which items can be sorted. */
export const isSortable = ({ type, path }: Field): boolean => !isGeo(type) && !/[\s,]/.test(path)

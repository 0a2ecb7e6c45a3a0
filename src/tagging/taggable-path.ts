import type { OpenCollection } from '../collections/open-collection.ts'
import { type Problem, problem } from '../errors.ts'
import type { Dynamic, Mapping, MappingField } from '../model/mapping.ts'
import { taggablePaths } from '../model/taggable-fields.ts'
import { mandatoryPaths, ownerOf } from '../query/schema/collection-view.ts'
import { type Field, isGeo } from '../query/schema/field.ts'

type Properties = Mapping['properties']

/**
 * Throws INDEX_READ_ONLY for documents in opened files, FIELD_NOT_TAGGABLE unless the path may be tagged (spec tagging 1.3 rows 11 and 12). Returns its field, if it
 * exists.
 */
export function checkTaggable(path: string, collection: OpenCollection): Field | undefined {
  const { reference, wholeSchema } = collection
  const owner = ownerOf(collection)
  const readOnly = collection.infos.find(({ isReadOnly }) => isReadOnly)
  if (readOnly !== undefined) throw problem('INDEX_READ_ONLY', { name: readOnly.name })
  if (!taggablePaths(reference.params.taggable_fields).has(path)) {
    throw refused(path, `is not among the taggable_fields of ${owner}`)
  }
  const own = mandatoryPaths(collection).find((one) => path === one || path.startsWith(`${one}.`))
  if (own !== undefined) {
    const place = own === path ? 'is' : `is below ${own},`
    throw refused(path, `cannot be tagged: it ${place} one of the four paths of ${owner}`)
  }
  const nested = parentsOf(path).find((parent) => wholeSchema.lookup(parent)?.type === 'NESTED')
  if (nested !== undefined) throw refused(path, `cannot be tagged: it is below ${nested}, a field of type NESTED`)
  const field = wholeSchema.lookup(path)
  if (field === undefined) checkMayBeNew(path, collection)
  else checkHoldsScalars(field, wholeSchema.tree.properties)
  return field
}

function checkHoldsScalars({ path, type, source }: Field, properties: Properties): void {
  if (source !== undefined) throw refused(path, `cannot be tagged: it is a sub-field of ${source}`)
  const mapped = mappedType(properties, path)
  const isForeign = mapped === 'binary' || mapped?.endsWith('_range') === true
  if (type !== 'OBJECT' && type !== 'NESTED' && !isGeo(type) && !isForeign) return
  const name = isForeign ? mapped?.toUpperCase() : type
  throw refused(path, `cannot be tagged: it is a field of type ${name}`)
}

/** Indices with a strict mapping reject documents with unknown fields. */
function checkMayBeNew(path: string, { infos, wholeSchema }: OpenCollection): void {
  const known = wholeSchema.indicesOf(path)
  const strict = infos.find(({ name, mapping }) => !known.includes(name) && dynamicAt(mapping, path) === 'strict')
  if (strict === undefined) return
  throw refused(path, `cannot be tagged: the mapping of index ${strict.name} is strict and does not contain it`)
}

function mappedType(properties: Properties, path: string): MappingField['type'] {
  let below: Properties | undefined = properties
  let field: MappingField | undefined
  for (const name of path.split('.')) {
    field = ownField(below, name)
    below = field?.properties
  }
  return field?.type
}

/** Returns the `dynamic` setting of the innermost mapped object above a path. */
function dynamicAt(mapping: Mapping, path: string): Dynamic | undefined {
  let { dynamic }: Pick<Mapping, 'dynamic'> = mapping
  let below: Properties | undefined = mapping.properties
  for (const name of path.split('.').slice(0, -1)) {
    const field = ownField(below, name)
    dynamic = field?.dynamic ?? dynamic
    below = field?.properties
  }
  return dynamic
}

const ownField = (properties: Properties | undefined, name: string): MappingField | undefined =>
  properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined

function parentsOf(path: string): readonly string[] {
  const names = path.split('.')
  return names.slice(1).map((_, i) => names.slice(0, i + 1).join('.'))
}

const refused = (name: string, reason: string): Problem => problem('FIELD_NOT_TAGGABLE', { name, reason })

import { problem } from '../errors.ts'
import type { Mapping, MappingField } from '../model/mapping.ts'

/** What to do if a field of the addition exists with another type. */
type OnConflict = 'refuse' | 'keep'

type Properties = Readonly<Record<string, MappingField>>

/**
 * Returns the mapping with the fields of `addition` added. An existing field keeps its type: `refuse` throws
 * INVALID_INDEX if the addition has another type, `keep` ignores the difference.
 */
export function extendMapping(mapping: Mapping, addition: Mapping, onConflict: OnConflict): Mapping {
  return {
    ...mapping,
    ...(onConflict === 'refuse' && addition.dynamic !== undefined ? { dynamic: addition.dynamic } : {}),
    properties: extendProperties(mapping.properties, addition.properties, '', onConflict),
  }
}

function extendProperties(known: Properties, added: Properties, prefix: string, onConflict: OnConflict): Properties {
  const result: Record<string, MappingField> = { ...known }
  for (const [name, field] of Object.entries(added)) {
    const old = known[name]
    result[name] = old ? extendField(old, field, prefix + name, onConflict) : field
  }
  return result
}

function extendField(old: MappingField, added: MappingField, path: string, onConflict: OnConflict): MappingField {
  const oldType = old.type ?? 'object'
  const addedType = added.type ?? 'object'
  if (oldType !== addedType) {
    if (onConflict === 'keep') return old
    throw problem('INVALID_INDEX', {
      parameter: path,
      reason: `has type ${oldType}; the type of a field cannot be changed`,
      value: addedType,
    })
  }
  if (added.properties === undefined) return old
  return { ...old, properties: extendProperties(old.properties ?? {}, added.properties, `${path}.`, onConflict) }
}

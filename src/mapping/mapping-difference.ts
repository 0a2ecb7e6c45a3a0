import type { Dynamic, Mapping, MappingField } from '../model/mapping.ts'

type Fields = Readonly<Record<string, MappingField>>

/** Returns the fields of `wanted` that `known` lacks, inside their parent objects; undefined if none. */
export function missingFields(known: Mapping, wanted: Mapping): Mapping | undefined {
  return differ(known.properties, wanted.properties, undefined)
}

/** As `missingFields`, without fields in objects that accept no new ones. */
export function learntFields(known: Mapping, inferred: Mapping): Mapping | undefined {
  return differ(known.properties, inferred.properties, known.dynamic ?? true)
}

function differ(known: Fields, wanted: Fields, dynamic: Dynamic | undefined): Mapping | undefined {
  const properties = missing(known, wanted, dynamic)
  return Object.keys(properties).length === 0 ? undefined : { properties }
}

/** `dynamic`: how new fields are treated here; undefined if they were requested explicitly. */
function missing(known: Fields, wanted: Fields, dynamic: Dynamic | undefined): Fields {
  const found: [string, MappingField][] = []
  for (const [name, field] of Object.entries(wanted)) {
    const old = Object.hasOwn(known, name) ? known[name] : undefined
    if (old === undefined) {
      if (dynamic === undefined || dynamic === true) found.push([name, field])
    } else {
      const below = missingBelow(old, field, dynamic)
      if (Object.keys(below).length > 0) found.push([name, { ...withType(old), properties: below }])
    }
  }
  return Object.fromEntries(found)
}

const withType = ({ type }: MappingField) => (type === undefined ? {} : { type })

function missingBelow(old: MappingField, wanted: MappingField, dynamic: Dynamic | undefined): Fields {
  const type = old.type ?? 'object'
  if (wanted.properties === undefined || type !== (wanted.type ?? 'object') || old.enabled === false) return {}
  return missing(old.properties ?? {}, wanted.properties, dynamic === undefined ? undefined : (old.dynamic ?? dynamic))
}

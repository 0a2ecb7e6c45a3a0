import type { IndexInfo } from '../engine/engine.ts'
import { problem } from '../errors.ts'
import type { CollectionReferenceParameters } from '../model/collection.ts'
import type { FieldType } from '../model/field-type.ts'
import { type Field, isGeo, isInteger } from '../query/schema/field.ts'
import { schemaOf } from '../query/schema/schema.ts'
import { PATH_KEYS } from './value-rules.ts'

/** Format of a DATE field whose schema has none (spec 2.1.9). */
const DEFAULT_FORMAT = 'strict_date_optional_time||epoch_millis'

interface TypeRule {
  readonly fits: (type: FieldType) => boolean
  readonly wanted: string
}

const geo: TypeRule = { fits: isGeo, wanted: 'a GEO_POINT or GEO_SHAPE' }

const rules: Readonly<Record<(typeof PATH_KEYS)[number], TypeRule>> = {
  id_path: { fits: (type) => type === 'KEYWORD' || isInteger(type), wanted: 'a KEYWORD or an integer number' },
  geometry_path: geo,
  centroid_path: geo,
  timestamp_path: { fits: (type) => type === 'DATE', wanted: 'a DATE' },
}

/**
 * Step 7 of spec 4.3. Throws unless the index exists, every index behind the name has the four fields, and their types
 * fit. Existence is checked for all indices before the types are.
 */
export function checkFields(params: CollectionReferenceParameters, infos: readonly IndexInfo[]): void {
  if (infos.length === 0) throw problem('INDEX_NOT_FOUND', { name: params.index_name })
  const schemas = infos.map((info) => ({ name: info.name, schema: schemaOf([info]) }))
  for (const key of PATH_KEYS) {
    const without = schemas.find(({ schema }) => !isHeld(schema.lookup(params[key])))
    if (without !== undefined) throw problem('FIELD_NOT_FOUND', { name: params[key], owner: `index ${without.name}` })
  }
  for (const key of PATH_KEYS) {
    for (const { name, schema } of schemas) {
      const field = schema.lookup(params[key])
      if (field === undefined || (rules[key].fits(field.type) && !field.nested)) continue
      const found = field.nested ? 'it is below a NESTED field' : `it is ${field.type}`
      const reason = `must name ${rules[key].wanted} field; in index ${name} ${found}`
      throw problem('INVALID_COLLECTION', { parameter: key, value: params[key], reason })
    }
  }
}

/** True if documents contain the field. False for a sub-field. */
const isHeld = (field: Field | undefined): boolean => field !== undefined && field.source === undefined

/** Returns the format of the timestamp field, or the default if the field is missing or has no format. */
export function timestampFormat(path: string, infos: readonly IndexInfo[]): string {
  const field = infos.length === 0 ? undefined : schemaOf(infos).lookup(path)
  return field?.type === 'DATE' ? (field.format ?? DEFAULT_FORMAT) : DEFAULT_FORMAT
}

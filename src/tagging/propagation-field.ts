import type { OpenCollection } from '../collections/open-collection.ts'
import { problem } from '../errors.ts'
import type { Propagation } from '../model/tag-request.ts'
import { type Field, isGeo } from '../query/schema/field.ts'

const PARAMETER = 'propagation.field'

/**
 * Returns the field whose values are propagated (spec tagging 1.3 row 15). Throws INVALID_PROPAGATION if it is
 * unsuitable.
 */
export function propagationField({ schema, reference }: OpenCollection, { field: path }: Propagation): Field {
  if (path === undefined || path === '')
    throw problem('INVALID_PROPAGATION', { parameter: PARAMETER, reason: 'is required' })
  const field = schema.lookup(path)
  if (field === undefined) throw unfit(path, `must be a field of collection ${reference.collection_name}`)
  if (field.nested) throw unfit(path, 'must not be below a NESTED field')
  if (field.type === 'TEXT' || isGeo(field.type) || ['OBJECT', 'NESTED', 'UNKNOWN'].includes(field.type)) {
    throw unfit(path, `must be a keyword, number, boolean, date or IP field, not of type ${field.type}`)
  }
  if (!field.indexed) throw unfit(path, 'must be an indexed field')
  return field
}

const unfit = (value: string, reason: string): Error =>
  problem('INVALID_PROPAGATION', { parameter: PARAMETER, value, reason })

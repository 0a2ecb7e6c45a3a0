import type { Problem } from '../../errors.ts'
import { type Field, isNumber } from '../../query/schema/field.ts'
import { fault, type Members, placeOf, readText } from './members.ts'
import { findField, type QueryContext } from './query-context.ts'

/** Members that many aggregations have. */

/** Fields whose values can be keys. */
export const isGroupable = ({ type, isId }: Field): boolean =>
  !isId && (isNumber(type) || type === 'KEYWORD' || type === 'DATE' || type === 'IP' || type === 'BOOLEAN')

export const misfit = (field: Field, place: string): Problem =>
  fault(placeOf(place, 'field'), `must not be ${field.path}, a field of type ${field.type}`)

/** Reads `field`. */
export function fieldOf(options: Members, place: string, context: QueryContext): Field | undefined {
  const at = placeOf(place, 'field')
  return findField(readText(options.field, at), at, context)
}

export function formatOf({ format }: Members, place: string): { readonly format?: string } {
  return format === undefined ? {} : { format: readText(format, placeOf(place, 'format')) }
}

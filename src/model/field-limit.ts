import { problem } from '../errors.ts'
import type { Mapping, MappingField } from './mapping.ts'

/** Default limit of fields per index. During ingestion each field takes about half a MiB in the embedded engine. */
export const MOST_FIELDS = 500

type Fields = Readonly<Record<string, MappingField>>

/** Counts all fields, including objects and sub-fields. */
export const countFields = ({ properties }: Mapping): number => countIn(properties)

function countIn(fields: Fields): number {
  let count = 0
  for (const { properties = {}, fields: subFields = {} } of Object.values(fields)) {
    count += 1 + countIn(properties) + countIn(subFields)
  }
  return count
}

/** Throws LIMIT_EXCEEDED if a requested mapping has more than `most` fields and more than `before`. */
export function checkFieldCount(mapping: Mapping, most: number, before?: Mapping): void {
  const count = countFields(mapping)
  if (count <= most || (before !== undefined && count <= countFields(before))) return
  const reason = `must have at most ${most} fields, including objects; keys below an object with "dynamic": false are stored but do not become fields`
  throw problem('LIMIT_EXCEEDED', { parameter: 'mappings', value: count, reason, setting: 'limits.fields' })
}

/**
 * Returns the first `most` fields of a mapping; undefined if none. Objects without any of their fields are left out.
 */
export function firstFields(mapping: Mapping, most: number): Mapping | undefined {
  const properties = firstIn(mapping.properties, { left: most })
  return Object.keys(properties).length === 0 ? undefined : { ...mapping, properties }
}

function firstIn(fields: Fields, budget: { left: number }): Fields {
  const taken: [string, MappingField][] = []
  for (const [name, field] of Object.entries(fields)) {
    if (budget.left === 0) break
    budget.left -= 1
    if (field.properties === undefined || Object.keys(field.properties).length === 0) {
      taken.push([name, field])
      continue
    }
    const properties = firstIn(field.properties, budget)
    if (Object.keys(properties).length > 0) taken.push([name, { ...field, properties }])
  }
  return Object.fromEntries(taken)
}

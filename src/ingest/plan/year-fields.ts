import { rankYear } from '../../mapping/field-names.ts'
import type { JsonObject } from '../../model/json/document.ts'
import type { Mapping, MappingField } from '../../model/mapping.ts'

interface Revised {
  readonly field: MappingField
  /** The numbers have to be written as text. */
  readonly asText: boolean
}

/**
 * Returns how a field can be a date although its values alone do not tell: years (1992), months (1992-06) and days
 * without separators (19920605). Undefined if it cannot.
 */
export function readAsDate(name: string, sample: readonly JsonObject[]): Revised | undefined {
  const values = sample.flatMap((document) => document[name] ?? [])
  if (values.length === 0) return undefined
  const texts = values.map(String)
  const asText = values.some((value) => typeof value === 'number')
  const all = (pattern: RegExp): boolean => texts.every((text) => pattern.test(text))
  if (all(/^(1\d|2[01])\d\d$/) || all(/^(1\d|2[01])\d\d-(0[1-9]|1[0-2])$/)) return { field: { type: 'date' }, asText }
  if (all(/^(1[5-9]|20)\d\d(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])$/)) {
    return { field: { type: 'date', format: 'yyyyMMdd' }, asText }
  }
  return undefined
}

/** Returns the field of years to use as timestamp if the documents have no date; undefined if there is none. */
export function findYear({ properties }: Mapping, sample: readonly JsonObject[]): string | undefined {
  return Object.keys(properties)
    .filter((name) => Number.isFinite(rankYear(name)) && readAsDate(name, sample) !== undefined)
    .sort((a, b) => rankYear(a) - rankYear(b))[0]
}

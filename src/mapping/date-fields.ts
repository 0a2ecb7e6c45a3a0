import type { Json, JsonObject } from '../model/json/document.ts'
import { valueAt } from '../model/json/json-object.ts'
import type { Mapping, MappingField } from '../model/mapping.ts'
import { namesTime } from './field-names.ts'
import { inferMapping } from './infer-mapping.ts'

type Properties = Readonly<Record<string, MappingField>>

/**
 * Returns the mapping with fields changed from keyword to date if most of their values in the sample are dates: those
 * named like a time, and the one at `timestampPath`. Without this, a few invalid values would make the field a keyword;
 * now their documents are rejected one by one with a reason.
 */
export function withMostlyDates(mapping: Mapping, sample: readonly JsonObject[], timestampPath?: string): Mapping {
  const revise = (properties: Properties, prefix: string): Properties =>
    Object.fromEntries(
      Object.entries(properties).map(([name, field]): [string, MappingField] => {
        const path = prefix + name
        if (field.properties) return [name, { ...field, properties: revise(field.properties, `${path}.`) }]
        const mayBeDate =
          field.type === 'keyword' || ((field.type === 'long' || field.type === 'double') && path === timestampPath)
        if (!mayBeDate || !(namesTime(name) || path === timestampPath)) return [name, field]
        return [name, dateFieldOf(sample.flatMap((document) => valueAt(document, path) ?? [])) ?? field]
      }),
    )
  return { ...mapping, properties: revise(mapping.properties, '') }
}

function dateFieldOf(values: readonly Json[]): MappingField | undefined {
  const asTimes = values.map((time): JsonObject => ({ time }))
  const dates = asTimes.filter((document) => inferMapping([document]).properties.time?.type === 'date')
  if (dates.length * 2 <= values.length) return undefined
  const field = inferMapping(dates).properties.time
  return field?.type === 'date' ? field : undefined
}

import type { Json, JsonObject } from '../model/document.ts'
import { valueAt } from '../model/json-object.ts'
import type { Mapping, MappingField } from '../model/mapping.ts'
import { namesTime } from './field-names.ts'
import { inferMapping } from './infer-mapping.ts'

type Properties = Readonly<Record<string, MappingField>>

/**
 * The mapping with fields as dates that a few broken values would make keywords: those whose name tells a moment, and
 * the one at `timestampPath`, when most of their values in the sample are dates. The documents with the others are then
 * rejected one by one, with the reason, instead of taking the dates of all.
 */
export function withMostlyDates(mapping: Mapping, sample: readonly JsonObject[], timestampPath?: string): Mapping {
  const revise = (properties: Properties, prefix: string): Properties =>
    Object.fromEntries(
      Object.entries(properties).map(([name, field]): [string, MappingField] => {
        const path = prefix + name
        if (field.properties) return [name, { ...field, properties: revise(field.properties, `${path}.`) }]
        const mayBeDate = field.type === 'keyword' || (field.type === 'long' && path === timestampPath)
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

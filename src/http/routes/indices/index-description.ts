import type { IndexInfo } from '../../../engine/engine.ts'
import type { Mapping, MappingField } from '../../../model/mapping.ts'

/** Indices as Elasticsearch describes them. */

export const byName = <T>(infos: readonly IndexInfo[], of: (info: IndexInfo) => T): Readonly<Record<string, T>> =>
  Object.fromEntries(infos.map((info) => [info.name, of(info)]))

export const mappingOf = (info: IndexInfo) => ({ mappings: describeMapping(info.mapping) })

export const settingsOf = (info: IndexInfo) => ({
  settings: {
    index: {
      uuid: info.uuid,
      provided_name: info.name,
      number_of_shards: '1',
      number_of_replicas: '0',
    },
  },
})

export const describe = (info: IndexInfo) => ({ aliases: {}, ...mappingOf(info), ...settingsOf(info) })

const describeMapping = (mapping: Mapping) => ({ ...mapping, properties: describeFields(mapping.properties) })

const describeFields = (fields: Readonly<Record<string, MappingField>>): Readonly<Record<string, MappingField>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, describeField(field)]))

/** An object with fields has no `type`: programs tell objects from values by that. One without fields has nothing else. */
function describeField(field: MappingField): MappingField {
  const { properties, ...rest } = field
  if (properties === undefined || Object.keys(properties).length === 0) return rest
  const inner = { ...rest, properties: describeFields(properties) }
  if (inner.type !== 'object') return inner
  const { type, ...untyped } = inner
  return untyped
}

import type { Setting, SettingSchema } from './setting.ts'
import { settingsSchema } from './settings-schema.ts'

export const VARIABLE_PREFIX = 'PERIPLUS_'

/** All settings in the order of the schema. */
export const settingList: readonly Setting[] = leaves(settingsSchema as SettingSchema, [])

function leaves(schema: SettingSchema, path: readonly string[]): readonly Setting[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => leaves(inner, [...path, name]))
  }
  return [{ key: path.join('.'), variable: variableName(path), kind: kindOf(schema), schema }]
}

/** `bodyBytes` becomes `BODY_BYTES`; the unit of `memoryMiB` stays one word: `MEMORY_MIB`. */
function variableName(path: readonly string[]): string {
  const words = path.map((name) => name.replace('MiB', 'Mib').replace(/([a-z0-9])([A-Z])/g, '$1_$2'))
  return `${VARIABLE_PREFIX}${words.join('_').toUpperCase()}`
}

function kindOf(schema: SettingSchema): Setting['kind'] {
  if (schema.anyOf !== undefined) return 'word'
  if (schema.type === 'array') return 'list'
  if (schema.type === 'object') return 'map'
  if (schema.type === 'integer' || schema.type === 'boolean') return schema.type
  return 'text'
}

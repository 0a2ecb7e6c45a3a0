import { settingsSchema } from './settings-schema.ts'

/** One setting: a leaf of the schema. */
export interface Setting {
  /** `limits.bodyBytes` */
  readonly key: string
  /** `PERIPLUS_LIMITS_BODY_BYTES` */
  readonly variable: string
  readonly kind: 'text' | 'integer' | 'boolean' | 'list' | 'word' | 'map'
  readonly schema: SettingSchema
}

/** The parts of a leaf's schema that are read here; a type's own keywords stay for the validator. */
export interface SettingSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SettingSchema>>
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly default?: unknown
  /** How the reference page shows a default that depends on the machine. */
  readonly defaultText?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  /** Never shown. */
  readonly secret?: boolean
  /** The address of something that may want a user and password, which are never shown. */
  readonly address?: boolean
}

export const VARIABLE_PREFIX = 'PERIPLUS_'

/** All settings in the order of the schema. */
export const settingList: readonly Setting[] = leaves(settingsSchema as SettingSchema, [])

function leaves(schema: SettingSchema, path: readonly string[]): readonly Setting[] {
  if (schema.properties !== undefined) {
    return Object.entries(schema.properties).flatMap(([name, inner]) => leaves(inner, [...path, name]))
  }
  return [{ key: path.join('.'), variable: variableName(path), kind: kindOf(schema), schema }]
}

/** `bodyBytes` is `BODY_BYTES`; the unit of `memoryMiB` stays one word: `MEMORY_MIB`. */
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

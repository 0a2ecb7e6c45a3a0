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

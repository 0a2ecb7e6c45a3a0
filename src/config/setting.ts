/** One setting: a leaf of the schema. */
export interface Setting {
  /** `limits.bodyBytes` */
  readonly key: string
  /** `PERIPLUS_LIMITS_BODY_BYTES` */
  readonly variable: string
  readonly kind: 'text' | 'integer' | 'boolean' | 'list' | 'word' | 'map'
  readonly schema: SettingSchema
}

/** The schema keywords read here; type-specific keywords are used by the validator only. */
export interface SettingSchema {
  readonly type?: string
  readonly properties?: Readonly<Record<string, SettingSchema>>
  readonly anyOf?: readonly { readonly const?: unknown }[]
  readonly default?: unknown
  /** Text for a machine-dependent default on the reference page. */
  readonly defaultText?: string
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
  /** Never printed. */
  readonly secret?: boolean
  /** An address that may contain user and password, which are never printed. */
  readonly address?: boolean
}

import type { Static } from 'typebox'
import type { settingsSchema } from './settings-schema.ts'

type DeepReadonly<T> = T extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : T extends object
    ? { readonly [Key in keyof T]: DeepReadonly<T[Key]> }
    : T

/** Resolved settings of a server, merged from defaults, file, environment and flags. */
export type Settings = DeepReadonly<Static<typeof settingsSchema>>

export type ClusterSettings = Settings['cluster']
/** Limits of one request (spec 1.8). */
export type Limits = Settings['limits']
export type AuthSettings = Settings['auth']
export type SubscriptionSettings = Settings['subscriptions']
export type EgressSettings = Settings['egress']

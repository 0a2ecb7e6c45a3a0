import { Type } from 'typebox'
import { parseStored } from '../../model/json/stored-json.ts'
import type { Access } from '../../query/access/access.ts'
import { type AccessOptions, type AccessTexts, listOf, readAccess } from '../access-texts.ts'
import type { Writer } from './writer.ts'

/** The view of a caller, stored for work done later on its behalf. */
export interface StoredAccess extends AccessTexts {
  readonly granted?: boolean
  readonly publicOnly?: boolean
  /** Seconds. Results made until then may come from a wider view. */
  readonly narrowedAt?: number
  /** The writer that had these rights. Absent if the request was not authenticated. */
  readonly writer?: Writer
}

const text = Type.Optional(Type.String())

const Stored = Type.Object({
  partition: text,
  columns: text,
  organisations: text,
  granted: Type.Optional(Type.Boolean()),
  publicOnly: Type.Optional(Type.Boolean()),
  narrowedAt: Type.Optional(Type.Number()),
  writer: Type.Optional(
    Type.Unsafe<Writer>({ type: 'object', properties: { mode: { type: 'string' } }, required: ['mode'] }),
  ),
})

/** Parses the JSON of a stored view. `owner`: what it is stored with, for errors. */
export const parseAccess = (json: string, owner: string): StoredAccess => parseStored(Stored, json, `view of ${owner}`)

/** Restores a stored view under the current settings. */
export function restoreAccess(stored: StoredAccess, options: Pick<AccessOptions, 'checkOrganisations'>): Access {
  const { granted = false, publicOnly = false, ...texts } = stored
  return { ...readAccess(texts, { ...options, granted }), ...(publicOnly ? { publicOnly } : {}) }
}

/** True if `view` shows everything that `other` shows. False if the texts alone do not prove it. */
export function isAsWide(view: StoredAccess, other: StoredAccess): boolean {
  if (view.publicOnly === true && other.publicOnly !== true) return false
  if (view.partition !== undefined && view.partition !== other.partition) return false
  return holdsAll(view.columns, other.columns) && holdsAll(view.organisations, other.organisations)
}

function holdsAll(wide: string | undefined, narrow: string | undefined): boolean {
  if (wide === undefined) return true
  if (narrow === undefined) return false
  const held = new Set(listOf(wide))
  return listOf(narrow).every((one) => held.has(one))
}

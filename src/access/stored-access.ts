import type { Access } from '../query/access/access.ts'
import { type AccessOptions, type AccessTexts, listOf, readAccess } from './access-texts.ts'
import type { Writer } from './writer.ts'

/** What narrowed the view of a caller, kept for work that is done on its behalf later. */
export interface StoredAccess extends AccessTexts {
  readonly granted?: boolean
  readonly publicOnly?: boolean
  /** s; what was made until then was for a wider view. */
  readonly narrowedAt?: number
  /** Whose rights those were; absent: nobody showed who they are, or need not. */
  readonly writer?: Writer
}

/** The view that was stored, by what the settings say now. */
export function restoreAccess(stored: StoredAccess, options: Pick<AccessOptions, 'checkOrganisations'>): Access {
  const { granted = false, publicOnly = false, ...texts } = stored
  return { ...readAccess(texts, { ...options, granted }), ...(publicOnly ? { publicOnly } : {}) }
}

/** Whether a view shows all that another one shows; false where that cannot be told from the texts alone. */
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

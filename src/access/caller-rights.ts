import { type AccessTexts, listOf } from './access-texts.ts'
import type { Identity } from './identity.ts'
import type { Rights } from './rights.ts'

/** What a caller may do, and what of the data it may see. */
export interface CallerRights {
  /** Whether a path is public, or a rule of the caller allows it. */
  allows(method: string, path: string): boolean
  readonly texts: AccessTexts
}

/** What narrows a caller beside its identity. */
export interface CallerHeaders {
  /** The three headers, of a proxy that is believed: they count instead of those of permissions. */
  readonly sent?: AccessTexts | undefined
  /** `arlas-org-filter` */
  readonly within?: string | undefined
}

/** The three headers that permissions, organisations and a proxy make for a caller (spec 9.4). */
export function textsOf(identity: Identity | undefined, held: Rights, headers: CallerHeaders): AccessTexts {
  const own = identity?.organisations
  const granted =
    own === undefined
      ? held.texts
      : { ...held.texts, organisations: [...own, ...listOf(held.texts.organisations ?? '')].join(',') }
  const texts = { ...granted, ...present(headers.sent ?? {}) }
  return identity === undefined ? texts : withinOrganisations(texts, headers.within)
}

/** Whether rules let a caller search a collection. */
export function explores(allows: CallerRights['allows'], collection: string): boolean {
  const path = `explore/${collection.replaceAll('/', '%2F')}/_search`
  return allows('GET', path) || allows('POST', path)
}

/** `arlas-org-filter` narrows to those of the listed organisations the caller has. */
function withinOrganisations(texts: AccessTexts, filter: string | undefined): AccessTexts {
  const { organisations } = texts
  if (organisations === undefined || filter === undefined || filter.trim() === '') return texts
  const wanted = listOf(filter)
  return {
    ...texts,
    organisations: listOf(organisations)
      .filter((one) => wanted.includes(one))
      .join(','),
  }
}

const present = (texts: AccessTexts): AccessTexts =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== undefined))

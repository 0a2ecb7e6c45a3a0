import { type AccessTexts, listOf } from '../access-texts.ts'
import type { Identity } from '../identity.ts'
import type { Rights } from './rights.ts'

/** What a caller may do and which data it may see. */
export interface CallerRights {
  /** True if the path is public or one of the caller's rules allows it. */
  allows(method: string, path: string): boolean
  readonly texts: AccessTexts
}

/** Request headers that narrow the view of a caller. */
export interface CallerHeaders {
  /** The three access headers set by a trusted proxy. They replace those of the permissions. */
  readonly sent?: AccessTexts | undefined
  /** `arlas-org-filter` */
  readonly within?: string | undefined
}

/** Returns the three access headers that result from permissions, organisations and proxy headers (spec 9.4). */
export function textsOf(identity: Identity | undefined, held: Rights, headers: CallerHeaders): AccessTexts {
  const own = identity?.organisations
  const granted =
    own === undefined
      ? held.texts
      : { ...held.texts, organisations: [...own, ...listOf(held.texts.organisations ?? '')].join(',') }
  const texts = { ...granted, ...present(headers.sent ?? {}) }
  return identity === undefined ? texts : withinOrganisations(texts, headers.within)
}

/** True if the rules let a caller search a collection. */
export function explores(allows: CallerRights['allows'], collection: string): boolean {
  const path = `explore/${collection.replaceAll('/', '%2F')}/_search`
  return allows('GET', path) || allows('POST', path)
}

/** Keeps those organisations of the caller that `arlas-org-filter` lists. */
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
